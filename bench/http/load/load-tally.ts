/** Counts what one load run is answered, whichever way the load is made. */
import { LatencyHistogram } from '../../measure/latency-histogram.js';
import type { LoadResult } from './load-plan.js';

export class LoadTally {
  readonly #latencies = new LatencyHistogram();
  readonly #refusalLatencies = new LatencyHistogram();
  readonly #statuses: Record<string, number> = {};
  readonly #startedAt = performance.now();
  answers = 0;
  mismatches = 0;
  errors = 0;
  unsent = 0;
  unanswered = 0;

  answered(status: number, milliseconds: number, matched: boolean): void {
    this.answers += 1;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status !== 200) {
      this.#refusalLatencies.record(milliseconds * 1000);
      return;
    }
    this.#latencies.record(milliseconds * 1000);
    if (!matched) this.mismatches += 1;
  }

  result(): LoadResult {
    const { answers, mismatches, errors, unsent, unanswered } = this;
    return {
      seconds: (performance.now() - this.#startedAt) / 1000,
      answers,
      statuses: this.#statuses,
      mismatches,
      errors,
      unsent,
      unanswered,
      latencies: this.#latencies.counts(),
      refusalLatencies: this.#refusalLatencies.counts(),
    };
  }
}
