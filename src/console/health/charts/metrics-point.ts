/** What happened between two looks at /metrics. A listener that was restarted counts from 0 again: no rate is negative. */
import { quantileOf } from './metrics-quantile.js';
import type { ListenerSample, Sample } from './metrics-sample.js';

export interface ListenerPoint {
  readonly requestsPerSecond: number;
  readonly residentBytes: number;
  readonly loopDelaySeconds: number;
  readonly cores: number;
}

/** One moment of the charts. */
export interface Point {
  readonly atMs: number;
  /** Requests per second by endpoint, and by hundreds of the status. */
  readonly byEndpoint: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<string, number>;
  readonly requestsPerSecond: number;
  /** Requests since the moment before, those of them that were rejected (4xx and 5xx), and these by problem code. */
  readonly answers: number;
  readonly refusals: number;
  readonly refusalsByCode: ReadonlyMap<string, number>;
  /** Seconds; null: nothing was asked. */
  readonly latency: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  };
  /** From 0 to 1; null: the cache was not asked. */
  readonly hitRate: number | null;
  readonly poolQueue: number;
  readonly connections: number;
  readonly listeners: ReadonlyMap<number, ListenerPoint>;
  readonly control: Omit<ListenerPoint, 'requestsPerSecond'>;
}

export function pointBetween(before: Sample, now: Sample): Point {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000);
  const known = new Map(before.listeners.map((listener) => [listener.slot, listener]));
  const byEndpoint = new Map<string, number>();
  const byStatus = new Map<string, number>();
  const latency = new Map<number, number>();
  const listeners = new Map<number, ListenerPoint>();
  const refusalsByCode = new Map<string, number>();
  let [hits, misses, requests, refusals] = [0, 0, 0, 0];
  for (const listener of now.listeners) {
    const found = known.get(listener.slot);
    // One that was not there before may only have been too busy to be seen: what it counted until now is not of now.
    const base = found !== undefined && isRestarted(found, listener) ? null : (found ?? listener);
    let own = 0;
    for (const [name, count] of listener.requests) {
      const [endpoint = '', status = ''] = name.split(' ');
      const rate = (count - (base?.requests.get(name) ?? 0)) / seconds;
      add(byEndpoint, endpoint, rate);
      add(byStatus, `${status.charAt(0)}xx`, rate);
      own += rate;
      if (Number(status) >= 400) refusals += rate * seconds;
    }
    for (const [code, count] of listener.refused) {
      const more = count - (base?.refused.get(code) ?? 0);
      if (more > 0) add(refusalsByCode, code, more);
    }
    for (const [bound, count] of listener.latency) {
      add(latency, bound, count - (base?.latency.get(bound) ?? 0));
    }
    hits += listener.cacheHits - (base?.cacheHits ?? 0);
    misses += listener.cacheMisses - (base?.cacheMisses ?? 0);
    requests += own;
    listeners.set(listener.slot, {
      requestsPerSecond: own,
      residentBytes: listener.residentBytes,
      loopDelaySeconds: listener.loopDelaySeconds,
      cores: (listener.cpuSeconds - (base?.cpuSeconds ?? 0)) / seconds,
    });
  }
  const { residentBytes, loopDelaySeconds, cpuSeconds } = now.control;
  const cpuBefore = before.control.cpuSeconds > cpuSeconds ? 0 : before.control.cpuSeconds;
  return {
    atMs: now.atMs,
    byEndpoint,
    byStatus,
    requestsPerSecond: requests,
    answers: Math.round(requests * seconds),
    refusals: Math.round(refusals),
    refusalsByCode,
    latency: {
      p50: quantileOf(latency, 0.5),
      p95: quantileOf(latency, 0.95),
      p99: quantileOf(latency, 0.99),
    },
    hitRate: hits + misses === 0 ? null : hits / (hits + misses),
    poolQueue: sum(now.listeners, ({ poolQueue }) => poolQueue),
    connections: sum(now.listeners, ({ connections }) => connections),
    listeners,
    control: { residentBytes, loopDelaySeconds, cores: (cpuSeconds - cpuBefore) / seconds },
  };
}

/**
 * Whether a counter went back. The time of its start does not tell: while one process takes over from another, the
 * counts are those of both, and fall only when the old one has gone.
 */
export function isRestarted(before: ListenerSample, now: ListenerSample): boolean {
  if (now.cpuSeconds < before.cpuSeconds) return true;
  if (now.cacheHits < before.cacheHits || now.cacheMisses < before.cacheMisses) return true;
  for (const [bound, count] of before.latency) {
    if ((now.latency.get(bound) ?? 0) < count) return true;
  }
  for (const [name, count] of before.requests) {
    if ((now.requests.get(name) ?? 0) < count) return true;
  }
  return false;
}

function add<Key>(counts: Map<Key, number>, key: Key, value: number): void {
  counts.set(key, (counts.get(key) ?? 0) + value);
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
