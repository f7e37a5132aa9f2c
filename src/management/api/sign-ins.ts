/** Slows down who signs in again and again with a token that is right. Knows tokens by their ids only. */
import { LRUCache } from 'lru-cache';
import { signInsAtOnceMax } from '../../contract/limits.js';
import { signInsPerSecondMax, signInTokensMax } from '../limits.js';
import { TokenBucket } from './token-bucket.js';

export class SignIns {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: signInTokensMax });

  /**
   * To be asked once for each sign-in, which it counts when it lets it in.
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
