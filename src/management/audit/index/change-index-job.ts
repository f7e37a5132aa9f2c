/** The background work of the index of changes: soon after each commit of this server, and from time to time. */
import type { Logger } from 'pino';
import type { LeaderJob } from '../../jobs/leader-jobs.js';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import { indexAfterMs, indexEveryMs } from '../../limits/audit.js';
import type { Store } from '../../store/store.js';
import type { ChangeIndex } from './change-index.js';

export class ChangeIndexJob implements LeaderJob {
  readonly #store: Store;
  readonly #job: PeriodicJob;
  #unsubscribe: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, index: ChangeIndex, log: Pick<Logger, 'warn'>) {
    this.#store = store;
    this.#job = new PeriodicJob(
      async (signal) => {
        await index.catchUp(signal);
        await index.fill(signal);
      },
      {
        ...{ firstMs: indexAfterMs, everyMs: indexEveryMs, log },
        event: 'change_index_failed',
        failed: 'the index of changes is behind; it is tried again',
      },
    );
  }

  start(): void {
    this.#job.start();
    this.#unsubscribe ??= this.#store.onCommit(({ audited }) => {
      if (audited === true) this.#soon();
    });
  }

  async stop(): Promise<void> {
    this.#quiet();
    await this.#job.stop();
  }

  async close(): Promise<void> {
    this.#quiet();
    await this.#job.close();
  }

  /** Several commits in a row are indexed together. */
  #soon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#job.tryNow();
    }, indexAfterMs);
    this.#timer.unref();
  }

  #quiet(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
