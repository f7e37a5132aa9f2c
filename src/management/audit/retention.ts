/** Forgets the audit of before a set number of days: in the background, a little at a time, once a day at most. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { auditRemovalEveryMs, auditRowsPerRemoval, housekeepingPauseMs } from '../limits.js';
import { amendAudit, deleteAudit, didSince } from '../store/audit.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';

const dayMs = 24 * 60 * 60_000;
const action = 'audit.prune';

export class AuditRetention {
  readonly #store: Store;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  readonly #daysKept: number | null;
  readonly #rounds: PeriodicJob;

  /**
   * @param now milliseconds since the epoch
   * @param daysKept null: for ever
   */
  constructor(store: Store, log: Pick<Logger, 'warn'>, now: () => number, daysKept: number | null) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    this.#daysKept = daysKept;
    this.#rounds = new PeriodicJob((signal) => this.#runAlone(signal), {
      firstMs: 0,
      everyMs: auditRemovalEveryMs,
    });
  }

  /** From now on it looks by itself whether there is something to remove. */
  start(): void {
    if (this.#daysKept === null) return;
    this.#rounds.start();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  async close(): Promise<void> {
    await this.#rounds.stop();
  }

  /**
   * Removes what is too old, unless that was done within a day: the audit must not fill with rows about itself.
   * @param until ends it after its present write
   * @returns how many events went
   * @throws StoreUnavailable
   */
  async run(until?: AbortSignal): Promise<number> {
    const nowMs = this.#now();
    if (this.#daysKept === null) return 0;
    if (await this.#store.read((db) => didSince(db, action, nowMs - dayMs))) return 0;
    const beforeMs = nowMs - this.#daysKept * dayMs;
    let removed = 0;
    // Every removal brings the run's one audit row up to date, so that it is true whenever the run ends.
    let auditId: string | null = null;
    for (let isMore = true; isMore && until?.aborted !== true; ) {
      const { value } = await this.#store.write(systemActor, async (write) => {
        const gone = await deleteAudit(write.db, beforeMs, auditRowsPerRemoval);
        const details = this.#details(removed + gone.removed, beforeMs);
        if (gone.removed > 0 && auditId === null)
          auditId = await write.audit(action, '', '', details);
        else if (auditId !== null) await amendAudit(write, auditId, details);
        return gone;
      });
      removed += value.removed;
      ({ isMore } = value);
      if (isMore) await pause(housekeepingPauseMs);
    }
    return removed;
  }

  #details(removed: number, beforeMs: number): Readonly<Record<string, unknown>> {
    const olderThan = new Date(beforeMs).toISOString();
    return { removed, olderThan, daysKept: this.#daysKept };
  }

  async #runAlone(signal: AbortSignal): Promise<void> {
    try {
      await this.run(signal);
    } catch (error) {
      this.#log.warn(
        { event: 'audit_retention_failed', err: error },
        'the old audit could not be removed; it is tried again',
      );
    }
  }
}
