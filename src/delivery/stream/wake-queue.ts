/** Streams that are to be told of a change: in random order, so many a second, and a little in each turn of the event loop. */
import {
  streamWakesMsMax,
  streamWakesPerSecondMin,
  streamWakesUnderWayMax,
  turnMsMax,
} from '../limits.js';
import type { Stream } from './stream.js';

/** How long the queue rests where it may not wake another yet. */
const restMs = 10;

export class WakeQueue {
  readonly #perSecond: number | null;
  readonly #wake: (stream: Stream) => void;
  readonly #waiting: Stream[] = [];
  /** The most that waited since the queue was empty last: by that everybody's turn comes in time. */
  #peak = 0;
  #allowance = 0;
  #countedAtMs = 0;
  readonly #underWay = new Set<Stream>();
  #isScheduled = false;

  /**
   * @param perSecond streams woken in a second; 0: as many as there are, null: as many as it takes for everybody to be woken
   * within `streamWakesMsMax`
   * @param wake begins; `finished` is to be called once for each
   */
  constructor(perSecond: number | null, wake: (stream: Stream) => void) {
    this.#perSecond = perSecond;
    this.#wake = wake;
  }

  /** Streams that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  add(stream: Stream): void {
    if (stream.queuePlace >= 0) return;
    if (this.#waiting.length === 0 && !this.#isScheduled) this.#countedAtMs = performance.now();
    stream.queuePlace = this.#waiting.push(stream) - 1;
    this.#peak = Math.max(this.#peak, this.#waiting.length);
    this.#schedule(0);
  }

  remove(stream: Stream): void {
    const { queuePlace } = stream;
    if (queuePlace < 0) return;
    stream.queuePlace = -1;
    const last = this.#waiting.pop() as Stream;
    if (last === stream) return;
    this.#waiting[queuePlace] = last;
    last.queuePlace = queuePlace;
  }

  /** The event of a stream that was woken is written, or could not be made, or the stream has ended. */
  finished(stream: Stream): void {
    if (this.#underWay.delete(stream) && this.#waiting.length > 0) this.#schedule(0);
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const run = (): void => {
      this.#isScheduled = false;
      this.#turn();
    };
    if (ms > 0) setTimeout(run, ms);
    else setImmediate(run);
  }

  #turn(): void {
    const startedAtMs = performance.now();
    this.#refill(startedAtMs);
    while (this.#waiting.length > 0) {
      // `finished` goes on.
      if (this.#underWay.size >= streamWakesUnderWayMax) return;
      if (this.#allowance < 1) {
        this.#schedule(restMs);
        return;
      }
      if (performance.now() - startedAtMs >= turnMsMax) {
        this.#schedule(0);
        return;
      }
      this.#allowance -= 1;
      const stream = this.#takeAny();
      this.#underWay.add(stream);
      this.#wake(stream);
    }
    this.#peak = 0;
  }

  /** A token bucket that holds a tenth of a second. */
  #refill(nowMs: number): void {
    const rate = this.#rate();
    if (rate === Number.POSITIVE_INFINITY) {
      this.#allowance = rate;
      return;
    }
    const earned = (rate * (nowMs - this.#countedAtMs)) / 1_000;
    this.#allowance = Math.min(this.#allowance + earned, Math.max(1, rate / 10));
    this.#countedAtMs = nowMs;
  }

  #rate(): number {
    if (this.#perSecond === 0) return Number.POSITIVE_INFINITY;
    return (
      this.#perSecond ?? Math.max(streamWakesPerSecondMin, (1_000 * this.#peak) / streamWakesMsMax)
    );
  }

  #takeAny(): Stream {
    const stream = this.#waiting[Math.floor(Math.random() * this.#waiting.length)] as Stream;
    this.remove(stream);
    return stream;
  }
}
