/** Runs housekeeping in the background, and when somebody asks; one run at a time. */
import type { Logger } from 'pino';
import { type Removed, type RetentionRules, runHousekeeping } from './housekeeping-run.js';
import { housekeepingEveryMs, housekeepingFirstMs } from './limits.js';
import type { Store } from './store/store.js';
import { type Actor, systemActor } from './store/write.js';

export interface HousekeepingParts {
  readonly store: Store;
  readonly rules: RetentionRules;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface HousekeepingWish {
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
  #running: Promise<unknown> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  get rules(): RetentionRules {
    return this.#parts.rules;
  }

  /** From now on it runs by itself. */
  start(): void {
    this.#wait(housekeepingFirstMs);
  }

  /**
   * Runs now. Null: a run is under way already.
   * @throws StoreUnavailable
   */
  async run(wish: HousekeepingWish): Promise<HousekeepingResult | null> {
    if (this.#running !== null) return null;
    const { store, now, log } = this.#parts;
    const { actor, rules, dryRun, msMax } = wish;
    const ends = [this.#closing.signal];
    if (msMax !== null) ends.push(AbortSignal.timeout(msMax));
    const signal = AbortSignal.any(ends);
    const run = runHousekeeping({ store, rules, actor, dryRun, nowMs: now(), signal });
    this.#running = run;
    try {
      const removed = await run;
      if (!dryRun && Object.values(removed).some((count) => count > 0)) {
        log.info({ removed }, 'what retention does not keep was removed');
      }
      return { removed, finished: !signal.aborted };
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when no run is under way any more; one that is ends after its present write. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#running?.catch(() => undefined);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void this.#runAlone(), ms).unref();
  }

  async #runAlone(): Promise<void> {
    const { rules, log } = this.#parts;
    try {
      await this.run({ actor: systemActor, rules, dryRun: false, msMax: null });
    } catch (error) {
      log.warn({ err: error }, 'housekeeping could not be done; it is tried again later');
    }
    if (!this.#closing.signal.aborted) this.#wait(housekeepingEveryMs);
  }
}
