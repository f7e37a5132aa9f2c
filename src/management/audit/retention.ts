/** Removes audit events older than a set number of days: in the background, a little at a time, once a day at most. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { auditRemovalEveryMs, auditRowsPerRemoval } from '../limits/audit.js';
import { housekeepingPauseMs } from '../limits/housekeeping.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { deleteAudit, didSince } from './rows.js';

const dayMs = 24 * 60 * 60_000;
const action = 'audit.prune';

/**
 * A run returns how many events it removed.
 * @param now milliseconds since the epoch
 * @param daysKept null: everything is kept
 */
export function auditRetention(
  store: Store,
  log: Pick<Logger, 'warn'>,
  now: () => number,
  daysKept: number | null,
): PeriodicJob<number> {
  const run = async (signal?: AbortSignal): Promise<number> =>
    daysKept === null ? 0 : pruneAudit(store, now(), daysKept, signal);
  return new PeriodicJob(run, {
    firstMs: 0,
    everyMs: auditRemovalEveryMs,
    log,
    event: 'audit_retention_failed',
    failed: 'the old audit could not be removed; it is tried again',
  });
}

/** Does nothing if it ran within a day: the audit must not fill with events about itself. */
async function pruneAudit(
  store: Store,
  nowMs: number,
  daysKept: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (await store.read((db) => didSince(db, action, nowMs - dayMs))) return 0;
  const beforeMs = nowMs - daysKept * dayMs;
  const olderThan = new Date(beforeMs).toISOString();
  let removed = 0;
  // Every removal updates the run's one audit event, which is therefore true whenever the run ends.
  let auditId: string | null = null;
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const { value } = await store.write(systemActor, async (write) => {
      const gone = await deleteAudit(write.db, beforeMs, auditRowsPerRemoval);
      const details = { removed: removed + gone.removed, olderThan, daysKept };
      if (auditId !== null) await write.amendAudit(auditId, details);
      else if (gone.removed > 0) auditId = await write.audit(action, '', '', details);
      return gone;
    });
    removed += value.removed;
    ({ isMore } = value);
    if (isMore) await pause(housekeepingPauseMs);
  }
  return removed;
}
