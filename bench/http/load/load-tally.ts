/** Counts the responses of one run, however the load is made. */
import { LatencyHistogram } from '../../measure/latency-histogram.js';
import type { LoadResult } from './load-plan.js';

export class LoadTally {
  readonly #latencies = new LatencyHistogram();
  readonly #otherLatencies = new LatencyHistogram();
  readonly #statuses: Record<string, number> = {};
  readonly #startedAt = performance.now();
  responses = 0;
  mismatches = 0;
  errors = 0;
  unsent = 0;
  unanswered = 0;

  count(status: number, milliseconds: number, matched: boolean): void {
    this.responses += 1;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status !== 200) {
      this.#otherLatencies.record(milliseconds * 1000);
      return;
    }
    this.#latencies.record(milliseconds * 1000);
    if (!matched) this.mismatches += 1;
  }

  result(): LoadResult {
    const { responses, mismatches, errors, unsent, unanswered } = this;
    return {
      seconds: (performance.now() - this.#startedAt) / 1000,
      responses,
      statuses: this.#statuses,
      mismatches,
      errors,
      unsent,
      unanswered,
      latencies: this.#latencies.counts(),
      otherLatencies: this.#otherLatencies.counts(),
    };
  }
}
