/** Removes the users of ramps that are over: in the background, some at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import { housekeepingPauseMs } from '../../limits/housekeeping.js';
import { countedUsersPruneEveryMs, countedUsersRemovedAtOnce } from '../../limits/releases.js';
import { dropUsersOf, listEndedRamps } from '../../store/releases/release-users.js';
import type { Store } from '../../store/store.js';
import { systemActor } from '../../store/unit-of-work.js';

/** Ramps that one run looks at; the next run goes on. */
const rampsMax = 100;

export function countedUserRetention(store: Store, log: Pick<Logger, 'warn'>): PeriodicJob {
  const run = async (signal?: AbortSignal): Promise<void> => {
    for (const release of await store.read((db) => listEndedRamps(db, rampsMax))) {
      for (let isMore = true; isMore && signal?.aborted !== true; ) {
        const { value } = await store.write(systemActor, (write) =>
          dropUsersOf(write, release, countedUsersRemovedAtOnce),
        );
        isMore = value;
        if (isMore) await pause(housekeepingPauseMs);
      }
    }
  };
  return new PeriodicJob(run, {
    firstMs: countedUsersPruneEveryMs,
    everyMs: countedUsersPruneEveryMs,
    log,
    event: 'counted_user_retention_failed',
    failed: 'users of ramps that are over could not be removed; it is tried again',
  });
}
