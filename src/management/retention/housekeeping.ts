/** Runs housekeeping in the background, and when somebody asks; one run at a time. */
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { housekeepingEveryMs, housekeepingFirstMs } from '../limits.js';
import type { Store } from '../store/store.js';
import { type Actor, systemActor } from '../store/unit-of-work.js';
import { type Removed, type RetentionRules, runHousekeeping } from './housekeeping-run.js';

export interface HousekeepingParts {
  readonly store: Store;
  readonly rules: RetentionRules;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface HousekeepingOptions {
  readonly actor: Actor;
  readonly rules: RetentionRules;
  readonly dryRun: boolean;
  /** Ends it early; what is left is for another run. Null: it goes on until it is done. */
  readonly msMax: number | null;
}

export interface HousekeepingResult {
  readonly removed: Removed;
  /** Nothing is left that the rules let go. */
  readonly finished: boolean;
}

export class Housekeeping {
  readonly #parts: HousekeepingParts;
  readonly #closing = new AbortController();
  readonly #rounds: PeriodicJob;
  #running: Promise<unknown> | null = null;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
    this.#rounds = new PeriodicJob((signal) => this.#runAlone(signal), {
      firstMs: housekeepingFirstMs,
      everyMs: housekeepingEveryMs,
    });
  }

  get rules(): RetentionRules {
    return this.#parts.rules;
  }

  /** From now on it runs by itself. */
  start(): void {
    this.#rounds.start();
  }

  /** Runs by itself no more: resolves when such a run has ended, after its present write. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  /**
   * Runs now, whether it is started or not. Null: a run is under way already.
   * @param until ends it early, too
   * @throws StoreUnavailable
   */
  async run(wish: HousekeepingOptions, until?: AbortSignal): Promise<HousekeepingResult | null> {
    if (this.#running !== null) return null;
    const { store, now, log } = this.#parts;
    const { actor, rules, dryRun, msMax } = wish;
    const ends = [this.#closing.signal];
    if (until !== undefined) ends.push(until);
    if (msMax !== null) ends.push(AbortSignal.timeout(msMax));
    const signal = AbortSignal.any(ends);
    const run = runHousekeeping({ store, rules, actor, dryRun, nowMs: now(), signal });
    this.#running = run;
    try {
      const removed = await run;
      if (!dryRun && Object.values(removed).some((count) => count > 0)) {
        log.info(
          { event: 'housekeeping_done', removed },
          'what retention does not keep was removed',
        );
      }
      return { removed, finished: !signal.aborted };
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when no run is under way any more; one that is ends after its present write. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#rounds.stop();
    await this.#running?.catch(() => undefined);
  }

  async #runAlone(signal: AbortSignal): Promise<void> {
    const { rules, log } = this.#parts;
    try {
      await this.run({ actor: systemActor, rules, dryRun: false, msMax: null }, signal);
    } catch (error) {
      log.warn(
        { event: 'housekeeping_failed', err: error },
        'housekeeping could not be done; it is tried again later',
      );
    }
  }
}
