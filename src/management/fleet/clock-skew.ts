/** Compares this server's clock with the store's: windows open and close by the clocks of all servers. */
import type { Logger } from 'pino';
import { clockSkewMsMax } from '../limits/fleet.js';

export class ClockSkew {
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  /** How far this server's clock is ahead of the store's, milliseconds; null: it was not compared yet. */
  aheadMs: number | null = null;
  /** Whether it is too far ahead or behind, whatever the error of the estimate. */
  isSkewed = false;

  constructor(log: Pick<Logger, 'info' | 'warn'>) {
    this.#log = log;
  }

  /**
   * The store read its clock at some moment between the two readings of ours, so that half of the time between them is the
   * error of the estimate (RFC 5905, section 8: offset and round-trip delay).
   * @param storeMs the store's clock, milliseconds since the epoch
   * @param askedMs this server's clock before the question, and `answeredMs` after the answer
   */
  compare(storeMs: number, askedMs: number, answeredMs: number): void {
    const aheadMs = (askedMs + answeredMs) / 2 - storeMs;
    const errorMs = Math.abs(answeredMs - askedMs) / 2;
    this.aheadMs = aheadMs;
    const isSkewed = Math.abs(aheadMs) - errorMs > clockSkewMsMax;
    if (isSkewed === this.isSkewed) return;
    this.isSkewed = isSkewed;
    const aheadSeconds = Math.round(aheadMs / 100) / 10;
    if (isSkewed) {
      this.#log.warn(
        { event: 'clock_skew', aheadSeconds },
        "this server's clock differs from the store's by more than a second: windows of targeting rules open and close at another time here",
      );
    } else {
      this.#log.info({ event: 'clock_in_step', aheadSeconds }, "this server's clock agrees again");
    }
  }
}
