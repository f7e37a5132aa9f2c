/** Removes deliveries that are too old or too many: in the background, a few at a time, so that no edit waits for it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { housekeepingPauseMs } from '../limits/housekeeping.js';
import {
  deliveriesKeptMax,
  deliveriesKeptMs,
  deliveriesPruneEveryMs,
  deliveriesRemovedAtOnce,
} from '../limits/webhooks.js';
import type { Db } from '../store/dialect.js';
import {
  listDeliveriesBefore,
  listDeliveriesBeyond,
  removeDeliveries,
} from '../store/events/webhook-deliveries.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { listWebhooks } from './rows.js';

/** How much is kept, and how many rows one write removes. */
export interface DeliveryRules {
  readonly keptMs: number;
  readonly keptPerWebhook: number;
  readonly removedAtOnce: number;
}

const defaultRules: DeliveryRules = {
  keptMs: deliveriesKeptMs,
  keptPerWebhook: deliveriesKeptMax,
  removedAtOnce: deliveriesRemovedAtOnce,
};

/**
 * Removes deliveries that are too old, waiting or not, and of each webhook the oldest beyond its number.
 * @param now milliseconds since the epoch
 */
export function deliveryRetention(
  store: Store,
  log: Pick<Logger, 'warn'>,
  now: () => number,
  { keptMs, keptPerWebhook, removedAtOnce }: DeliveryRules = defaultRules,
): PeriodicJob {
  /** Reads first: mostly there is nothing to remove, and then no edit has to wait. */
  async function removeAll(
    signal: AbortSignal | undefined,
    list: (db: Db) => Promise<string[]>,
  ): Promise<void> {
    while (signal?.aborted !== true) {
      const ids = await store.read(list);
      if (ids.length > 0) await store.write(systemActor, (write) => removeDeliveries(write, ids));
      if (ids.length < removedAtOnce) return;
      await pause(housekeepingPauseMs);
    }
  }
  const run = async (signal?: AbortSignal): Promise<void> => {
    const beforeMs = now() - keptMs;
    await removeAll(signal, (db) => listDeliveriesBefore(db, beforeMs, removedAtOnce));
    for (const { id } of await store.read(listWebhooks)) {
      await removeAll(signal, (db) => listDeliveriesBeyond(db, id, keptPerWebhook, removedAtOnce));
    }
  };
  return new PeriodicJob(run, {
    firstMs: 0,
    everyMs: deliveriesPruneEveryMs,
    log,
    event: 'delivery_retention_failed',
    failed: 'old webhook deliveries could not be removed; it is tried again',
  });
}
