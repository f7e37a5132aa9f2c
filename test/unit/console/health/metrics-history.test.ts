/** What the health screen makes of one look at /metrics after another. */
import { describe, expect, it } from 'vitest';
import {
  emptyHistory,
  type History,
  isPoint,
  latestPoint,
  pointsMax,
  withGap,
  withSample,
} from '../../../../src/console/health/charts/metrics-history.js';
import { pointBetween } from '../../../../src/console/health/charts/metrics-point.js';
import { type Sample, sampleOf } from '../../../../src/console/health/charts/metrics-sample.js';
import { refusedShare } from '../../../../src/console/health/refused-share.js';
import { timeRange } from '../../../../src/console/health/time-range.js';

interface Counted {
  readonly requests?: number;
  readonly failed?: number;
  readonly refused?: Readonly<Record<string, number>>;
  readonly hits?: number;
  readonly misses?: number;
  readonly cpu?: number;
  readonly startedAt?: number;
}

/** The text of a server whose listeners counted this much. */
function sample(atSeconds: number, listeners: readonly Counted[]): Sample {
  const lines = listeners.flatMap((counted, slot) => {
    const { requests = 0, failed = 0, hits = 0, misses = 0, cpu = 1, startedAt = 100 } = counted;
    return [
      `loadout_requests_total{listener="${slot}",endpoint="dynamic",status="200"} ${requests}`,
      `loadout_requests_total{listener="${slot}",endpoint="content",status="503"} ${failed}`,
      `loadout_request_seconds_bucket{le="0.001",listener="${slot}",endpoint="dynamic"} ${requests}`,
      `loadout_request_seconds_bucket{le="+Inf",listener="${slot}",endpoint="dynamic"} ${requests}`,
      `loadout_request_seconds_bucket{le="0.001",listener="${slot}",endpoint="content"} 0`,
      `loadout_request_seconds_bucket{le="+Inf",listener="${slot}",endpoint="content"} ${failed}`,
      `loadout_rendered_cache_hits_total{listener="${slot}"} ${hits}`,
      `loadout_rendered_cache_misses_total{listener="${slot}"} ${misses}`,
      `loadout_cpu_seconds_total{listener="${slot}"} ${cpu}`,
      `loadout_start_time_seconds{listener="${slot}"} ${startedAt}`,
      `loadout_published_sequence{listener="${slot}"} 42`,
      ...Object.entries(counted.refused ?? {}).map(
        ([code, count]) => `loadout_refused_total{listener="${slot}",code="${code}"} ${count}`,
      ),
    ];
  });
  const server = ['loadout_sequence 42', `loadout_listeners_wanted ${listeners.length}`];
  return sampleOf([...lines, ...server].join('\n'), atSeconds * 1000);
}

describe('pointBetween', () => {
  it('gives rates per second, over all listeners and of each', () => {
    const point = pointBetween(
      sample(0, [{ requests: 100, hits: 10, misses: 10, cpu: 1 }, { requests: 5 }]),
      sample(2, [{ requests: 300, hits: 100, misses: 20, cpu: 2, failed: 4 }, { requests: 25 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(112);
    expect(point.byEndpoint.get('dynamic')).toBeCloseTo(110);
    expect(point.byStatus.get('5xx')).toBeCloseTo(2);
    expect(point.listeners.get(0)?.requestsPerSecond).toBeCloseTo(102);
    expect(point.listeners.get(0)?.cores).toBeCloseTo(0.5);
    expect(point.listeners.get(1)?.requestsPerSecond).toBeCloseTo(10);
    expect(point.hitRate).toBeCloseTo(0.9);
    expect(point.latency.p50).toBeLessThan(0.001);
  });

  it('does not know what was not asked for', () => {
    const point = pointBetween(sample(0, [{ requests: 9 }]), sample(2, [{ requests: 9 }]));
    expect(point.requestsPerSecond).toBe(0);
    expect(point.latency.p99).toBeNull();
    expect(point.hitRate).toBeNull();
  });

  it('takes all that a restarted listener counted as new, and is never negative', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, hits: 500, misses: 500, cpu: 60 }]),
      sample(2, [{ requests: 20, hits: 3, misses: 1, cpu: 0.4 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(10);
    expect(point.hitRate).toBeCloseTo(0.75);
    expect(point.listeners.get(0)?.cores).toBeCloseTo(0.2);
    expect(point.latency.p50).not.toBeNull();
  });

  it('makes no jump of two processes that are counted together while one takes over', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, cpu: 60, startedAt: 100 }]),
      sample(2, [{ requests: 1010, cpu: 60.5, startedAt: 200 }]),
    );
    expect(point.requestsPerSecond).toBeCloseTo(5);
  });

  it('makes no jump of a listener that one look did not see, and forgets one that went', () => {
    const one = sample(0, [{ requests: 10 }]);
    const two = sample(2, [{ requests: 14 }, { requests: 8000, cpu: 500 }]);
    expect(pointBetween(one, two).requestsPerSecond).toBeCloseTo(2);
    expect(pointBetween(one, two).listeners.get(1)?.cores).toBe(0);
    expect(pointBetween(two, one).listeners.size).toBe(1);
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

  it('has a point from the second look on', () => {
    expect(grown(1).moments).toHaveLength(0);
    expect(latestPoint(grown(2))?.requestsPerSecond).toBeCloseTo(5);
  });

  it('keeps the last ten minutes', () => {
    const { moments } = grown(pointsMax + 50);
    expect(moments).toHaveLength(pointsMax);
    expect(moments.at(-1)?.atMs).toBe((pointsMax + 49) * 2000);
  });

  it('shows a gap while the server is away, and begins anew after it', () => {
    const away = withGap(grown(3), 6_000);
    expect(latestPoint(away)).toBeNull();
    const back = withSample(away, sample(8, [{ requests: 900 }]));
    expect(latestPoint(back)).toBeNull();
    const on = withSample(back, sample(10, [{ requests: 920 }]));
    expect(latestPoint(on)?.requestsPerSecond).toBeCloseTo(10);
    expect(on.moments.map(isPoint)).toEqual([true, true, false, true]);
  });

  it('shows a gap for the time in which nobody looked', () => {
    const history = withSample(grown(3), sample(600, [{ requests: 5000 }]));
    expect(latestPoint(history)).toBeNull();
  });

  it('counts how often a listener started anew', () => {
    let history = grown(2);
    history = withSample(history, sample(4, [{ startedAt: 104 }]));
    history = withGap(history, 6_000);
    history = withSample(history, sample(8, [{ startedAt: 108 }]));
    expect(history.restarts.get(0)).toBe(2);
  });
});

describe('the share of refused requests', () => {
  const watched = (...samples: readonly Sample[]) =>
    refusedShare(samples.reduce(withSample, emptyHistory).moments);

  it('is over all that was watched, with the reasons by their frequency', () => {
    const share = watched(
      sample(0, [{ requests: 1_000, failed: 500, refused: { overloaded: 500 } }]),
      sample(2, [{ requests: 1_040, failed: 505, refused: { overloaded: 505 } }]),
      sample(4, [
        { requests: 1_083, failed: 517, refused: { overloaded: 508, content_not_found: 9 } },
      ]),
    );
    expect(share).toEqual({
      requests: 100,
      refused: 17,
      share: 0.17,
      reasons: [
        { code: 'content_not_found', count: 9 },
        { code: 'overloaded', count: 8 },
      ],
      isAlarming: true,
    });
  });

  it('alarms nobody below one in twenty, nor for a handful of requests', () => {
    const of = (requests: number, failed: number) =>
      watched(sample(0, [{}]), sample(2, [{ requests, failed }])).isAlarming;
    expect(of(96, 4)).toBe(false);
    expect(of(95, 5)).toBe(true);
    expect(of(2, 2)).toBe(false);
  });

  it('is not known where nothing was asked', () => {
    expect(watched(sample(0, [{}]), sample(2, [{}]))).toMatchObject({ share: null, reasons: [] });
  });
});

describe('the time of a chart', () => {
  it('is the last minute up to now, while nothing was measured', () => {
    expect(timeRange([], 1_700_000_000)).toEqual([1_699_999_940, 1_700_000_000]);
  });

  it('is from the first to the last moment, a minute at least', () => {
    expect(timeRange([1_000, 1_002], 5_000)).toEqual([942, 1_002]);
    expect(timeRange([1_000, 1_300], 5_000)).toEqual([1_000, 1_300]);
  });
});
