/** Forgets names of attributes that no request has carried for long: in the background, a few at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  housekeepingPauseMs,
  seenAttributesKeptMs,
  seenAttributesPerRemoval,
  seenAttributesPruneEveryMs,
} from '../limits.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { forgetAttributes, listForgottenAttributes } from './rows.js';

export class SeenAttributeRetention {
  readonly #store: Store;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  readonly #rounds: PeriodicJob;

  /** @param now milliseconds since the epoch */
  constructor(store: Store, log: Pick<Logger, 'warn'>, now: () => number) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    this.#rounds = new PeriodicJob((signal) => this.#runAlone(signal), {
      firstMs: 0,
      everyMs: seenAttributesPruneEveryMs,
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
   * @param until ends it after its present write
   * @throws StoreUnavailable
   */
  async run(until?: AbortSignal): Promise<void> {
    const beforeMs = this.#now() - seenAttributesKeptMs;
    while (until?.aborted !== true) {
      const old = await this.#store.read((db) =>
        listForgottenAttributes(db, beforeMs, seenAttributesPerRemoval),
      );
      if (old.length === 0) return;
      await this.#store.write(systemActor, async (write) => {
        for (const environment of new Set(old.map((row) => row.environment))) {
          const rows = old.filter((row) => row.environment === environment);
          const names = rows.map(({ name }) => name);
          await forgetAttributes(write, environment, names, beforeMs);
        }
      });
      await pause(housekeepingPauseMs);
    }
  }

  async #runAlone(signal: AbortSignal): Promise<void> {
    try {
      await this.run(signal);
    } catch (error) {
      this.#log.warn(
        { event: 'attribute_retention_failed', err: error },
        'names of attributes that no request carries any more could not be removed; tried again',
      );
    }
  }
}
