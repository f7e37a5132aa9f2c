/** Removes names of attributes that no request has carried for long, and their values: in the background, a few at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  seenAttributesKeptMs,
  seenAttributesPerRemoval,
  seenAttributesPruneEveryMs,
} from '../limits/evaluation.js';
import { housekeepingPauseMs } from '../limits/housekeeping.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { forgetAttributes, listForgottenAttributes } from './rows.js';
import { forgetSeenValues } from './seen-value-rows.js';

/** @param now milliseconds since the epoch */
export function seenAttributeRetention(
  store: Store,
  log: Pick<Logger, 'warn'>,
  now: () => number,
): PeriodicJob {
  const run = async (signal?: AbortSignal): Promise<void> => {
    const beforeMs = now() - seenAttributesKeptMs;
    while (signal?.aborted !== true) {
      const old = await store.read((db) =>
        listForgottenAttributes(db, beforeMs, seenAttributesPerRemoval),
      );
      if (old.length === 0) return;
      await store.write(systemActor, async (write) => {
        for (const environment of new Set(old.map((row) => row.environment))) {
          const rows = old.filter((row) => row.environment === environment);
          const names = rows.map(({ name }) => name);
          await forgetAttributes(write, environment, names, beforeMs);
        }
        await forgetSeenValues(write, beforeMs);
      });
      await pause(housekeepingPauseMs);
    }
  };
  return new PeriodicJob(run, {
    firstMs: 0,
    everyMs: seenAttributesPruneEveryMs,
    log,
    event: 'attribute_retention_failed',
    failed: 'names of attributes that no request carries could not be removed; it is tried again',
  });
}
