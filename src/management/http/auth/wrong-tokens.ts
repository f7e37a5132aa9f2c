/**
 * Slows down guessing of tokens: counts wrong ones per address and overall, and says when the next may be tried.
 * It keeps no token, only the hashes of those that were right lately.
 */
import { LRUCache } from 'lru-cache';
import {
  rightTokensRememberedMax,
  wrongTokenAddressesMax,
  wrongTokenRowsAtOnceMax,
  wrongTokenRowsPerSecondMax,
  wrongTokensAtOnceMax,
  wrongTokensAtOnceMaxOverall,
  wrongTokensAudited,
  wrongTokensPerSecondMax,
  wrongTokensPerSecondMaxOverall,
} from '../../limits/sessions.js';
import { addressRange } from './address-range.js';
import { TokenBucket } from './token-bucket.js';

export interface WrongTokenLimits {
  readonly atOnceMax: number;
  readonly atOnceMaxOverall: number;
}

export const defaultWrongTokenLimits: WrongTokenLimits = {
  atOnceMax: wrongTokensAtOnceMax,
  atOnceMaxOverall: wrongTokensAtOnceMaxOverall,
};

/** One address, or one network of IPv6. */
interface Source {
  readonly bucket: TokenBucket;
  /** Wrong tokens since it was quiet. */
  count: number;
}

export class WrongTokens {
  readonly #limits: WrongTokenLimits;
  readonly #sources = new LRUCache<string, Source>({ max: wrongTokenAddressesMax });
  readonly #right = new LRUCache<string, true>({ max: rightTokensRememberedMax });
  readonly #overall: TokenBucket;
  readonly #rows: TokenBucket;

  constructor(limits: WrongTokenLimits, nowMs: number) {
    this.#limits = limits;
    this.#overall = new TokenBucket(limits.atOnceMaxOverall, wrongTokensPerSecondMaxOverall, nowMs);
    this.#rows = new TokenBucket(wrongTokenRowsAtOnceMax, wrongTokenRowsPerSecondMax, nowMs);
  }

  /**
   * Whether the token of this hash was right lately. Then it is looked up whatever others did from the same address:
   * behind a proxy or a router, one person who guesses tokens must not lock everyone out.
   */
  wasRight(hash: string): boolean {
    return this.#right.has(hash);
  }

  /**
   * To be asked before a token is looked up that was not right lately. It counts as wrong until it turns out right,
   * so that a thousand guesses at the same time are not all let through.
   * @returns seconds until this address may try; 0: it may now
   */
  secondsToWait(address: string, nowMs: number): number {
    const source = this.#sourceOf(address, nowMs);
    const seconds = Math.max(
      source.bucket.secondsToWait(nowMs),
      this.#overall.secondsToWait(nowMs),
    );
    if (seconds > 0) return seconds;
    if (source.bucket.isFull(nowMs)) source.count = 0;
    source.bucket.take(nowMs);
    this.#overall.take(nowMs);
    return 0;
  }

  /** The token that this address was let try turned out right. */
  noteRight(address: string, hash: string, nowMs: number): void {
    this.#right.set(hash, true);
    this.#sourceOf(address, nowMs).bucket.giveBack();
    this.#overall.giveBack();
  }

  /** @returns how many wrong ones came in one series, when the audit should record it now; else 0 */
  noteWrong(address: string, hash: string, nowMs: number): number {
    this.#right.delete(hash);
    const source = this.#sourceOf(address, nowMs);
    source.count += 1;
    return source.count === wrongTokensAudited && this.#rows.take(nowMs) ? source.count : 0;
  }

  #sourceOf(address: string, nowMs: number): Source {
    const range = addressRange(address);
    return this.#sources.get(range) ?? this.#newSource(range, nowMs);
  }

  #newSource(range: string, nowMs: number): Source {
    const bucket = new TokenBucket(this.#limits.atOnceMax, wrongTokensPerSecondMax, nowMs);
    const source: Source = { bucket, count: 0 };
    this.#sources.set(range, source);
    return source;
  }
}
