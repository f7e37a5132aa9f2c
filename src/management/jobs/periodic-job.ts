/** Background work that repeats: from `start` to `stop` one run follows the other, and no two runs overlap. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LeaderJob } from './leader-jobs.js';

/** One run. It ends soon after its signal aborts; what is left is for the next run. */
export type JobRun<Result> = (signal?: AbortSignal) => Promise<Result>;

export interface JobOptions {
  /** From the start to the first run, milliseconds. */
  readonly firstMs: number;
  /** From the end of a run to the next one, milliseconds; up to a tenth longer, so that servers spread out. */
  readonly everyMs: number;
  readonly log: Pick<Logger, 'warn'>;
  /** The log event of a run that failed, and its message. The job goes on. */
  readonly event: string;
  readonly failed: string;
}

const jitterMax = 0.1;
/** Timers of Node take no longer wait. */
const timerMsMax = 2 ** 31 - 1;

export class PeriodicJob<Result = void> implements LeaderJob {
  readonly #run: JobRun<Result>;
  readonly #options: JobOptions;
  /** From the present start to its stop; null: it is stopped. */
  #started: AbortController | null = null;
  /** Resolves when every start was stopped, and its last run has ended. */
  #stopped: Promise<void> = Promise.resolve();
  /** Resolves when the run under way, and those that wait for it, have ended. */
  #ran: Promise<unknown> = Promise.resolve();

  constructor(run: JobRun<Result>, options: JobOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Does nothing while it is started. */
  start(): void {
    if (this.#started !== null) return;
    this.#started = new AbortController();
    const { signal } = this.#started;
    this.#stopped = this.#stopped.then(() => this.#repeat(signal));
  }

  /** Resolves when no run that it began by itself is under way. */
  async stop(): Promise<void> {
    this.#started?.abort();
    this.#started = null;
    await this.#stopped;
  }

  /** Resolves when no run is under way. */
  async close(): Promise<void> {
    await this.stop();
    await this.#ran;
  }

  /**
   * Runs once, started or not, after the run that is under way.
   * @param signal ends it early
   * @throws what the run throws
   */
  runNow(signal?: AbortSignal): Promise<Result> {
    const run = this.#ran.then(() => this.#run(signal));
    this.#ran = run.catch(() => undefined);
    return run;
  }

  /** The same; a failure is logged. */
  async tryNow(signal?: AbortSignal): Promise<void> {
    const { log, event, failed } = this.#options;
    try {
      await this.runNow(signal);
    } catch (error) {
      log.warn({ err: error, event }, failed);
    }
  }

  async #repeat(signal: AbortSignal): Promise<void> {
    const { firstMs, everyMs } = this.#options;
    for (let waitMs = firstMs; ; waitMs = everyMs * (1 + jitterMax * Math.random())) {
      // It rejects when it is aborted, and does not keep the process alive.
      const wait = pause(Math.min(waitMs, timerMsMax), undefined, { signal, ref: false });
      await wait.catch(() => undefined);
      if (signal.aborted) return;
      await this.tryNow(signal);
    }
  }
}
