/** Collects what delivery processes report of the users of ramps, and writes it every few seconds. */
import type { Logger } from 'pino';
import type { ReceiptBatch } from '../../../published/barrier.js';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import {
  countedUsersEveryMs,
  countedUsersPerWriteMax,
  countedUsersWaitingMax,
} from '../../limits.js';
import type { Store } from '../../store/store.js';
import { systemActor } from '../../store/unit-of-work.js';
import { countUsers } from './count-users.js';

export class ReceiptReports {
  readonly #store: Pick<Store, 'write'>;
  /** What is not committed yet, oldest first. */
  readonly #waiting: ReceiptBatch[] = [];
  #users = 0;
  readonly #job: PeriodicJob;

  constructor(
    store: Pick<Store, 'write'>,
    log: Pick<Logger, 'warn'>,
    everyMs: number = countedUsersEveryMs,
  ) {
    this.#store = store;
    this.#job = new PeriodicJob(() => this.#writeAll(), {
      firstMs: everyMs,
      everyMs,
      log,
      event: 'receipts_failed',
      failed: 'receipts of ramps cannot be written; it is tried again',
    });
    this.#job.start();
  }

  /** What does not fit is dropped, of both slices alike: the brake then knows fewer players. */
  add(batches: readonly ReceiptBatch[]): void {
    for (const batch of batches) {
      for (let at = 0; at < batch.users.length; at += countedUsersPerWriteMax) {
        const users = batch.users.slice(at, at + countedUsersPerWriteMax);
        if (this.#users + users.length > countedUsersWaitingMax) return;
        this.#users += users.length;
        this.#waiting.push({ ...batch, users });
      }
    }
  }

  /** Writes what was reported. What cannot be written now is kept for the next time. */
  write(): Promise<void> {
    return this.#job.tryNow();
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    await this.#job.stop();
    await this.write();
  }

  async #writeAll(): Promise<void> {
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      const next = batch;
      await this.#store.write(systemActor, (write) => countUsers(write, next));
      this.#waiting.shift();
      this.#users -= next.users.length;
    }
  }
}
