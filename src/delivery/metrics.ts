/** Counts what one delivery process does: plain numbers in flat arrays, read by each scrape (D6). */
import type { DeliveryMetrics } from '../published/barrier.js';
import { ProcessLoad } from '../published/process-load.js';

export const Endpoint = {
  Dynamic: 0,
  Content: 1,
  Combine: 2,
  Catalog: 3,
  Other: 4,
  Refresh: 5,
  Stream: 6,
  Ofrep: 7,
  OfrepBulk: 8,
  OfrepStream: 9,
  Receipts: 10,
  Events: 11,
} as const;
export type Endpoint = (typeof Endpoint)[keyof typeof Endpoint];

const endpointNames = [
  'dynamic',
  'content',
  'combine',
  'catalog',
  'other',
  'refresh',
  'stream',
  'ofrep',
  'ofrep_bulk',
  'ofrep_stream',
  'receipts',
  'events',
] as const;

/** Seconds. From a cached response to one that waited for the pool as long as it may. */
const latencyBoundsSeconds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const bucketsPerEndpoint = latencyBoundsSeconds.length + 1;
const statusMax = 600;

export class Metrics {
  readonly #requests = new Float64Array(endpointNames.length * statusMax);
  readonly #buckets = new Float64Array(endpointNames.length * bucketsPerEndpoint);
  readonly #sums = new Float64Array(endpointNames.length);
  readonly #load = new ProcessLoad();
  /** By problem code, of which the table of problems has two dozen. */
  readonly #rejected = new Map<string, number>();
  connections = 0;
  rulesMissed = 0;
  /** Responses and opened streams in which a rule took UTC for the local time of the player. */
  utcOffsetsMissing = 0;

  /** @param ms since the request's head had been read */
  responded(endpoint: Endpoint, status: number, ms: number): void {
    const seconds = ms / 1000;
    const requestAt = endpoint * statusMax + status;
    this.#requests[requestAt] = (this.#requests[requestAt] as number) + 1;
    let bucket = 0;
    while (
      bucket < latencyBoundsSeconds.length &&
      seconds > (latencyBoundsSeconds[bucket] as number)
    ) {
      bucket += 1;
    }
    const bucketAt = endpoint * bucketsPerEndpoint + bucket;
    this.#buckets[bucketAt] = (this.#buckets[bucketAt] as number) + 1;
    this.#sums[endpoint] = (this.#sums[endpoint] as number) + seconds;
  }

  rejected(code: string): void {
    this.#rejected.set(code, (this.#rejected.get(code) ?? 0) + 1);
  }

  read(): Pick<
    DeliveryMetrics,
    | 'connections'
    | 'requests'
    | 'refused'
    | 'latencyBoundsSeconds'
    | 'latencies'
    | 'rulesMissed'
    | 'utcOffsetsMissing'
    | 'rssBytes'
    | 'eventLoopDelayP99Seconds'
    | 'cpuSeconds'
    | 'startedAtSeconds'
  > {
    const requests: [string, number, number][] = [];
    for (let at = 0; at < this.#requests.length; at += 1) {
      const count = this.#requests[at] as number;
      const endpoint = endpointNames[Math.floor(at / statusMax)] as string;
      if (count > 0) requests.push([endpoint, at % statusMax, count]);
    }
    const latencies = endpointNames.map((endpoint, at) => ({
      endpoint,
      counts: [...this.#buckets.subarray(at * bucketsPerEndpoint, (at + 1) * bucketsPerEndpoint)],
      sumSeconds: this.#sums[at] as number,
    }));
    return {
      connections: this.connections,
      rssBytes: process.memoryUsage.rss(),
      requests,
      refused: [...this.#rejected],
      latencyBoundsSeconds,
      latencies,
      rulesMissed: this.rulesMissed,
      utcOffsetsMissing: this.utcOffsetsMissing,
      eventLoopDelayP99Seconds: this.#load.loopDelayP99Seconds,
      cpuSeconds: this.#load.cpuSeconds,
      startedAtSeconds: this.#load.startedAtSeconds,
    };
  }
}
