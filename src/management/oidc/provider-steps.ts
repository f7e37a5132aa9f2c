/** Limits how often browsers go to the OpenID provider and come back: each costs it requests. */
import { LRUCache } from 'lru-cache';
import { addressRange } from '../http/auth/address-range.js';
import { TokenBucket } from '../http/auth/token-bucket.js';
import {
  providerStepAddressesMax,
  providerStepsAtOnceMax,
  providerStepsAtOnceMaxOverall,
  providerStepsPerSecondMax,
  providerStepsPerSecondMaxOverall,
} from '../limits/sessions.js';

export class ProviderSteps {
  readonly #addresses = new LRUCache<string, TokenBucket>({ max: providerStepAddressesMax });
  readonly #overall: TokenBucket;

  constructor(nowMs: number) {
    const [atOnce, perSecond] = [providerStepsAtOnceMaxOverall, providerStepsPerSecondMaxOverall];
    this.#overall = new TokenBucket(atOnce, perSecond, nowMs);
  }

  /** Call it once per step: it counts those that it admits. */
  take(address: string, nowMs: number): boolean {
    const range = addressRange(address);
    const bucket =
      this.#addresses.get(range) ??
      new TokenBucket(providerStepsAtOnceMax, providerStepsPerSecondMax, nowMs);
    this.#addresses.set(range, bucket);
    // An address that has none left takes nothing from the others.
    return bucket.take(nowMs) && this.#overall.take(nowMs);
  }
}
