/** What happened between two samples of the figures. */
import { describe, expect, it } from 'vitest';
import { pointBetween } from '../../../../src/contract/health/history-point.js';
import { sample } from '../../../support/health-sample.js';

describe('pointBetween', () => {
  it('has what was counted meanwhile, over all processes and of each', () => {
    const point = pointBetween(
      sample(0, [{ requests: 100, hits: 10, misses: 10, cpu: 1 }, { requests: 5 }]),
      sample(2, [{ requests: 300, hits: 100, misses: 20, cpu: 2, failed: 4 }, { requests: 25 }]),
    );
    expect(point).toMatchObject({ seconds: 2, requests: 224, rejected: 4 });
    expect(point.byEndpoint).toEqual({ dynamic: 220, content: 4 });
    expect(point.byStatus).toEqual({ '2xx': 220, '5xx': 4 });
    expect(point.deliveryProcesses.map(({ requests }) => requests)).toEqual([204, 20]);
    expect(point.deliveryProcesses[0]?.cores).toBeCloseTo(0.5);
    expect(point.hitRate).toBeCloseTo(0.9);
    expect(point.latency.p50).toBeLessThan(0.001);
  });

  it('has the streams that are open and that wait, and their events', () => {
    const point = pointBetween(
      sample(0, [{ streams: { events: 100 } }, {}]),
      sample(2, [{ streams: { open: 3, waiting: 2, events: 140 } }, { streams: { open: 4 } }]),
    );
    expect(point.streamsOpen).toBe(7);
    expect(point.streamsWaiting).toBe(2);
    expect(point.streamEvents).toBe(40);
  });

  it('is null without requests', () => {
    const point = pointBetween(sample(0, [{ requests: 9 }]), sample(2, [{ requests: 9 }]));
    expect(point.requests).toBe(0);
    expect(point.latency.p99).toBeNull();
    expect(point.hitRate).toBeNull();
  });

  it('takes all counts of a restarted process as new, and is never negative', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, hits: 500, misses: 500, cpu: 60 }]),
      sample(2, [{ requests: 20, hits: 3, misses: 1, cpu: 0.4 }]),
    );
    expect(point.requests).toBe(20);
    expect(point.hitRate).toBeCloseTo(0.75);
    expect(point.deliveryProcesses[0]?.cores).toBeCloseTo(0.2);
    expect(point.latency.p50).not.toBeNull();
  });

  it('does not jump while one process takes over from another and both are counted together', () => {
    const point = pointBetween(
      sample(0, [{ requests: 1000, cpu: 60, startedAt: 100 }]),
      sample(2, [{ requests: 1010, cpu: 60.5, startedAt: 200 }]),
    );
    expect(point.requests).toBe(10);
  });

  it('has all that a process counted that started meanwhile', () => {
    const one = sample(0, [{ requests: 10 }]);
    const two = sample(10, [{ requests: 14 }, { requests: 300, cpu: 5, startedAt: 3 }]);
    expect(pointBetween(one, two).requests).toBe(304);
    expect(pointBetween(one, two).deliveryProcesses[1]?.cores).toBeCloseTo(0.5);
  });

  it('does not jump when a process is missing in one sample, and forgets one that ended', () => {
    const one = sample(0, [{ requests: 10 }]);
    const two = sample(2, [{ requests: 14 }, { requests: 8000, cpu: 500, startedAt: -60 }]);
    expect(pointBetween(one, two).requests).toBe(4);
    expect(pointBetween(one, two).deliveryProcesses[1]?.cores).toBe(0);
    expect(pointBetween(two, one).deliveryProcesses).toHaveLength(1);
  });
});
