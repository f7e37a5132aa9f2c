/** How much each sender may send: a token bucket for each, and a bound on how many are remembered. */

interface Bucket {
  allowance: number;
  countedAtMs: number;
}

export interface RequestRate {
  /** Requests, or what else is counted, at once. */
  readonly burst: number;
  readonly perSecond: number;
  /** Senders that are remembered; the one that was seen first gives way. */
  readonly sendersMax: number;
}

export class RequestRates {
  readonly #rate: RequestRate;
  readonly #buckets = new Map<string, Bucket>();
  /** Stands before the sender that was seen first. A new one would pass by all that gave way before, one by one. */
  readonly #oldest = this.#buckets.keys();

  constructor(rate: RequestRate) {
    this.#rate = rate;
  }

  /**
   * Counts a request.
   * @param sender a client network (see `ClientNetworks`), an API key, or a user
   * @param nowMs performance.now()
   * @param weight what it counts as; more than `burst` counts as that
   * @returns whether the sender may make it
   */
  allows(sender: string, nowMs: number, weight = 1): boolean {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(sender) ?? this.#add(sender, nowMs);
    const refill = (Math.max(0, nowMs - bucket.countedAtMs) / 1000) * perSecond;
    bucket.allowance = Math.min(burst, bucket.allowance + refill);
    bucket.countedAtMs = nowMs;
    const cost = Math.min(weight, burst);
    if (bucket.allowance < cost) return false;
    bucket.allowance -= cost;
    return true;
  }

  #add(sender: string, nowMs: number): Bucket {
    if (this.#buckets.size >= this.#rate.sendersMax) {
      const { value: oldest } = this.#oldest.next();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    const bucket = { allowance: this.#rate.burst, countedAtMs: nowMs };
    this.#buckets.set(sender, bucket);
    return bucket;
  }
}
