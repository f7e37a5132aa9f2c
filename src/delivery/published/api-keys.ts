/** Tells which environment an API key belongs to, hashing each key once, and keeps each key's rate and last use. */
import { digestOf } from '../../content/hash.js';
import type { KeyUse } from '../../published/barrier.js';
import { keyCharactersMax, keysVerifiedMax } from '../limits.js';
import { type Problem, problems } from '../problems.js';
import type { PublishedIndex, ServedEnvironment, ServedKey } from './published-index.js';

/** What a token is admitted as. */
export interface AdmittedId {
  /** SHA-256 of the key's text, lower-case hex. */
  readonly hash: string;
  readonly environment: ServedEnvironment;
}

/** A key that was good when it was seen last. */
class VerifiedKey {
  readonly hash: string;
  readonly served: ServedKey;
  /** Requests it may make at once: a second's worth, refilled as time passes. */
  allowance: number;
  countedAtMs: number;
  /** -Infinity: not since it was reported last. Never a small integer, so that V8 stores a double in place. */
  usedAtMs = Number.NEGATIVE_INFINITY;

  constructor(hash: string, served: ServedKey, allowance: number, nowMs: number) {
    this.hash = hash;
    this.served = served;
    this.allowance = allowance;
    this.countedAtMs = nowMs;
  }
}

export class ApiKeys {
  readonly #index: PublishedIndex;
  readonly #rateMax: number;
  /** By the key's text. Only valid keys are remembered, so a flood of guesses evicts none. */
  #verified = new Map<string, VerifiedKey>();
  /** The same by the key's hash: a key has one rate, by whatever it is admitted. */
  #byHash = new Map<string, VerifiedKey>();
  /** The state of the keys that both are of. */
  #keysVersion = -1;
  /** Keys that were forgotten to make room for others: they are hashed again. */
  evictions = 0;
  /** Hashes by their first digits, and the state of the keys that they are of. */
  #hashes = new Map<string, string>();
  #hashesVersion = -1;
  /** The key that was found missing last, and its hash: it is rejected, and counted, in the same turn. */
  #missed = { key: '', hash: '' };
  /** Uses of keys that `#byHash` forgot before they were reported. */
  readonly #usedBefore = new Map<string, number>();

  /** @param rateMax requests per second of one key on this listener, or null: no limit */
  constructor(index: PublishedIndex, rateMax: number | null) {
    this.#index = index;
    this.#rateMax = rateMax ?? Number.POSITIVE_INFINITY;
  }

  /**
   * The environment of a game's key, or why it gets none: missing, unknown, revoked, expired, for events only, or over its
   * rate.
   */
  admit(key: string, nowMs: number): ServedEnvironment | Problem {
    const verified = this.#find(key, nowMs);
    if (verified === null || verified.served.purpose !== 'game') return problems.keyInvalid;
    const problem = this.#use(verified, nowMs);
    return problem ?? verified.served.environment;
  }

  /** The same of a key that sends events, whatever its purpose. */
  admitForEvents(key: string, nowMs: number): ServedKey | Problem {
    const verified = this.#find(key, nowMs);
    if (verified === null) return problems.keyInvalid;
    return this.#use(verified, nowMs) ?? verified.served;
  }

  /** Keys that were let in since this was asked last, and when each was last. */
  takeUsed(): KeyUse[] {
    this.#keepUses();
    const used = [...this.#usedBefore];
    this.#usedBefore.clear();
    return used;
  }

  /** The state of all keys; what was admitted under another must be looked at again. */
  get version(): number {
    return this.#index.keysVersion;
  }

  /**
   * A key by the first digits of its hash, as a token has it.
   * @param id 16 digits; two keys never have the same
   * @returns why it gets none, otherwise: revoked, expired, or over its rate
   */
  admitId(id: string, nowMs: number): AdmittedId | Problem {
    if (this.#keysVersion !== this.#index.keysVersion) this.#forget();
    if (this.#hashesVersion !== this.#index.keysVersion) {
      this.#hashes = new Map();
      for (const hash of this.#index.keyHashes) this.#hashes.set(hash.slice(0, id.length), hash);
      this.#hashesVersion = this.#index.keysVersion;
    }
    const hash = this.#hashes.get(id);
    const verified = hash === undefined ? null : this.#ofHash(hash, nowMs);
    if (verified === null) return problems.keyInvalid;
    const problem = this.#use(verified, nowMs);
    return problem ?? { hash: verified.hash, environment: verified.served.environment };
  }

  /** SHA-256 of a key's text, lower-case hex: one that was admitted, or rejected just now, is hashed already. */
  hashOf(key: string): string {
    if (key === this.#missed.key) return this.#missed.hash;
    return this.#verified.get(key)?.hash ?? digestOf(key);
  }

  /** The environment of a key that was admitted before an edit; null: it is good no longer. */
  renew(key: string, nowMs: number): ServedEnvironment | null {
    const verified = this.#find(key, nowMs);
    return verified === null ? null : verified.served.environment;
  }

  #find(key: string, nowMs: number): VerifiedKey | null {
    if (this.#keysVersion !== this.#index.keysVersion) this.#forget();
    return this.#verified.get(key) ?? this.#verify(key, nowMs);
  }

  #verify(key: string, nowMs: number): VerifiedKey | null {
    if (key === '' || key.length > keyCharactersMax) return null;
    const hash = digestOf(key);
    const verified = this.#ofHash(hash, nowMs);
    if (verified !== null) this.#verified.set(key, verified);
    else this.#missed = { key, hash };
    return verified;
  }

  #ofHash(hash: string, nowMs: number): VerifiedKey | null {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const served = this.#index.key(hash);
    if (served === undefined) return null;
    if (this.#byHash.size >= keysVerifiedMax) {
      this.evictions += this.#byHash.size;
      this.#clear();
    }
    const verified = new VerifiedKey(hash, served, this.#rateMax, nowMs);
    this.#byHash.set(hash, verified);
    return verified;
  }

  /** Counts a request. @returns why the key may not make it, or null */
  #use(verified: VerifiedKey, nowMs: number): Problem | null {
    if (nowMs >= verified.served.expiresAtMs) return problems.keyInvalid;
    if (this.#rateMax !== Number.POSITIVE_INFINITY && !this.#allows(verified, nowMs)) {
      return problems.rateLimited;
    }
    verified.usedAtMs = nowMs;
    return null;
  }

  /** A token bucket. */
  #allows(verified: VerifiedKey, nowMs: number): boolean {
    const refill = (Math.max(0, nowMs - verified.countedAtMs) / 1000) * this.#rateMax;
    verified.allowance = Math.min(this.#rateMax, verified.allowance + refill);
    verified.countedAtMs = nowMs;
    if (verified.allowance < 1) return false;
    verified.allowance -= 1;
    return true;
  }

  /** Moves the uses out of `#byHash`. What does not fit (keys come and go by the thousand) is not reported. */
  #keepUses(): void {
    for (const verified of this.#byHash.values()) {
      if (verified.usedAtMs === Number.NEGATIVE_INFINITY) continue;
      if (this.#usedBefore.size < keysVerifiedMax || this.#usedBefore.has(verified.hash)) {
        this.#usedBefore.set(verified.hash, verified.usedAtMs);
      }
      verified.usedAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  #forget(): void {
    this.#clear();
    this.#keysVersion = this.#index.keysVersion;
  }

  #clear(): void {
    this.#keepUses();
    this.#verified = new Map();
    this.#byHash = new Map();
  }
}
