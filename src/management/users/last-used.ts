/** Remembers which keys, tokens and sessions were used, and writes it to the store now and then: never on the path of a request (D30). */
import type { Logger } from 'pino';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  lastUsedPerWriteMax,
  lastUsedRememberedMax,
  sessionUseEveryMsMax,
} from '../limits/sessions.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { writeLastUsed } from './last-used-rows.js';

export class LastUsed {
  readonly #store: Pick<Store, 'write'>;
  /** What is not committed yet: milliseconds since the epoch. */
  readonly #keys = new Map<string, number>();
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  #sessionsDueMs = 0;
  readonly #job: PeriodicJob;

  /** @param everyMs how long a use may stay unwritten */
  constructor(store: Pick<Store, 'write'>, log: Pick<Logger, 'warn'>, everyMs: number) {
    this.#store = store;
    this.#job = new PeriodicJob(() => this.#writeAll(), {
      firstMs: everyMs,
      everyMs,
      log,
      event: 'last_used_failed',
      failed: 'when keys were used cannot be written; it is tried again',
    });
    this.#job.start();
  }

  /** @param hash SHA-256 of the key, as a listener reports it */
  key(hash: string, atMs: number): void {
    note(this.#keys, hash, atMs);
  }

  token(id: string, atMs: number): void {
    note(this.#tokens, id, atMs);
  }

  /**
   * Sessions end when they are not used, so their use is written soon, however rarely an operator wants the others to
   * be: a server that is killed must not forget that somebody was at work.
   */
  session(id: string, atMs: number): void {
    note(this.#sessions, id, atMs);
    if (atMs < this.#sessionsDueMs) return;
    this.#sessionsDueMs = atMs + sessionUseEveryMsMax;
    void this.write();
  }

  /** When the session was used last, if that is not committed yet. */
  sessionUsedAt(id: string): number | undefined {
    return this.#sessions.get(id);
  }

  /** Writes what was noted. What cannot be written now (the disk is full) is kept for the next time. */
  write(): Promise<void> {
    return this.#job.tryNow();
  }

  /** Writes the rest. */
  async close(): Promise<void> {
    await this.#job.stop();
    await this.write();
  }

  async #writeAll(): Promise<void> {
    // What is used meanwhile has its turn the next time.
    const allSessions = [...this.#sessions];
    const allKeys = [...this.#keys];
    const allTokens = [...this.#tokens];
    while (allSessions.length + allKeys.length + allTokens.length > 0) {
      const sessions = allSessions.splice(0, lastUsedPerWriteMax);
      const keys = allKeys.splice(0, lastUsedPerWriteMax - sessions.length);
      const tokens = allTokens.splice(0, lastUsedPerWriteMax - sessions.length - keys.length);
      await this.#store.write(systemActor, (write) => writeLastUsed(write, keys, tokens, sessions));
      forget(this.#sessions, sessions);
      forget(this.#keys, keys);
      forget(this.#tokens, tokens);
    }
  }
}

function note(used: Map<string, number>, name: string, atMs: number): void {
  const known = used.get(name);
  if (known === undefined && used.size >= lastUsedRememberedMax) return;
  if (known === undefined || known < atMs) used.set(name, Math.trunc(atMs));
}

/** What was used again since it was read for the write stays. */
function forget(used: Map<string, number>, written: readonly [string, number][]): void {
  for (const [name, atMs] of written) if (used.get(name) === atMs) used.delete(name);
}
