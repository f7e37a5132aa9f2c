/**
 * The time of spans. The clock of the machine has milliseconds and may step back, so spans that begin one after the other could seem
 * to overlap, and children to end after their parents. This one is monotonic between corrections of the machine's clock.
 */

/** The two clocks differ by up to a millisecond, since the machine's has no parts of one. */
const differenceMsMax = 2;

export class SpanClock {
  #offsetMs = Number.NaN;

  /** Milliseconds since the epoch, with parts of them. */
  now(): number {
    const monotonicMs = performance.now();
    const machineMs = Date.now();
    const isTrue = Math.abs(machineMs - monotonicMs - this.#offsetMs) <= differenceMsMax;
    if (!isTrue) this.#offsetMs = machineMs - monotonicMs;
    return monotonicMs + this.#offsetMs;
  }
}
