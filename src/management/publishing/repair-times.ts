/** Says when a damaged published.db may be made again: at once the first time, ever later while it is damaged again. */
import { repairAgainMsMax, repairAgainMsMin, repairStoreDamagedMs } from '../limits/processes.js';
import { StoreDamaged } from '../store/store-errors.js';

export class RepairTimes {
  #mayMs = 0;
  #doneMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** How long it must wait yet. Times are of a clock that only goes forward. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#mayMs - nowMs);
  }

  /** @param error why it could not be made; null: it was */
  done(nowMs: number, error: unknown): void {
    if (nowMs - this.#doneMs > 2 * repairAgainMsMax) this.#count = 0;
    const backoffMs = Math.min(repairAgainMsMax, repairAgainMsMin * 2 ** this.#count);
    this.#count += 1;
    this.#doneMs = nowMs;
    this.#mayMs = nowMs + (error instanceof StoreDamaged ? repairStoreDamagedMs : backoffMs);
  }
}
