/** Collects the names of attributes that delivery processes saw in requests, and writes them to the store now and then (D67). */
import type { Logger } from 'pino';
import type { SeenAttributes } from '../../published/barrier.js';
import { seenAttributesMax, seenEnvironmentsMax } from '../limits.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { listSeenAttributes, type SeenNames, writeSeenAttributes } from './rows.js';

const dayMs = 24 * 3_600_000;

export class AttributesSeen {
  readonly #store: Pick<Store, 'read' | 'write'>;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  /** What is not committed yet, by environment. */
  readonly #noted = new Map<string, Map<string, number>>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

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
    this.#log = log;
    this.#now = now;
    this.#timer = setInterval(() => void this.write(), everyMs).unref();
  }

  /** Requests carried them a moment ago. What does not fit is reported again the next day. */
  note(seen: SeenAttributes): void {
    const nowMs = this.#now();
    const day = nowMs - (nowMs % dayMs);
    for (const [environment, names] of seen) {
      const noted = this.#noted.get(environment) ?? new Map<string, number>();
      if (noted.size === 0 && this.#noted.size >= seenEnvironmentsMax) continue;
      this.#noted.set(environment, noted);
      for (const name of names) {
        if (noted.size < seenAttributesMax || noted.has(name)) noted.set(name, day);
      }
    }
  }

  /** Writes what was noted. What cannot be written now is kept for the next time. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  async #writeAll(): Promise<void> {
    for (const [environment, noted] of [...this.#noted]) {
      const names = new Map(noted);
      try {
        await this.#writeNames(environment, names);
      } catch (error) {
        this.#log.warn(
          { event: 'seen_attributes_failed', err: error },
          'the names of attributes that requests carry cannot be written; it is tried again',
        );
        return;
      }
      for (const [name, day] of names) if (noted.get(name) === day) noted.delete(name);
      if (noted.size === 0) this.#noted.delete(environment);
    }
  }

  /** Another delivery process or server mostly said so before: then nobody has to wait for a write. */
  async #writeNames(environment: string, names: SeenNames): Promise<void> {
    const known = await this.#store.read((db) => listSeenAttributes(db, environment, this.#now()));
    const fresh = new Map([...names].filter(([name, day]) => (known.get(name) ?? 0) < day));
    if (fresh.size === 0) return;
    await this.#store.write(systemActor, (write) => writeSeenAttributes(write, environment, fresh));
  }
}
