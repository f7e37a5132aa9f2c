/** Rejected requests since the server started, by environment and code: counters that only grow, for `/metrics` (D114). */
import type { RequestReport } from '../../../published/request-report.js';
import { refusedEnvironmentsMax } from '../../limits/experiments.js';
import { type Gauge, type Metric, metric, sample } from '../../metrics/definition.js';

const refused = metric({
  name: 'loadout_environment_refused_total',
  help: 'Rejected requests (4xx and 5xx) by environment and the code of their problem; reported every two seconds. `(none)`: without a key that is served. `(other)`: of environments beyond the first 100.',
  labels: ['environment', 'code'],
});

export const refusedMetrics: readonly Metric[] = [refused];

/** Names that no environment can have. */
const none = '(none)';
const other = '(other)';

export class RefusedCounts {
  readonly #environmentsMax: number;
  /** By environment, then by code. The codes are known in advance: no client makes any up. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param environmentsMax environments with series of their own, those that had a rejected request first */
  constructor(environmentsMax: number = refusedEnvironmentsMax) {
    this.#environmentsMax = environmentsMax;
    this.#counts.set(none, new Map());
    this.#counts.set(other, new Map());
  }

  add({ rejected }: Pick<RequestReport, 'rejected'>): void {
    for (const [environment, code, , count] of rejected) {
      const codes = this.#codesOf(environment === '' ? none : environment);
      codes.set(code, (codes.get(code) ?? 0) + count);
    }
  }

  gauges(): Gauge[] {
    return [...this.#counts].flatMap(([environment, codes]) =>
      Array.from(codes, ([code, count]) => sample(refused, count, { environment, code })),
    );
  }

  /** An environment that has series keeps them: a counter that stopped and began again would be misread. */
  #codesOf(name: string): Map<string, number> {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    // Beside `none` and `other`.
    if (this.#counts.size - 2 >= this.#environmentsMax) return this.#codesOf(other);
    const codes = new Map<string, number>();
    this.#counts.set(name, codes);
    return codes;
  }
}
