/**
 * Counts the most frequent items of a stream in bounded memory. Pure.
 *
 * The algorithm is that of Misra and Gries ("Finding repeated elements", Science of Computer Programming 2, 1982), with many
 * decrements done at once by the median of the counters (Anderson et al., "A High-Performance Algorithm for Identifying
 * Frequent Items in Data Streams", IMC 2017, doi:10.1145/3131365.3131407), so that an update takes constant time on average,
 * whatever the stream. With k counters and a stream of N:
 *
 * - a count is never too large, and too small by no more than `offset`;
 * - `offset` is at most 2N/(k + 1): each purge lowers at least (k + 1)/2 counters by what it adds to the offset, and all
 *   counters together were never raised by more than N;
 * - so every item with more than 2N/(k + 1) occurrences is there.
 *
 * The same holds of merged sketches and the sum of their streams (Agarwal et al., "Mergeable Summaries", PODS 2012).
 */

/** One item as it was counted. */
export interface CountedItem {
  readonly item: string;
  /** A lower bound. */
  readonly count: number;
  /** The latest time that it was added with. */
  readonly lastMs: number;
}

interface Counter {
  count: number;
  lastMs: number;
}

export class FrequentItems {
  readonly #countersMax: number;
  readonly #counters = new Map<string, Counter>();
  #offset = 0;

  /** @param countersMax k: how many items are kept */
  constructor(countersMax: number) {
    this.#countersMax = countersMax;
  }

  /** How many occurrences a count may lack, and an item that is not kept may have had. */
  get offset(): number {
    return this.#offset;
  }

  get size(): number {
    return this.#counters.size;
  }

  /** @param atMs milliseconds since the epoch */
  add(item: string, count: number, atMs: number): void {
    const counter = this.#counters.get(item);
    if (counter !== undefined) {
      counter.count += count;
      if (atMs > counter.lastMs) counter.lastMs = atMs;
      return;
    }
    this.#counters.set(item, { count, lastMs: atMs });
    if (this.#counters.size > this.#countersMax) this.#purge();
  }

  /** Adds what another sketch has counted. */
  merge(items: Iterable<CountedItem>, offset: number): void {
    this.#offset += offset;
    for (const { item, count, lastMs } of items) this.add(item, count, lastMs);
  }

  *items(): Generator<CountedItem> {
    for (const [item, { count, lastMs }] of this.#counters) yield { item, count, lastMs };
  }

  clear(): void {
    this.#counters.clear();
    this.#offset = 0;
  }

  /** Lowers every counter by their median, which removes at least half of them. */
  #purge(): void {
    const counts = Float64Array.from(this.#counters.values(), ({ count }) => count).sort();
    const median = counts[Math.floor((counts.length - 1) / 2)] ?? 0;
    this.#offset += median;
    for (const [item, counter] of this.#counters) {
      if (counter.count <= median) this.#counters.delete(item);
      else counter.count -= median;
    }
  }
}
