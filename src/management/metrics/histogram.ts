/** Counts durations in buckets, in numbers that are there from the start: noting one allocates nothing. */
import type { Metric } from './definition.js';

/** A histogram as it stands, or one series of it. */
export interface HistogramCounts {
  readonly labels: Readonly<Record<string, string | number>>;
  /** Upper bounds of the buckets, seconds. */
  readonly boundsSeconds: readonly number[];
  /** In each bucket, and one more: above the last bound. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

/** Of the control process. */
export interface HistogramReading extends HistogramCounts {
  readonly metric: Metric;
}

export class Histogram {
  readonly #metric: Metric;
  readonly #boundsSeconds: readonly number[];
  readonly #counts: Float64Array;
  #sumSeconds = 0;

  /** @param boundsSeconds upper bounds of its buckets, ascending */
  constructor(metric: Metric, boundsSeconds: readonly number[]) {
    this.#metric = metric;
    this.#boundsSeconds = boundsSeconds;
    this.#counts = new Float64Array(boundsSeconds.length + 1);
  }

  note(seconds: number): void {
    let bucket = 0;
    while (bucket < this.#boundsSeconds.length && seconds > (this.#boundsSeconds[bucket] ?? 0)) {
      bucket += 1;
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumSeconds += seconds;
  }

  read(): HistogramReading {
    return {
      metric: this.#metric,
      labels: {},
      boundsSeconds: this.#boundsSeconds,
      counts: [...this.#counts],
      sumSeconds: this.#sumSeconds,
    };
  }
}

/** Seconds: from an edit of a small text to a large import, or to an edit that waits for a process that hangs (15 s). */
export const editBoundsSeconds: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
