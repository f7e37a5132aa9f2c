/** Forgets deliveries that are too old or too many: in the background, a few at a time, so that no edit waits for it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  deliveriesKeptMax,
  deliveriesKeptMs,
  deliveriesPruneEveryMs,
  deliveriesRemovedAtOnce,
  housekeepingPauseMs,
} from '../limits.js';
import type { Store } from '../store/store.js';
import { removeDeliveriesBefore, removeDeliveriesBeyond } from '../store/webhook-deliveries.js';
import { listWebhooks } from '../store/webhooks.js';
import { systemActor, type Write } from '../store/write.js';

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
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

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
  }

  /** From now on it runs by itself. */
  start(): void {
    this.#timer = setInterval(() => this.#runAlone(), deliveriesPruneEveryMs).unref();
    this.#runAlone();
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  /**
   * Removes what is too old, waiting or not, and of each webhook the oldest of what is too many.
   * @throws StoreUnavailable
   */
  async run(): Promise<void> {
    const { keptMs, keptPerWebhook, removedAtOnce } = this.#rules;
    const beforeMs = this.#now() - keptMs;
    await this.#inTurns((write) => removeDeliveriesBefore(write, beforeMs, removedAtOnce));
    for (const { id } of await this.#store.read(listWebhooks)) {
      await this.#inTurns((write) =>
        removeDeliveriesBeyond(write, id, keptPerWebhook, removedAtOnce),
      );
    }
  }

  async #inTurns(remove: (write: Write) => Promise<number>): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const { value: removed } = await this.#store.write(systemActor, remove);
      if (removed < this.#rules.removedAtOnce) return;
      await pause(housekeepingPauseMs);
    }
  }

  #runAlone(): void {
    this.#running = this.run().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'old webhook deliveries could not be removed; tried again'),
    );
  }
}
