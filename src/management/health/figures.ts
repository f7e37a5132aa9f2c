/** The figures of the Health screen: what the processes count, one entry per slot. */
import type { HealthFigures } from '../../contract/operations/health.js';
import type { DeliveryMetrics } from '../../published/barrier.js';
import type { FleetStatus } from '../fleet/fleet.js';
import type { MeasuredControl } from '../metrics/control-metrics.js';

type SlotFigures = HealthFigures['deliveryProcesses'][number];

/**
 * @param webhooks null: not known yet
 * @param clock see `FleetStatus`
 */
export function healthFigures(
  { processes, wanted, sequence, load }: MeasuredControl,
  webhooks: HealthFigures['webhooks'],
  clock: Pick<FleetStatus, 'clockAheadMs' | 'isClockSkewed'>,
): HealthFigures {
  const slots = new Map<number, SlotFigures>();
  for (const { slot, measures } of processes) {
    const figures = figuresOf(slot, measures);
    const other = slots.get(slot);
    slots.set(slot, other === undefined ? figures : together(other, figures));
  }
  return {
    sequence,
    deliveryProcessesWanted: wanted,
    deliveryProcesses: [...slots.values()].sort((one, other) => one.slot - other.slot),
    control: {
      residentBytes: process.memoryUsage.rss(),
      cpuSeconds: load.cpuSeconds,
      eventLoopDelayP99Seconds: load.loopDelayP99Seconds,
      startedAt: isoOf(load.startedAtSeconds),
    },
    clockAheadSeconds: clock.clockAheadMs === null ? null : clock.clockAheadMs / 1_000,
    clockSkewed: clock.isClockSkewed,
    webhooks,
  };
}

function figuresOf(slot: number, measures: DeliveryMetrics): SlotFigures {
  const requests: SlotFigures['requests'] = {};
  for (const [endpoint, status, count] of measures.requests) {
    requests[endpoint] = { ...requests[endpoint], [status]: count };
  }
  return {
    slot,
    sequence: measures.sequence,
    residentBytes: measures.rssBytes,
    cpuSeconds: measures.cpuSeconds,
    eventLoopDelayP99Seconds: measures.eventLoopDelayP99Seconds,
    startedAt: isoOf(measures.startedAtSeconds),
    connections: measures.connections,
    poolQueued: measures.poolQueued,
    cacheHits: measures.renderedHits,
    cacheMisses: measures.renderedMisses,
    cacheBytes: measures.renderedBytes,
    cacheEntries: measures.renderedEntries,
    requests,
    rejected: Object.fromEntries(measures.refused),
    streams: {
      open: measures.streams,
      openMax: measures.streamsMax,
      waiting: measures.streamsWaiting,
      events: measures.streamEvents,
      ended: Object.fromEntries(measures.streamsEnded),
    },
    latency: {
      boundsSeconds: [...measures.latencyBoundsSeconds],
      counts: [...measures.latencyBoundsSeconds, Number.POSITIVE_INFINITY].map((_, at) =>
        measures.latencies.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
      ),
    },
  };
}

/** While one process takes over from another, a slot has two. They are combined as in `/metrics`. */
function together(one: SlotFigures, other: SlotFigures): SlotFigures {
  const requests = { ...one.requests };
  for (const [endpoint, counts] of Object.entries(other.requests)) {
    requests[endpoint] = sumCounts(requests[endpoint] ?? {}, counts);
  }
  return {
    slot: one.slot,
    sequence: Math.min(one.sequence, other.sequence),
    residentBytes: one.residentBytes + other.residentBytes,
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    eventLoopDelayP99Seconds: Math.max(
      one.eventLoopDelayP99Seconds,
      other.eventLoopDelayP99Seconds,
    ),
    startedAt: one.startedAt > other.startedAt ? one.startedAt : other.startedAt,
    connections: one.connections + other.connections,
    poolQueued: one.poolQueued + other.poolQueued,
    cacheHits: one.cacheHits + other.cacheHits,
    cacheMisses: one.cacheMisses + other.cacheMisses,
    cacheBytes: one.cacheBytes + other.cacheBytes,
    cacheEntries: one.cacheEntries + other.cacheEntries,
    requests,
    rejected: sumCounts(one.rejected, other.rejected),
    streams: {
      open: one.streams.open + other.streams.open,
      openMax: one.streams.openMax + other.streams.openMax,
      waiting: one.streams.waiting + other.streams.waiting,
      events: one.streams.events + other.streams.events,
      ended: sumCounts(one.streams.ended, other.streams.ended),
    },
    latency: {
      boundsSeconds: one.latency.boundsSeconds,
      counts: one.latency.counts.map((count, at) => count + (other.latency.counts[at] ?? 0)),
    },
  };
}

type Counts = Readonly<Record<string, number>>;

function sumCounts(one: Counts, other: Counts): Record<string, number> {
  const sums: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
