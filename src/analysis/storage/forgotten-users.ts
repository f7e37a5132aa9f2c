/**
 * Users who were forgotten while events of theirs may have been on the way: in a file that a process still writes, on another
 * server, or in a client's queue that the server has received already. What was received before is stored no more (D97).
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLine } from '../../published/event-line.js';

export interface ForgottenUser {
  readonly environment: string;
  /** Hash of the user id, which itself is not kept. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Event files are stored within minutes; those that wait longer were rewritten when the user was forgotten. */
const keptMs = 24 * 3_600_000;

export function forgottenHash(u: string): string {
  return createHash('sha256').update(u).digest('hex');
}

export class ForgottenUsers {
  readonly #byUser: ReadonlyMap<string, number>;

  constructor(users: readonly ForgottenUser[]) {
    this.#byUser = new Map(
      users.map(({ environment, hash, at }) => [`${environment}/${hash}`, at]),
    );
  }

  /** The event is of a user who was forgotten after it was received. */
  has({ env, u, r }: EventLine): boolean {
    if (this.#byUser.size === 0) return false;
    const at = this.#byUser.get(`${env}/${forgottenHash(u)}`);
    return at !== undefined && r <= at;
  }
}

/** The list of one server, in a file of the folder of events. */
export class ForgottenFile {
  readonly #path: string;

  constructor(events: string) {
    this.#path = join(events, 'forgotten.json');
  }

  read(): readonly ForgottenUser[] {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as ForgottenUser[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  add(user: ForgottenUser): void {
    const others = this.read().filter(
      ({ environment, hash }) => environment !== user.environment || hash !== user.hash,
    );
    this.#write([...others, user]);
  }

  /** Removes those of whom nothing can be on the way any more. No event file waits. */
  forgetOld(nowMs: number): void {
    const users = this.read();
    const kept = users.filter(({ at }) => at > nowMs - keptMs);
    if (kept.length === 0 && users.length > 0) rmSync(this.#path, { force: true });
    else if (kept.length < users.length) this.#write(kept);
  }

  #write(users: readonly ForgottenUser[]): void {
    const scratch = `${this.#path}.new`;
    writeFileSync(scratch, JSON.stringify(users), { flush: true });
    renameSync(scratch, this.#path);
  }
}
