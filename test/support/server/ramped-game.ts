/**
 * A game that a release ramps in, beside its two ends: an environment where nothing of the release is live, and one where all
 * of it is. What a caller of the game is given must be what that caller is given in one of these.
 */
import { bucketOf } from '../../../src/content/bucket.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import { noLayers } from '../../../src/content/layers.js';
import type {
  PublishedCandidate,
  PublishedChange,
  PublishedDelivery,
} from '../../../src/published/change.js';
import type { Environment } from './environment.js';
import { LoneDelivery } from './lone-delivery.js';

/** What a content item delivers; null: it is not there. */
export type Delivered = {
  /** JSON texts by app version. */
  readonly lines: Readonly<Record<string, string>>;
  readonly rules?: readonly object[];
  readonly flags?: readonly string[];
} | null;

export interface RampedItem {
  readonly live: Delivered;
  /** Left out: the release does not change it. */
  readonly next?: Delivered;
}

export interface RampedSegment {
  readonly live: object | null;
  readonly next: object;
}

export interface RampedParts {
  readonly items: Readonly<Record<string, RampedItem>>;
  readonly segments?: Readonly<Record<string, RampedSegment>>;
}

/** Of the release, as the store would draw it. */
const salt = '7d1f0c2b9a5e4863';

export class RampedGame {
  readonly game: Environment;
  /** The ends. */
  readonly before: Environment;
  readonly after: Environment;
  readonly delivery: LoneDelivery;
  readonly #parts: RampedParts;
  /** Of the present step; -1: nothing ramps. */
  #permille = -1;
  #step = -1;
  #isLive = false;

  static async start(parts: RampedParts): Promise<RampedGame> {
    const delivery = await LoneDelivery.start();
    const [game, before, after] = [
      await delivery.environment('game'),
      await delivery.environment('before'),
      await delivery.environment('after'),
    ];
    const ramped = new RampedGame(delivery, game, before, after, parts);
    await delivery.publish([
      ...ramped.#changes('game', null),
      ...ramped.#changes('before', null),
      ...ramped.#changes('after', 'live'),
    ]);
    return ramped;
  }

  private constructor(
    delivery: LoneDelivery,
    game: Environment,
    before: Environment,
    after: Environment,
    parts: RampedParts,
  ) {
    this.delivery = delivery;
    this.game = game;
    this.before = before;
    this.after = after;
    this.#parts = parts;
  }

  /** Goes on to a step. Returns the sequence, as the others do. */
  step(permille: number): Promise<number> {
    this.#isLive = false;
    this.#permille = permille;
    this.#step += 1;
    return this.delivery.publish(this.#changes('game', 'ramp'));
  }

  /** Publishes the same again, as a pause and a resume do. */
  pause(): Promise<number> {
    return this.delivery.publish(this.#changes('game', 'ramp'));
  }

  /** Takes everything back, from a ramp or from what is live. */
  stop(): Promise<number> {
    this.#permille = -1;
    this.#isLive = false;
    return this.delivery.publish(this.#changes('game', null));
  }

  goLive(): Promise<number> {
    this.#permille = -1;
    this.#isLive = true;
    return this.delivery.publish(this.#changes('game', 'live'));
  }

  /** Publishes something beside the release, to the game alone. */
  put(id: string, delivered: Delivered): Promise<number> {
    const delivery = publishedOf(delivered) ?? { lines: [], mapping: '', flags: [] };
    return this.delivery.publish([
      { kind: 'content', environment: 'game', id, ...delivery, candidate: null },
    ]);
  }

  /** Whether the release ramps, and the caller is in. */
  isIn(u: string | undefined): boolean {
    const caller = makeEvaluationContext(u ?? '', {}, null);
    return caller.u !== '' && bucketOf(salt, caller) < this.#permille;
  }

  /** What the caller's responses are to be compared with. */
  endOf(u: string | undefined): Environment {
    return this.#isLive || this.isIn(u) ? this.after : this.before;
  }

  #changes(environment: string, release: 'ramp' | 'live' | null): PublishedChange[] {
    const { items, segments = {} } = this.#parts;
    const ofSegments = Object.entries(segments).map(([name, { live, next }]): PublishedChange => {
      const when = release === 'live' ? next : live;
      if (when === null && release === null) return { kind: 'segment-removed', environment, name };
      return {
        ...{ kind: 'segment', environment, name },
        when: when === null ? null : JSON.stringify(when),
        candidate: release === 'ramp' ? JSON.stringify(next) : null,
      };
    });
    const ofItems = Object.entries(items).map(([id, item]): PublishedChange => {
      const isChanged = item.next !== undefined;
      const live = isChanged && release === 'live' ? item.next : item.live;
      const candidate = isChanged && release === 'ramp' ? this.#candidate(item.next ?? null) : null;
      if (live === null && candidate === null) return { kind: 'content-removed', environment, id };
      const delivery = publishedOf(live) ?? { lines: [], mapping: '', flags: [] };
      return { kind: 'content', environment, id, ...delivery, candidate };
    });
    return [...ofSegments, ...ofItems];
  }

  #candidate(next: Delivered): PublishedCandidate {
    return {
      ...{ release: 'release-1', run: 1, salt, permille: this.#permille, step: this.#step },
      ...{ receipts: false, content: publishedOf(next) },
    };
  }
}

function publishedOf(delivered: Delivered): PublishedDelivery | null {
  if (delivered === null) return null;
  const { lines, rules = [], flags = [] } = delivered;
  const mapping = rules.length === 0 ? '' : JSON.stringify(rules);
  const hashed =
    mapping === ''
      ? null
      : { mapping: Buffer.from(mapping), segments: [] as const, layers: noLayers };
  const published = Object.entries(lines).map(([version, text]) => {
    const json = Buffer.from(text);
    return { version, digest: digestOf(json), hash: contentHash(json, hashed), json };
  });
  return { lines: published, mapping, flags };
}
