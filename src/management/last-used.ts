/** Remembers which keys, tokens and sessions were used, and writes it to the store now and then: never on the path of a request. */
import type { Logger } from 'pino';
import { lastUsedPerWriteMax, lastUsedRememberedMax, sessionUseEveryMsMax } from './limits.js';
import { writeLastUsed } from './store/last-used.js';
import type { Store } from './store/store.js';
import { systemActor } from './store/write.js';

export class LastUsed {
  readonly #store: Pick<Store, 'write'>;
  readonly #log: Pick<Logger, 'warn'>;
  /** What is not written yet: milliseconds since the epoch. */
  readonly #keys = new Map<string, number>();
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  #sessionsDueMs = 0;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  /** @param everyMs how long a use may stay unwritten */
  constructor(store: Pick<Store, 'write'>, log: Pick<Logger, 'warn'>, everyMs: number) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), everyMs).unref();
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

  /** When the session was used last, if that is not written yet. */
  sessionUsedAt(id: string): number | undefined {
    return this.#sessions.get(id);
  }

  /** Writes what was noted. What cannot be written now (the disk is full) is kept for the next time. */
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
    while (this.#keys.size + this.#tokens.size + this.#sessions.size > 0) {
      const sessions = take(this.#sessions, lastUsedPerWriteMax);
      const keys = take(this.#keys, lastUsedPerWriteMax - sessions.length);
      const tokens = take(this.#tokens, lastUsedPerWriteMax - sessions.length - keys.length);
      try {
        await this.#store.write(systemActor, (write) =>
          writeLastUsed(write, keys, tokens, sessions),
        );
      } catch (error) {
        for (const [hash, atMs] of keys) note(this.#keys, hash, atMs);
        for (const [id, atMs] of tokens) note(this.#tokens, id, atMs);
        for (const [id, atMs] of sessions) note(this.#sessions, id, atMs);
        this.#log.warn({ err: error }, 'when keys were used cannot be written; it is tried again');
        return;
      }
    }
  }
}

function note(used: Map<string, number>, name: string, atMs: number): void {
  const known = used.get(name);
  if (known === undefined && used.size >= lastUsedRememberedMax) return;
  if (known === undefined || known < atMs) used.set(name, Math.trunc(atMs));
}

function take(used: Map<string, number>, count: number): [string, number][] {
  const taken: [string, number][] = [];
  for (const entry of used) {
    if (taken.length >= count) break;
    taken.push(entry);
    used.delete(entry[0]);
  }
  return taken;
}
