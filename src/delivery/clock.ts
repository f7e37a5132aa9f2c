/** The time of day from the monotonic clock: a request reads one clock for its latency and for what depends on the date. */

/** How long a step of the system's clock may go unnoticed. */
const checkMs = 100;

export class Clock {
  #aheadMs = 0;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  /** Milliseconds since the epoch, at a reading of `performance.now()`. */
  wallMs(atMs: number): number {
    if (atMs - this.#checkedAtMs >= checkMs) {
      this.#aheadMs = Date.now() - performance.now();
      this.#checkedAtMs = atMs;
    }
    return atMs + this.#aheadMs;
  }
}
