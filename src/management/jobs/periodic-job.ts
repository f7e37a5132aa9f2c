/** Background work that comes round: from `start` to `stop` one round follows the other, and none overlaps another. */
import { setTimeout as pause } from 'node:timers/promises';

/** One round. It must not reject, and ends soon after its signal says so. */
export type JobRun = (signal: AbortSignal) => Promise<void>;

export interface JobTimes {
  /** From the start to the first round, milliseconds. */
  readonly firstMs: number;
  /** From the end of a round to the next one, milliseconds. */
  readonly everyMs: number;
}

export class PeriodicJob {
  readonly #round: JobRun;
  readonly #times: JobTimes;
  /** Of the present stretch from a start to a stop; null: it is stopped. */
  #stretch: AbortController | null = null;
  /** Resolves when every stretch that was begun has ended. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(round: JobRun, times: JobTimes) {
    this.#round = round;
    this.#times = times;
  }

  /** Does nothing while it is started. */
  start(): void {
    if (this.#stretch !== null) return;
    this.#stretch = new AbortController();
    const { signal } = this.#stretch;
    this.#ended = this.#ended.then(() => this.#go(signal));
  }

  /** Resolves when no round is under way any more. */
  async stop(): Promise<void> {
    this.#stretch?.abort();
    this.#stretch = null;
    await this.#ended;
  }

  async #go(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.#times.firstMs; ; waitMs = this.#times.everyMs) {
      // It rejects when it is aborted, and does not keep the process.
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#round(signal);
    }
  }
}
