/**
 * Collects the names of attributes that delivery processes saw in requests (D67), and their frequent values (D111), and writes
 * them to the store now and then.
 */
import type { Logger } from 'pino';
import type { SeenTraffic, SeenValues } from '../../published/traffic.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import { seenAttributesMax, seenEnvironmentsMax } from '../limits/evaluation.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { listSeenAttributes, type SeenNames, writeSeenAttributes } from './rows.js';
import { writeSeenValues } from './seen-value-rows.js';

const dayMs = 24 * 3_600_000;

export class AttributesSeen {
  readonly #store: Pick<Store, 'read' | 'write'>;
  readonly #now: () => number;
  /** What is not committed yet, by environment. */
  readonly #noted = new Map<string, Map<string, number>>();
  /** Reports of values that are not committed yet, by environment. */
  readonly #values = new Map<string, readonly SeenValues[]>();
  readonly #job: PeriodicJob;

  /**
   * @param now milliseconds since the epoch
   * @param everyMs how long a name may stay unwritten
   */
  constructor(
    store: Pick<Store, 'read' | 'write'>,
    log: Pick<Logger, 'warn'>,
    now: () => number,
    everyMs: number,
  ) {
    this.#store = store;
    this.#now = now;
    this.#job = new PeriodicJob(() => this.#writeAll(), {
      firstMs: everyMs,
      everyMs,
      log,
      event: 'seen_attributes_failed',
      failed: 'the names of attributes that requests carry cannot be written; it is tried again',
    });
    this.#job.start();
  }

  /** Requests carried them a moment ago. What does not fit is reported again the next day. */
  note(seen: readonly SeenTraffic[]): void {
    const day = this.#day();
    for (const { environment, names, values } of seen) {
      this.#noteValues(environment, values);
      if (names.length === 0) continue;
      const noted = this.#noted.get(environment) ?? new Map<string, number>();
      if (noted.size === 0 && this.#noted.size >= seenEnvironmentsMax) continue;
      this.#noted.set(environment, noted);
      for (const name of names) {
        if (noted.size < seenAttributesMax || noted.has(name)) noted.set(name, day);
      }
    }
  }

  /** What does not fit is lost: the counts of the next hour say the same. */
  #noteValues(environment: string, values: readonly SeenValues[]): void {
    const waiting = this.#values.get(environment) ?? [];
    if (values.length === 0 || waiting.length >= seenAttributesMax) return;
    if (waiting.length === 0 && this.#values.size >= seenEnvironmentsMax) return;
    this.#values.set(environment, [...waiting, ...values]);
  }

  /** Beginning of the day (UTC). */
  #day(): number {
    const nowMs = this.#now();
    return nowMs - (nowMs % dayMs);
  }

  /** Writes what was noted. What cannot be written now is kept for the next time. */
  write(): Promise<void> {
    return this.#job.tryNow();
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    await this.#job.stop();
    await this.write();
  }

  async #writeAll(): Promise<void> {
    for (const [environment, noted] of [...this.#noted]) {
      const names = new Map(noted);
      await this.#writeNames(environment, names);
      for (const [name, day] of names) if (noted.get(name) === day) noted.delete(name);
      if (noted.size === 0) this.#noted.delete(environment);
    }
    for (const [environment, values] of [...this.#values]) {
      const day = this.#day();
      await this.#store.write(systemActor, (write) =>
        writeSeenValues(write, environment, values, day),
      );
      // More may have been reported meanwhile.
      const rest = this.#values.get(environment)?.slice(values.length) ?? [];
      if (rest.length === 0) this.#values.delete(environment);
      else this.#values.set(environment, rest);
    }
  }

  /** Mostly another delivery process or server reported them before: then no write is needed. */
  async #writeNames(environment: string, names: SeenNames): Promise<void> {
    const known = await this.#store.read((db) => listSeenAttributes(db, environment, this.#now()));
    const fresh = new Map([...names].filter(([name, day]) => (known.get(name) ?? 0) < day));
    if (fresh.size === 0) return;
    await this.#store.write(systemActor, (write) => writeSeenAttributes(write, environment, fresh));
  }
}
