/** The load generators of a run: one process on each of the load's cores, since autocannon has a single thread. */
import { loadCores } from '../../measure/child.js';
import { mergedHistogram } from '../../measure/latency-histogram.js';
import { LoadProcess } from './load-client.js';
import type { LoadPlan, LoadResult } from './load-plan.js';

export class LoadCrew {
  readonly #processes: readonly LoadProcess[];

  /** @param most processes; 1 where what is asked for depends on the order of all requests */
  constructor(most: number) {
    const used = loadCores().slice(0, Math.max(1, most));
    this.#processes = used.map((core) => new LoadProcess(core));
  }

  get pids(): readonly number[] {
    return this.#processes.map(({ pid }) => pid);
  }

  /** Each gets its share of the connections, and of the rate where the load has one. */
  async plan(plan: LoadPlan): Promise<void> {
    const { connections } = plan.shape;
    const count = this.#processes.length;
    await Promise.all(
      this.#processes.map((process, at) => {
        const share = Math.max(1, Math.floor((connections + at) / count));
        const shape = { ...plan.shape, connections: share };
        const paced =
          shape.kind === 'paced' ? { ...shape, perSecond: shape.perSecond / count } : shape;
        return process.plan({ ...plan, shape: paced });
      }),
    );
  }

  async run(seconds: number): Promise<LoadResult> {
    const results = await Promise.all(this.#processes.map((process) => process.run(seconds)));
    return merged(results);
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end()));
  }
}

function merged(results: readonly LoadResult[]): LoadResult {
  const sum = (of: (result: LoadResult) => number): number =>
    results.reduce((all, result) => all + of(result), 0);
  const statuses: Record<string, number> = {};
  for (const result of results) {
    for (const [status, count] of Object.entries(result.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
  }
  return {
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    responses: sum(({ responses }) => responses),
    statuses,
    mismatches: sum(({ mismatches }) => mismatches),
    errors: sum(({ errors }) => errors),
    unsent: sum(({ unsent }) => unsent),
    unanswered: sum(({ unanswered }) => unanswered),
    latencies: mergedHistogram(results.map(({ latencies }) => latencies)).counts(),
    otherLatencies: mergedHistogram(results.map(({ otherLatencies }) => otherLatencies)).counts(),
  };
}
