/** Figures of a server as its processes have counted, for what is made of one sample after another. */
import type { Sample } from '../../src/contract/health/history-point.js';

type ProcessFigures = Sample['deliveryProcesses'][number];

export interface Counted {
  readonly requests?: number;
  readonly failed?: number;
  readonly rejected?: Readonly<Record<string, number>>;
  readonly hits?: number;
  readonly misses?: number;
  readonly cpu?: number;
  readonly streams?: Partial<ProcessFigures['streams']>;
  readonly startedAt?: number;
}

function processFigures(counted: Counted, slot: number): ProcessFigures {
  const { requests = 0, failed = 0, hits = 0, misses = 0, cpu = 1, startedAt = 100 } = counted;
  return {
    ...{ slot, sequence: 42, connections: 1, poolQueued: 0 },
    ...{ residentBytes: 1, cpuSeconds: cpu, eventLoopDelayP99Seconds: 0 },
    startedAt: new Date(startedAt * 1000).toISOString(),
    ...{ cacheHits: hits, cacheMisses: misses, cacheBytes: 0, cacheEntries: 0 },
    requests: { dynamic: { 200: requests }, content: { 503: failed } },
    rejected: { ...counted.rejected },
    streams: { open: 0, openMax: 100, waiting: 0, events: 0, ended: {}, ...counted.streams },
    latency: { boundsSeconds: [0.001], counts: [requests, failed] },
  };
}

/** The figures of a server whose delivery processes counted this much. */
export function sample(atSeconds: number, processes: readonly Counted[]): Sample {
  return {
    atMs: atSeconds * 1000,
    sequence: 42,
    deliveryProcessesWanted: processes.length,
    deliveryProcesses: processes.map(processFigures),
    control: {
      residentBytes: 1,
      cpuSeconds: 1,
      eventLoopDelayP99Seconds: 0,
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    clockAheadSeconds: null,
    clockSkewed: false,
    webhooks: null,
  };
}
