/** Limits how often one valid token may sign in. Tokens are known by their ids only. */
import { LRUCache } from 'lru-cache';
import { signInsAtOnceMax, signInsPerSecondMax } from '../../contract/limits.js';
import { TokenBucket } from '../http/auth/token-bucket.js';
import { signInTokensMax } from '../limits/sessions.js';

export class SignIns {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: signInTokensMax });

  /**
   * Call it once per sign-in: it counts those that it admits.
   * @returns seconds until this token may sign in; 0: it may now
   */
  secondsToWait(tokenId: string, nowMs: number): number {
    const bucket = this.#buckets.get(tokenId) ?? this.#newBucket(tokenId, nowMs);
    return bucket.take(nowMs) ? 0 : bucket.secondsToWait(nowMs);
  }

  #newBucket(tokenId: string, nowMs: number): TokenBucket {
    const bucket = new TokenBucket(signInsAtOnceMax, signInsPerSecondMax, nowMs);
    this.#buckets.set(tokenId, bucket);
    return bucket;
  }
}
