/** How many requests each sender may make: a token bucket for each, and a bound on how many are remembered. */

interface Bucket {
  allowance: number;
  countedAtMs: number;
}

export interface RequestRate {
  /** Requests at once. */
  readonly burst: number;
  readonly perSecond: number;
  /** Senders that are remembered; the one that was seen first gives way. */
  readonly sendersMax: number;
}

export class RequestRates {
  readonly #rate: RequestRate;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: RequestRate) {
    this.#rate = rate;
  }

  /**
   * Counts a request.
   * @param sender a client network (see `ClientNetworks`), or an API key
   * @param nowMs performance.now()
   * @returns whether the sender may make it
   */
  allows(sender: string, nowMs: number): boolean {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(sender) ?? this.#add(sender, nowMs);
    const refill = (Math.max(0, nowMs - bucket.countedAtMs) / 1000) * perSecond;
    bucket.allowance = Math.min(burst, bucket.allowance + refill);
    bucket.countedAtMs = nowMs;
    if (bucket.allowance < 1) return false;
    bucket.allowance -= 1;
    return true;
  }

  #add(sender: string, nowMs: number): Bucket {
    if (this.#buckets.size >= this.#rate.sendersMax) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    const bucket = { allowance: this.#rate.burst, countedAtMs: nowMs };
    this.#buckets.set(sender, bucket);
    return bucket;
  }
}
