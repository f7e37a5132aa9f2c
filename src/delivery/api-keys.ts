/** Tells which environment an API key belongs to, hashing each key once. */
import { LRUCache } from 'lru-cache';
import { digestOf } from '../content/hash.js';
import { keyCharactersMax, keysVerifiedMax } from './limits.js';
import type { PublishedIndex, ServedEnvironment } from './published-index.js';

export class ApiKeys {
  readonly #index: PublishedIndex;
  /** Key text -> its hash: what a key hashes to never changes, whatever becomes of the key. */
  readonly #hashes = new LRUCache<string, string>({ max: keysVerifiedMax });

  constructor(index: PublishedIndex) {
    this.#index = index;
  }

  /** Null: the key is missing, unknown, revoked or expired. */
  environment(key: string, nowMs: number): ServedEnvironment | null {
    if (key === '' || key.length > keyCharactersMax) return null;
    const known = this.#hashes.get(key);
    const hash = known ?? digestOf(key);
    const served = this.#index.key(hash);
    if (served === undefined || nowMs >= served.expiresAtMs) return null;
    // Only keys that are good are remembered: a flood of guesses evicts nobody.
    if (known === undefined) this.#hashes.set(key, hash);
    return served.environment;
  }
}
