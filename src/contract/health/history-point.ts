/**
 * Makes a point of a server's history of the figures of two moments. Pure: the server makes those of the hour that it keeps, the
 * console those of the seconds that it watches. Counts of a process that restarted begin at 0, so no count is negative.
 */

import type { HistoryPoint } from '../operations/health/history.js';
import type { HealthFigures } from '../operations/health.js';
import { quantileOf } from './quantile.js';

/** The figures of one moment, milliseconds since the epoch. */
export type Sample = HealthFigures & { readonly atMs: number };

type ProcessFigures = HealthFigures['deliveryProcesses'][number];
type ProcessPoint = HistoryPoint['control'];

/** What the delivery processes counted between the two moments, together. */
class Sums {
  requests = 0;
  rejected = 0;
  hits = 0;
  misses = 0;
  streamEvents = 0;
  readonly byEndpoint: Record<string, number> = {};
  readonly byStatus: Record<string, number> = {};
  readonly rejectedByCode: Record<string, number> = {};
  readonly latencyCounts: number[] = [];

  /** @param base what the process had counted before; null: nothing. @returns its requests */
  add(now: ProcessFigures, base: ProcessFigures | null): number {
    let requests = 0;
    for (const [endpoint, status, count] of requestsOf(now)) {
      const more = count - (base?.requests[endpoint]?.[status] ?? 0);
      if (more === 0) continue;
      add(this.byEndpoint, endpoint, more);
      add(this.byStatus, `${status.charAt(0)}xx`, more);
      requests += more;
      if (Number(status) >= 400) this.rejected += more;
    }
    for (const [code, count] of Object.entries(now.rejected)) {
      const more = count - (base?.rejected[code] ?? 0);
      if (more > 0) add(this.rejectedByCode, code, more);
    }
    for (const [at, count] of now.latency.counts.entries()) {
      const more = count - (base?.latency.counts[at] ?? 0);
      this.latencyCounts[at] = (this.latencyCounts[at] ?? 0) + more;
    }
    this.hits += now.cacheHits - (base?.cacheHits ?? 0);
    this.misses += now.cacheMisses - (base?.cacheMisses ?? 0);
    this.streamEvents += now.streams.events - (base?.streams.events ?? 0);
    this.requests += requests;
    return requests;
  }
}

/** The first point of a server, from its start on. */
export function pointSinceStart(now: Sample): HistoryPoint {
  const control = { ...now.control, cpuSeconds: 0 };
  const atMs = Date.parse(now.control.startedAt);
  return pointBetween({ ...now, atMs, control, deliveryProcesses: [] }, now);
}

export function pointBetween(before: Sample, now: Sample): HistoryPoint {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  const sums = new Sums();
  const deliveryProcesses = now.deliveryProcesses.map((figures) => {
    const base = baseOf(figures, before);
    const requests = sums.add(figures, base);
    const point = processPoint(figures, base?.cpuSeconds ?? 0, seconds);
    return { slot: figures.slot, requests, ...point };
  });
  const { requests, rejected, byEndpoint, byStatus, rejectedByCode, streamEvents } = sums;
  const boundsSeconds = now.deliveryProcesses[0]?.latency.boundsSeconds ?? [];
  const quantile = (share: number) => quantileOf(boundsSeconds, sums.latencyCounts, share);
  const lookups = sums.hits + sums.misses;
  const cpuBefore = before.control.cpuSeconds;
  const sum = (read: (process: ProcessFigures) => number) =>
    now.deliveryProcesses.reduce((total, process) => total + read(process), 0);
  return {
    at: new Date(now.atMs).toISOString(),
    ...{ seconds, requests, rejected, byEndpoint, byStatus, rejectedByCode, streamEvents },
    latency: { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
    hitRate: lookups === 0 ? null : sums.hits / lookups,
    poolQueued: sum(({ poolQueued }) => poolQueued),
    connections: sum(({ connections }) => connections),
    streamsOpen: sum(({ streams }) => streams.open),
    streamsWaiting: sum(({ streams }) => streams.waiting),
    deliveryProcesses,
    control: processPoint(now.control, cpuBefore > now.control.cpuSeconds ? 0 : cpuBefore, seconds),
  };
}

/** What the counts of a process are compared with; null: it started or restarted, so all that it counted is new. */
function baseOf(now: ProcessFigures, before: Sample): ProcessFigures | null {
  const found = before.deliveryProcesses.find(({ slot }) => slot === now.slot);
  if (found !== undefined) return isRestarted(found, now) ? null : found;
  // One that is older and has no earlier figures was too busy to report: its counts are not all of this moment.
  return Date.parse(now.startedAt) >= before.atMs ? null : now;
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

function add(counts: Record<string, number>, name: string, more: number): void {
  counts[name] = (counts[name] ?? 0) + more;
}
