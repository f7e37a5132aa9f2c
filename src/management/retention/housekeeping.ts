/** Runs housekeeping in the background and on request, one run at a time. */
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { housekeepingEveryMs, housekeepingFirstMs } from '../limits/housekeeping.js';
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
  readonly #job: PeriodicJob;
  #running: Promise<unknown> | null = null;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
    this.#job = new PeriodicJob((signal) => this.#runAlone(signal), {
      firstMs: housekeepingFirstMs,
      everyMs: housekeepingEveryMs,
      log: parts.log,
      event: 'housekeeping_failed',
      failed: 'housekeeping could not be done; it is tried again later',
    });
  }

  get rules(): RetentionRules {
    return this.#parts.rules;
  }

  /** Runs by itself from now on. */
  start(): void {
    this.#job.start();
  }

  /** Resolves when a run that it began by itself has ended, after its present write. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /**
   * Runs now, whether it is started or not. Null: a run is under way already.
   * @param until ends it early as well
   * @throws StoreUnavailable
   */
  async run(options: HousekeepingOptions, until?: AbortSignal): Promise<HousekeepingResult | null> {
    if (this.#running !== null) return null;
    const { store, now, log } = this.#parts;
    const { actor, rules, dryRun, msMax } = options;
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

  /** Resolves when no run is under way; the present one ends after its present write. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#job.stop();
    await this.#running?.catch(() => undefined);
  }

  async #runAlone(signal: AbortSignal | undefined): Promise<void> {
    const { rules } = this.#parts;
    await this.run({ actor: systemActor, rules, dryRun: false, msMax: null }, signal);
  }
}
