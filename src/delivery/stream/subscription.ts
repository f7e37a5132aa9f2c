/** What a stream follows: a list of content items, or everything that its environment has. Streams with the same one share it. */
import { contentKey } from '../../content/content-id.js';
import type { ServedEnvironment } from '../published/published-index.js';
import type { ServedContent } from '../render/served-content.js';
import type { Stream } from './stream.js';

/**
 * Each content item has a place, which it keeps as long as the subscription lives: a stream keeps the tag that its client
 * holds at the same place of a list.
 */
export class Subscription {
  /** By which the same one is found. */
  readonly key: string;
  readonly environmentId: string;
  /** Content items that are published later are followed too. */
  readonly followsAll: boolean;
  /** By place: the id as clients know it: as they wrote it, or as the catalog had it first. */
  readonly names: string[];
  /** How many places the clients named, the first ones: what is not there is gone, even if they do not hold it. */
  readonly named: number;
  /** By place: what is served; null for what is not. As of the last `catchUp`. */
  readonly contents: (ServedContent | null)[] = [];
  readonly streams: Stream[] = [];
  /** What the list counts as in the limits: its first stream's network answers for it until its last stream has ended. */
  claim: ListClaim | null = null;
  /** A deleted item came back in another spelling, which clients of new streams are to know it by. */
  isRespelled = false;
  readonly #keys: string[];
  readonly #places = new Map<string, number>();
  /** Places whose content another one has replaced since the last `takeChanged`. */
  #changed = new Set<number>();
  /** State of the index that `contents` is of. */
  #version = -1;

  constructor(key: string, environmentId: string, names: readonly string[], followsAll: boolean) {
    this.key = key;
    this.environmentId = environmentId;
    this.followsAll = followsAll;
    this.names = [...names];
    this.named = names.length;
    this.#keys = names.map(contentKey);
    for (const [place, id] of this.#keys.entries()) this.#places.set(id, place);
  }

  /** What the list holds in memory: names, keys and places, bytes as they are estimated. */
  get listBytes(): number {
    return this.names.reduce((sum, name) => sum + 2 * name.length + 150, 0);
  }

  /** The place of a content item; undefined: it has none. */
  place(id: string): number | undefined {
    return this.#places.get(contentKey(id));
  }

  /**
   * Takes over what is served now. A content item that was published again is another object, and one whose segments changed
   * as well.
   * @param environment undefined: it is there no longer
   * @param version `PublishedIndex.version`
   */
  catchUp(environment: ServedEnvironment | undefined, version: number): void {
    if (version === this.#version) return;
    const isFirst = this.#version < 0;
    this.#version = version;
    const served = environment?.contents ?? noContents;
    if (this.followsAll) {
      for (const [key, content] of served) {
        if (!this.#places.has(key)) this.#add(key, content.id);
      }
    }
    for (let place = 0; place < this.#keys.length; place += 1) {
      const content = served.get(this.#keys[place] as string) ?? null;
      if (this.contents[place] === content) continue;
      this.contents[place] = content;
      // The first event of each stream compares everything.
      if (!isFirst) this.#changed.add(place);
      if (content !== null && place >= this.named && content.id !== this.names[place]) {
        this.isRespelled = true;
      }
    }
  }

  /** Places that have changed since this was asked last. */
  takeChanged(): readonly number[] {
    const changed = [...this.#changed];
    if (changed.length > 0) this.#changed = new Set();
    return changed;
  }

  #add(key: string, name: string): void {
    this.#places.set(key, this.#keys.length);
    this.#keys.push(key);
    this.names.push(name);
    this.contents.push(null);
  }
}

/** What a subscription's list holds in memory, and who is charged with it. */
export interface ListClaim {
  /** See `ClientNetworks`. */
  readonly network: string;
  /** Bytes as they are estimated. */
  readonly bytes: number;
}

const noContents: ReadonlyMap<string, ServedContent> = new Map();

/** All that some stream follows. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();
  readonly #byKey = new Map<string, Subscription>();

  get all(): Iterable<Subscription> {
    return this.#all;
  }

  /**
   * The one that streams have already, or a new one, which counts from its first stream on.
   * @param names content ids as the client wrote them, no two of which differ only in case
   * @param followsAll whether everything else is followed too
   */
  of(environmentId: string, names: readonly string[], followsAll: boolean): Subscription {
    const key = JSON.stringify([environmentId, followsAll, ...names]);
    const known = this.#byKey.get(key);
    if (known !== undefined && !known.isRespelled) return known;
    return new Subscription(key, environmentId, names, followsAll);
  }

  add(stream: Stream): void {
    const { subscription } = stream;
    if (subscription.streams.length === 0) {
      this.#all.add(subscription);
      this.#byKey.set(subscription.key, subscription);
    }
    stream.place = subscription.streams.push(stream) - 1;
  }

  /** The last stream takes the place of the removed one, so that removing costs the same however many there are. */
  remove(stream: Stream): void {
    const { subscription, place } = stream;
    const { streams, key } = subscription;
    const last = streams.pop();
    if (last !== undefined && last !== stream) {
      streams[place] = last;
      last.place = place;
    }
    if (streams.length > 0) return;
    this.#all.delete(subscription);
    if (this.#byKey.get(key) === subscription) this.#byKey.delete(key);
  }
}
