/**
 * Latencies counted in logarithmic buckets of 1 % width: autocannon's own histogram counts whole milliseconds, and
 * most responses here take less than one.
 */

/** From 1 µs to 100 s: ln(1e8) / ln(1.01) buckets. Nanoseconds per operation are counted in the same way. */
const bucketCount = 1852;
const bucketRatioLog = Math.log(1.01);

/** What crosses a process boundary: [bucket, count] of those that are not empty. */
export type LatencyCounts = readonly (readonly [bucket: number, count: number])[];

export class LatencyHistogram {
  readonly #counts = new Float64Array(bucketCount);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  record(microseconds: number): void {
    const bucket = Math.ceil(Math.log(Math.max(1, microseconds)) / bucketRatioLog);
    const at = Math.min(bucketCount - 1, bucket);
    this.#counts[at] = this.#counts[at]! + 1;
    this.#total += 1;
  }

  add(counts: LatencyCounts): void {
    for (const [bucket, count] of counts) {
      this.#counts[bucket] = this.#counts[bucket]! + count;
      this.#total += count;
    }
  }

  /** Microseconds that the given share of all responses (0..1) took at most; NaN when there are none. */
  quantile(share: number): number {
    let left = Math.max(1, Math.ceil(this.#total * share));
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      left -= this.#counts[bucket]!;
      if (left <= 0) return Math.exp(bucket * bucketRatioLog);
    }
    return Number.NaN;
  }

  counts(): LatencyCounts {
    const counts: [number, number][] = [];
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      if (this.#counts[bucket]! > 0) counts.push([bucket, this.#counts[bucket]!]);
    }
    return counts;
  }
}

/** The quantile of histograms taken together, as of the rounds of one contender. */
export function mergedHistogram(all: readonly LatencyCounts[]): LatencyHistogram {
  const merged = new LatencyHistogram();
  for (const counts of all) merged.add(counts);
  return merged;
}
