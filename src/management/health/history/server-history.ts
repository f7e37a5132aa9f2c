/**
 * Keeps an hour of a server's figures in memory, one point in ten seconds: with eight delivery processes some 1.5 KB a
 * point, 0.5 MB in all. It ends with the process; a restart shows as a gap. Pure: its caller has the figures and the clock.
 */
import {
  pointBetween,
  pointSinceStart,
  type Sample,
} from '../../../contract/health/history-point.js';
import { historyPointsMax, historyStepMs } from '../../../contract/limits.js';
import type { HistoryPoint } from '../../../contract/operations/health/history.js';

/** Longer than this between two samples, what happened in between belongs to no point. */
const gapMsMin = 3 * historyStepMs;

export class ServerHistory {
  /** Oldest first. */
  readonly #points: HistoryPoint[] = [];
  #latest: Sample | null = null;

  add(sample: Sample): void {
    const latest = this.#latest;
    const beganMs = latest?.atMs ?? Date.parse(sample.control.startedAt);
    const lastedMs = sample.atMs - beganMs;
    const isInTime = lastedMs > 0 && lastedMs <= gapMsMin;
    // The first point waits for the first report of a delivery process.
    if (latest === null && isInTime && sample.deliveryProcesses.length === 0) return;
    this.#latest = sample;
    if (!isInTime) return;
    this.#points.push(latest === null ? pointSinceStart(sample) : pointBetween(latest, sample));
    if (this.#points.length > historyPointsMax) this.#points.shift();
  }

  /** @param afterMs milliseconds since the epoch: only points that end after it */
  points(afterMs: number): HistoryPoint[] {
    return this.#points.filter(({ at }) => Date.parse(at) > afterMs);
  }
}
