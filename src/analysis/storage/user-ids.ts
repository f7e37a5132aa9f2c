/**
 * User ids as rows have them: as the client sent them, or their keyed hashes. Without the key, no hash can be traced to a
 * user id that is only known or guessed: whoever deletes it anonymises what is stored (D97).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface UserIds {
  /** The id as rows have it. */
  idOf(u: string): string;
}

export const plainIds: UserIds = { idOf: (u) => u };

/** Of HMAC-SHA256: 128 bits are enough to keep 10^12 users apart. */
const hexChars = 32;
const keyBytes = 32;
/** Users of a batch come back within it. */
const rememberedMax = 100_000;

export class HashedIds implements UserIds {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, string>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  idOf(u: string): string {
    const known = this.#known.get(u);
    if (known !== undefined) return known;
    if (this.#known.size >= rememberedMax) this.#known.clear();
    const id = createHmac('sha256', this.#key).update(u).digest('hex').slice(0, hexChars);
    this.#known.set(u, id);
    return id;
  }
}

/** A new key, as hexadecimal text. */
export function newIdKey(): string {
  return randomBytes(keyBytes).toString('hex');
}

/**
 * The key that is kept in the folder of events, made where there is none.
 * @returns hexadecimal text
 */
export function idKeyOf(events: string): string {
  const path = join(events, 'id-key');
  const scratch = `${path}.new`;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(scratch, `${newIdKey()}\n`, { mode: 0o600, flush: true });
  try {
    // Whole or not at all, and never in the place of another key.
    linkSync(scratch, path);
  } finally {
    rmSync(scratch, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}
