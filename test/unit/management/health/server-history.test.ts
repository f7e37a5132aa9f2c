import { describe, expect, it } from 'vitest';
import type { HealthFigures } from '../../../../src/contract/operations/health.js';
import { ServerHistory } from '../../../../src/management/health/history/server-history.js';
import { figures, startApi, startMs } from '../harness.js';

const stepMs = 10_000;

function processOf(requests: number): HealthFigures['deliveryProcesses'][number] {
  return {
    ...figures.control,
    ...{ slot: 0, sequence: 1, connections: 2, poolQueued: 0 },
    ...{ cacheHits: requests, cacheMisses: 0, cacheBytes: 0, cacheEntries: 0 },
    requests: { dynamic: { 200: requests, 404: requests / 10 } },
    rejected: { content_not_found: requests / 10 },
    streams: { open: 0, openMax: 10, waiting: 0, events: 0, ended: {} },
    latency: { boundsSeconds: [0.001], counts: [requests, 0] },
  };
}

function sampleAt(step: number, requests = step * 10) {
  const deliveryProcesses = [processOf(requests)];
  return { ...figures, deliveryProcesses, atMs: startMs + step * stepMs };
}

describe('the history of a server', () => {
  it('has a point between two looks, with what happened meanwhile', () => {
    const history = new ServerHistory();
    history.add(sampleAt(0));
    expect(history.points(0)).toEqual([]);
    history.add(sampleAt(1));
    expect(history.points(0)).toMatchObject([
      {
        at: '2026-01-01T00:00:10.000Z',
        ...{ seconds: 10, requests: 11, rejected: 1, hitRate: 1, connections: 2 },
        byEndpoint: { dynamic: 11 },
        byStatus: { '2xx': 10, '4xx': 1 },
        rejectedByCode: { content_not_found: 1 },
        deliveryProcesses: [{ slot: 0, requests: 11 }],
      },
    ]);
  });

  it('begins with the start of the server', () => {
    const history = new ServerHistory();
    history.add(sampleAt(1, 50));
    expect(history.points(0)).toMatchObject([{ seconds: 10, requests: 55, rejected: 5 }]);
  });

  it('has its first point when delivery processes have reported', () => {
    const history = new ServerHistory();
    history.add({ ...sampleAt(1), deliveryProcesses: [] });
    expect(history.points(0)).toEqual([]);
    history.add(sampleAt(2, 50));
    expect(history.points(0)).toMatchObject([{ seconds: 20, requests: 55 }]);
  });

  it('has no first point when it was first looked at long after the start', () => {
    const history = new ServerHistory();
    history.add(sampleAt(4, 50));
    expect(history.points(0)).toEqual([]);
  });

  it('keeps an hour', () => {
    const history = new ServerHistory();
    for (let step = 0; step <= 400; step += 1) history.add(sampleAt(step));
    const points = history.points(0);
    expect(points).toHaveLength(360);
    expect(points.at(-1)?.at).toBe(new Date(startMs + 400 * stepMs).toISOString());
    expect(JSON.stringify(points).length).toBeLessThan(250_000);
  });

  it('has no point for a time in which the server could not be looked at', () => {
    const history = new ServerHistory();
    for (const step of [0, 1, 9, 10]) history.add(sampleAt(step));
    const ends = history.points(0).map(({ at }) => (Date.parse(at) - startMs) / stepMs);
    expect(ends).toEqual([1, 10]);
  });

  it('has no negative counts when a delivery process begins again', () => {
    const history = new ServerHistory();
    history.add(sampleAt(0, 500));
    history.add(sampleAt(1, 20));
    expect(history.points(0)).toMatchObject([{ requests: 22, rejected: 2 }]);
  });
});

describe('GET /health/history', () => {
  it('has what is newer than a moment', async () => {
    const history = new ServerHistory();
    for (const step of [-3, -2, -1]) history.add(sampleAt(step, 1_000 + 10 * step));
    const kept = { history, node: 'studio-1', startedMs: startMs - 60_000 };
    const api = await startApi({}, { kept });
    const { body } = await api.call('GET', '/admin/v1/health/history');
    expect(body).toMatchObject({
      node: 'studio-1',
      startedAt: '2025-12-31T23:59:00.000Z',
      stepSeconds: 10,
    });
    const times = body.points.map(({ at }: { at: string }) => at);
    expect(times).toHaveLength(2);
    const { body: newer } = await api.call('GET', `/admin/v1/health/history?after=${times[0]}`);
    expect(newer.points.map(({ at }: { at: string }) => at)).toEqual([times[1]]);
    const { status } = await api.call('GET', '/admin/v1/health/history?after=yesterday');
    expect(status).toBe(400);
  });
});
