/** What the health screen makes of one sample of the figures after another. */
import { describe, expect, it } from 'vitest';
import {
  emptyHistory,
  type History,
  isPoint,
  latestPoint,
  pointsMax,
  timeRange,
  withGap,
  withSample,
} from '../../../../src/console/health/charts/metrics-history.js';
import {
  type ProcessFigures,
  pointBetween,
  type Sample,
} from '../../../../src/console/health/charts/metrics-point.js';
import { rejectedShare } from '../../../../src/console/health/rejected-share.js';

interface Counted {
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
function sample(atSeconds: number, processes: readonly Counted[]): Sample {
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

describe('pointBetween', () => {
  it('gives rates per second, over all processes and of each', () => {
    const point = pointBetween(
      sample(0, [{ requests: 100, hits: 10, misses: 10, cpu: 1 }, { requests: 5 }]),
      sample(2, [{ requests: 300, hits: 100, misses: 20, cpu: 2, failed: 4 }, { requests: 25 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(112);
    expect(point.byEndpoint.get('dynamic')).toBeCloseTo(110);
    expect(point.byStatus.get('5xx')).toBeCloseTo(2);
    expect(point.deliveryProcesses.get(0)?.requestsPerSecond).toBeCloseTo(102);
    expect(point.deliveryProcesses.get(0)?.cores).toBeCloseTo(0.5);
    expect(point.deliveryProcesses.get(1)?.requestsPerSecond).toBeCloseTo(10);
    expect(point.hitRate).toBeCloseTo(0.9);
    expect(point.latency.p50).toBeLessThan(0.001);
  });

  it('has the streams that are open and that wait, and their events per second', () => {
    const point = pointBetween(
      sample(0, [{ streams: { events: 100 } }, {}]),
      sample(2, [{ streams: { open: 3, waiting: 2, events: 140 } }, { streams: { open: 4 } }]),
    );
    expect(point.streamsOpen).toBe(7);
    expect(point.streamsWaiting).toBe(2);
    expect(point.streamEventsPerSecond).toBeCloseTo(20);
  });

  it('is null without requests', () => {
    const point = pointBetween(sample(0, [{ requests: 9 }]), sample(2, [{ requests: 9 }]));
    expect(point.requestsPerSecond).toBe(0);
    expect(point.latency.p99).toBeNull();
    expect(point.hitRate).toBeNull();
  });

  it('takes all counts of a restarted process as new, and is never negative', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, hits: 500, misses: 500, cpu: 60 }]),
      sample(2, [{ requests: 20, hits: 3, misses: 1, cpu: 0.4 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(10);
    expect(point.hitRate).toBeCloseTo(0.75);
    expect(point.deliveryProcesses.get(0)?.cores).toBeCloseTo(0.2);
    expect(point.latency.p50).not.toBeNull();
  });

  it('does not jump while one process takes over from another and both are counted together', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, cpu: 60, startedAt: 100 }]),
      sample(2, [{ requests: 1010, cpu: 60.5, startedAt: 200 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(5);
  });

  it('does not jump when a process is missing in one sample, and forgets one that ended', () => {
    const one = sample(0, [{ requests: 10 }]);
    const two = sample(2, [{ requests: 14 }, { requests: 8000, cpu: 500 }]);
    expect(pointBetween(one, two).requestsPerSecond).toBeCloseTo(2);
    expect(pointBetween(one, two).deliveryProcesses.get(1)?.cores).toBe(0);
    expect(pointBetween(two, one).deliveryProcesses.size).toBe(1);
  });
});

describe('the history', () => {
  const grown = (count: number, from: History = emptyHistory): History => {
    let history = from;
    for (let at = 0; at < count; at += 1) {
      history = withSample(history, sample(at * 2, [{ requests: at * 10 }]));
    }
    return history;
  };

  it('has a point from the second sample on', () => {
    expect(grown(1).moments).toHaveLength(0);
    expect(latestPoint(grown(2))?.requestsPerSecond).toBeCloseTo(5);
  });

  it('keeps the last ten minutes', () => {
    const { moments } = grown(pointsMax + 50);
    expect(moments).toHaveLength(pointsMax);
    expect(moments.at(-1)?.atMs).toBe((pointsMax + 49) * 2000);
  });

  it('shows a gap while the server is away, and starts again after it', () => {
    const away = withGap(grown(3), 6_000);
    expect(latestPoint(away)).toBeNull();
    const back = withSample(away, sample(8, [{ requests: 900 }]));
    expect(latestPoint(back)).toBeNull();
    const on = withSample(back, sample(10, [{ requests: 920 }]));
    expect(latestPoint(on)?.requestsPerSecond).toBeCloseTo(10);
    expect(on.moments.map(isPoint)).toEqual([true, true, false, true]);
  });

  it('shows a gap for a time without samples', () => {
    const history = withSample(grown(3), sample(600, [{ requests: 5000 }]));
    expect(latestPoint(history)).toBeNull();
  });

  it('counts the restarts of a process', () => {
    let history = grown(2);
    history = withSample(history, sample(4, [{ startedAt: 104 }]));
    history = withGap(history, 6_000);
    history = withSample(history, sample(8, [{ startedAt: 108 }]));
    expect(history.restarts.get(0)).toBe(2);
  });
});

describe('the share of rejected requests', () => {
  const watched = (...samples: readonly Sample[]) =>
    rejectedShare(samples.reduce(withSample, emptyHistory).moments);

  it('is over all samples, with the reasons by frequency', () => {
    const share = watched(
      sample(0, [{ requests: 1_000, failed: 500, rejected: { overloaded: 500 } }]),
      sample(2, [{ requests: 1_040, failed: 505, rejected: { overloaded: 505 } }]),
      sample(4, [
        { requests: 1_083, failed: 517, rejected: { overloaded: 508, content_not_found: 9 } },
      ]),
    );
    expect(share).toEqual({
      requests: 100,
      rejected: 17,
      share: 0.17,
      reasons: [
        { code: 'content_not_found', count: 9 },
        { code: 'overloaded', count: 8 },
      ],
      isAlarming: true,
    });
  });

  it('does not alarm below one in twenty, nor for a handful of requests', () => {
    const of = (requests: number, failed: number) =>
      watched(sample(0, [{}]), sample(2, [{ requests, failed }])).isAlarming;
    expect(of(96, 4)).toBe(false);
    expect(of(95, 5)).toBe(true);
    expect(of(2, 2)).toBe(false);
  });

  it('is null without requests', () => {
    expect(watched(sample(0, [{}]), sample(2, [{}]))).toMatchObject({ share: null, reasons: [] });
  });
});

describe('the time of a chart', () => {
  it('is the last minute up to now, before the first sample', () => {
    expect(timeRange([], 1_700_000_000)).toEqual([1_699_999_940, 1_700_000_000]);
  });

  it('is from the first to the last moment, a minute at least', () => {
    expect(timeRange([1_000, 1_002], 5_000)).toEqual([942, 1_002]);
    expect(timeRange([1_000, 1_300], 5_000)).toEqual([1_000, 1_300]);
  });
});
