/** After each change: finds the streams whose own answers have changed, some in each turn of the event loop. */
import type { Clock } from '../clock.js';
import { evaluatedAtMs } from '../http/refresh-pages.js';
import { turnMsMax } from '../limits.js';
import type { PublishedIndex } from '../published/published-index.js';
import type { ServedContent } from '../render/served-content.js';
import type { Stream } from './stream.js';
import { changesAtMsFor, tagFor } from './stream-tags.js';
import type { Subscription, Subscriptions } from './subscription.js';

export interface StreamWalkEvents {
  /** Its answer differs from what its client holds. */
  readonly changed: (stream: Stream) => void;
  /** A bug of ours: it ends this stream, not the process. */
  readonly broke: (stream: Stream, error: unknown) => void;
  /** The clock alone can change its answer earlier than was known. */
  readonly changesEarlier: (stream: Stream, atMs: number) => void;
}

/** Streams that are looked at between two readings of the clock. */
const streamsPerReading = 8;

export class StreamWalk {
  readonly #subscriptions: Subscriptions;
  readonly #index: PublishedIndex;
  readonly #clock: Clock;
  readonly #events: StreamWalkEvents;
  /** Yet to be walked; null: no walk is under way. */
  #left: Subscription[] | null = null;
  #isWantedAgain = false;
  /** Of the last in `#left`: its changed places, and how many of its streams are left. */
  #places: readonly number[] = [];
  #streamsLeft = -1;
  /** Streams that walks have looked at. */
  looked = 0;

  constructor(
    subscriptions: Subscriptions,
    index: PublishedIndex,
    clock: Clock,
    events: StreamWalkEvents,
  ) {
    this.#subscriptions = subscriptions;
    this.#index = index;
    this.#clock = clock;
    this.#events = events;
  }

  /** Something was published. What is published during a walk is walked for after it. */
  start(): void {
    if (this.#left !== null) {
      this.#isWantedAgain = true;
      return;
    }
    this.#left = [...this.#subscriptions.all];
    if (this.#left.length === 0) this.#left = null;
    else setImmediate(() => this.#turn());
  }

  #turn(): void {
    const left = this.#left as Subscription[];
    const atMs = performance.now();
    const nowMs = this.#clock.wallMs(atMs);
    while (left.length > 0) {
      const subscription = left[left.length - 1] as Subscription;
      if (this.#streamsLeft < 0) {
        subscription.catchUp(
          this.#index.environment(subscription.environmentId),
          this.#index.version,
        );
        this.#places = subscription.takeChanged();
        this.#streamsLeft = this.#places.length === 0 ? 0 : subscription.streams.length;
      }
      this.#walk(subscription, nowMs);
      if (this.#streamsLeft === 0) {
        this.#streamsLeft = -1;
        left.pop();
      }
      if (performance.now() - atMs < turnMsMax) continue;
      setImmediate(() => this.#turn());
      return;
    }
    this.#left = null;
    if (!this.#isWantedAgain) return;
    this.#isWantedAgain = false;
    this.start();
  }

  /**
   * Some streams, from the last one on: one that ends meanwhile leaves its place to the last, which was looked at already, and
   * a new one takes a place behind.
   */
  #walk({ streams, contents }: Subscription, nowMs: number): void {
    this.#streamsLeft = Math.min(this.#streamsLeft, streams.length);
    const until = Math.max(0, this.#streamsLeft - streamsPerReading);
    for (let at = this.#streamsLeft - 1; at >= until; at -= 1) {
      const stream = streams[at] as Stream;
      this.looked += 1;
      if (stream.queuePlace >= 0) continue;
      if (stream.isWaking || stream.isBehind) stream.isStale = true;
      else this.#compare(stream, contents, nowMs);
    }
    this.#streamsLeft = until;
  }

  #compare(stream: Stream, contents: readonly (ServedContent | null)[], nowMs: number): void {
    try {
      if (this.#differs(stream, contents, nowMs)) this.#events.changed(stream);
    } catch (error) {
      this.#events.broke(stream, error);
    }
  }

  #differs(stream: Stream, contents: readonly (ServedContent | null)[], clockMs: number): boolean {
    const { caller, workMax, floorMs } = stream;
    const nowMs = evaluatedAtMs(clockMs, floorMs);
    caller.workLeft = workMax;
    for (const place of this.#places) caller.workLeft += contents[place]?.ordinaryWork ?? 0;
    let earliestMs = stream.changesAtMs;
    let differs = false;
    for (const place of this.#places) {
      const content = contents[place] ?? null;
      differs = differsAt(stream, place, content, nowMs);
      // The event says everything; what the rules cannot do here, the event finds too.
      if (differs) break;
      if (content !== null) {
        earliestMs = Math.min(earliestMs, changesAtMsFor(stream, content, nowMs));
      }
    }
    // Not kept with each stream.
    caller.forgetDerived();
    if (!differs && earliestMs < stream.changesAtMs) {
      this.#events.changesEarlier(stream, earliestMs);
    }
    return differs;
  }
}

function differsAt(
  stream: Stream,
  place: number,
  content: ServedContent | null,
  nowMs: number,
): boolean {
  const tag = tagFor(stream, content, nowMs);
  if (stream.caller.isOverworked) return true;
  return tag === '' ? stream.holds(place) : tag !== stream.tags[place];
}
