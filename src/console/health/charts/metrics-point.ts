/** What happened between two samples of the figures. Counts of a restarted process begin at 0: no rate is negative. */
import type { HealthFigures } from '../../../contract/operations/health.js';
import { streamTotals } from '../stream-totals.js';
import { quantileOf } from './metrics-quantile.js';

/** The figures of one moment. */
export type Sample = HealthFigures & { readonly atMs: number };

export type ProcessFigures = HealthFigures['deliveryProcesses'][number];

/** What the charts show of each process. */
export interface ProcessPoint {
  readonly residentBytes: number;
  readonly loopDelaySeconds: number;
  readonly cores: number;
}

export interface DeliveryPoint extends ProcessPoint {
  readonly requestsPerSecond: number;
}

/** One moment of the charts. */
export interface Point {
  readonly atMs: number;
  /** Requests per second by endpoint, and by hundreds of the status. */
  readonly byEndpoint: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<string, number>;
  readonly requestsPerSecond: number;
  /** Requests since the moment before, those of them that were rejected (4xx and 5xx), and these by problem code. */
  readonly requests: number;
  readonly rejected: number;
  readonly rejectedByCode: ReadonlyMap<string, number>;
  /** Seconds; null: no requests. */
  readonly latency: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  };
  /** From 0 to 1; null: the cache was not used. */
  readonly hitRate: number | null;
  readonly poolQueue: number;
  readonly connections: number;
  readonly streamsOpen: number;
  readonly streamsWaiting: number;
  readonly streamEventsPerSecond: number;
  /** By slot. */
  readonly deliveryProcesses: ReadonlyMap<number, DeliveryPoint>;
  readonly control: ProcessPoint;
}

export function pointBetween(before: Sample, now: Sample): Point {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  const byEndpoint = new Map<string, number>();
  const byStatus = new Map<string, number>();
  const rejectedByCode = new Map<string, number>();
  const deliveryProcesses = new Map<number, DeliveryPoint>();
  const latencyCounts: number[] = [];
  let [hits, misses, requests, rejected, streamEvents] = [0, 0, 0, 0, 0];
  for (const figures of now.deliveryProcesses) {
    const base = baseOf(figures, before);
    let own = 0;
    for (const [endpoint, status, count] of requestsOf(figures)) {
      const more = count - (base?.requests[endpoint]?.[status] ?? 0);
      add(byEndpoint, endpoint, more / seconds);
      add(byStatus, `${status.charAt(0)}xx`, more / seconds);
      own += more;
      if (Number(status) >= 400) rejected += more;
    }
    for (const [code, count] of Object.entries(figures.rejected)) {
      const more = count - (base?.rejected[code] ?? 0);
      if (more > 0) add(rejectedByCode, code, more);
    }
    for (const [at, count] of figures.latency.counts.entries()) {
      latencyCounts[at] = (latencyCounts[at] ?? 0) + count - (base?.latency.counts[at] ?? 0);
    }
    hits += figures.cacheHits - (base?.cacheHits ?? 0);
    misses += figures.cacheMisses - (base?.cacheMisses ?? 0);
    streamEvents += figures.streams.events - (base?.streams.events ?? 0);
    requests += own;
    deliveryProcesses.set(figures.slot, {
      requestsPerSecond: own / seconds,
      ...processPoint(figures, base?.cpuSeconds ?? 0, seconds),
    });
  }
  const streams = streamTotals(now.deliveryProcesses);
  const boundsSeconds = now.deliveryProcesses[0]?.latency.boundsSeconds ?? [];
  const quantile = (share: number) => quantileOf(boundsSeconds, latencyCounts, share);
  const cpuBefore = before.control.cpuSeconds;
  return {
    atMs: now.atMs,
    byEndpoint,
    byStatus,
    requestsPerSecond: requests / seconds,
    requests,
    rejected,
    rejectedByCode,
    latency: { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
    hitRate: hits + misses === 0 ? null : hits / (hits + misses),
    poolQueue: now.deliveryProcesses.reduce((sum, { poolQueued }) => sum + poolQueued, 0),
    connections: now.deliveryProcesses.reduce((sum, { connections }) => sum + connections, 0),
    streamsOpen: streams.open,
    streamsWaiting: streams.waiting,
    streamEventsPerSecond: streamEvents / seconds,
    deliveryProcesses,
    control: processPoint(now.control, cpuBefore > now.control.cpuSeconds ? 0 : cpuBefore, seconds),
  };
}

/** What the counts of a process are compared with; null: it restarted, so all that it counted is new. */
function baseOf(now: ProcessFigures, { deliveryProcesses }: Sample): ProcessFigures | null {
  const found = deliveryProcesses.find(({ slot }) => slot === now.slot);
  // A process without earlier figures may only have been too busy to report: its counts are not all of this moment.
  if (found === undefined) return now;
  return isRestarted(found, now) ? null : found;
}

/**
 * Whether a counter went back. The start time does not show it: while one process takes over from another, the counts
 * are those of both, and fall only when the old one has gone.
 */
function isRestarted(before: ProcessFigures, now: ProcessFigures): boolean {
  return (
    now.cpuSeconds < before.cpuSeconds ||
    now.cacheHits < before.cacheHits ||
    now.cacheMisses < before.cacheMisses ||
    now.streams.events < before.streams.events ||
    before.latency.counts.some((count, at) => (now.latency.counts[at] ?? 0) < count) ||
    requestsOf(before).some(
      ([endpoint, status, count]) => (now.requests[endpoint]?.[status] ?? 0) < count,
    )
  );
}

function requestsOf({ requests }: ProcessFigures) {
  return Object.entries(requests).flatMap(([endpoint, counts]) =>
    Object.entries(counts).map(([status, count]) => [endpoint, status, count] as const),
  );
}

function processPoint(
  figures: HealthFigures['control'],
  cpuSecondsBefore: number,
  seconds: number,
): ProcessPoint {
  return {
    residentBytes: figures.residentBytes,
    loopDelaySeconds: figures.eventLoopDelayP99Seconds,
    cores: (figures.cpuSeconds - cpuSecondsBefore) / seconds,
  };
}

function add(counts: Map<string, number>, key: string, value: number): void {
  counts.set(key, (counts.get(key) ?? 0) + value);
}
