/** Forgets deliveries that are too old or too many: in the background, a few at a time, so that no edit waits for it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  deliveriesKeptMax,
  deliveriesKeptMs,
  deliveriesPruneEveryMs,
  deliveriesRemovedAtOnce,
  housekeepingPauseMs,
} from '../limits.js';
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

export class DeliveryRetention {
  readonly #store: Store;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  readonly #rules: DeliveryRules;
  readonly #rounds: PeriodicJob;

  /** @param now milliseconds since the epoch */
  constructor(
    store: Store,
    log: Pick<Logger, 'warn'>,
    now: () => number,
    rules: DeliveryRules = defaultRules,
  ) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    this.#rules = rules;
    this.#rounds = new PeriodicJob((signal) => this.#runAlone(signal), {
      firstMs: 0,
      everyMs: deliveriesPruneEveryMs,
    });
  }

  /** From now on it runs by itself. */
  start(): void {
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
   * Removes what is too old, waiting or not, and of each webhook the oldest of what is too many.
   * @param until ends it after its present write
   * @throws StoreUnavailable
   */
  async run(until?: AbortSignal): Promise<void> {
    const { keptMs, keptPerWebhook, removedAtOnce } = this.#rules;
    const beforeMs = this.#now() - keptMs;
    await this.#inTurns(until, (db) => listDeliveriesBefore(db, beforeMs, removedAtOnce));
    for (const { id } of await this.#store.read(listWebhooks)) {
      await this.#inTurns(until, (db) =>
        listDeliveriesBeyond(db, id, keptPerWebhook, removedAtOnce),
      );
    }
  }

  /** Asked beside everybody's writes: mostly there is nothing to remove, and then none has to wait. */
  async #inTurns(
    until: AbortSignal | undefined,
    list: (db: Db) => Promise<string[]>,
  ): Promise<void> {
    while (until?.aborted !== true) {
      const ids = await this.#store.read(list);
      if (ids.length > 0) {
        await this.#store.write(systemActor, (write) => removeDeliveries(write, ids));
      }
      if (ids.length < this.#rules.removedAtOnce) return;
      await pause(housekeepingPauseMs);
    }
  }

  async #runAlone(signal: AbortSignal): Promise<void> {
    try {
      await this.run(signal);
    } catch (error) {
      this.#log.warn(
        { event: 'delivery_retention_failed', err: error },
        'old webhook deliveries could not be removed; tried again',
      );
    }
  }
}
