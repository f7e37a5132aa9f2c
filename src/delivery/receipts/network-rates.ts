/** How many requests each client network may make: a token bucket for each, and a bound on how many are remembered. */

interface Bucket {
  allowance: number;
  countedAtMs: number;
}

export interface NetworkRate {
  /** Requests at once. */
  readonly burst: number;
  readonly perSecond: number;
  /** Networks that are remembered; the one that was seen first gives way. */
  readonly networksMax: number;
}

export class NetworkRates {
  readonly #rate: NetworkRate;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: NetworkRate) {
    this.#rate = rate;
  }

  /**
   * Counts a request.
   * @param network see `ClientNetworks`
   * @param nowMs performance.now()
   * @returns whether the network may make it
   */
  allows(network: string, nowMs: number): boolean {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(network) ?? this.#add(network, nowMs);
    const refill = (Math.max(0, nowMs - bucket.countedAtMs) / 1000) * perSecond;
    bucket.allowance = Math.min(burst, bucket.allowance + refill);
    bucket.countedAtMs = nowMs;
    if (bucket.allowance < 1) return false;
    bucket.allowance -= 1;
    return true;
  }

  #add(network: string, nowMs: number): Bucket {
    if (this.#buckets.size >= this.#rate.networksMax) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    const bucket = { allowance: this.#rate.burst, countedAtMs: nowMs };
    this.#buckets.set(network, bucket);
    return bucket;
  }
}
