/** Collects what delivery processes report of the users of ramps, and writes it every few seconds. */
import type { Logger } from 'pino';
import type { ReceiptBatch } from '../../../published/barrier.js';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import {
  countedUsersEveryMs,
  countedUsersPerWriteMax,
  countedUsersWaitingMax,
  receiptTriesMax,
} from '../../limits/releases.js';
import type { Store } from '../../store/store.js';
import { systemActor } from '../../store/unit-of-work.js';
import { countUsers } from './count-users.js';

interface WaitingBatch extends ReceiptBatch {
  /** How often it was written before: the starts of its users were not there yet. */
  readonly tries: number;
}

export class ReceiptReports {
  readonly #store: Pick<Store, 'write'>;
  /** What is not committed yet, oldest first. */
  readonly #waiting: WaitingBatch[] = [];
  /** Outcomes that were reported before the start that they are of, oldest first. */
  readonly #early: WaitingBatch[] = [];
  /** Of both lists. */
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
        this.#waiting.push({ ...batch, users, tries: 0 });
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
    const early = this.#early.length;
    while (this.#waiting.length > 0) await this.#writeFirst(this.#waiting);
    // Behind what has come since they were put there.
    for (let left = early; left > 0; left -= 1) await this.#writeFirst(this.#early);
  }

  async #writeFirst(batches: WaitingBatch[]): Promise<void> {
    const batch = batches[0] as WaitingBatch;
    const { value: startless } = await this.#store.write(systemActor, (write) =>
      countUsers(write, batch),
    );
    batches.shift();
    this.#users -= batch.users.length;
    const tries = batch.tries + 1;
    if (startless.length === 0 || tries >= receiptTriesMax) return;
    this.#users += startless.length;
    this.#early.push({ ...batch, users: startless, tries });
  }
}
