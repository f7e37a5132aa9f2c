import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AnalysisRequest, AnalysisStatistics } from '../../../../src/analysis/messages.js';
import { ResultCache } from '../../../../src/analysis/queries/result-cache.js';

const nowMs = Date.UTC(2026, 10, 24);

const request: AnalysisRequest = {
  ...{ environment: 'live', experiment: 'price', phase: 1, startedAtMs: 0, endedAtMs: null },
  ...{ variants: ['control', 'high'], metrics: [], primary: null, segment: null, nowMs },
};

function statistics(fingerprint: string): AnalysisStatistics {
  return {
    ...{ dataUntilMs: null, fingerprint, cached: false, computedAtMs: nowMs, exposures: [] },
    ...{ unknownVariants: 0, daily: [], metrics: [], cumulative: [], segments: [] },
  };
}

function cacheFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const laterBy = (ms: number) => ({ ...request, nowMs: nowMs + ms });

describe('results of earlier requests', () => {
  it('are given again, and marked, while the events are the same', async () => {
    const cache = new ResultCache(cacheFolder());
    expect(await cache.find(request, 'a')).toBeNull();
    await cache.keep(request, statistics('a'), 100);
    const cached = { ...statistics('a'), cached: true };
    expect(await cache.find(laterBy(1_000_000), 'a')).toEqual(cached);
  });

  it('are those of the same request only', async () => {
    const cache = new ResultCache(cacheFolder());
    await cache.keep(request, statistics('a'), 100);
    expect(await cache.find({ ...request, segment: 'country' }, 'a')).toBeNull();
    expect(await cache.find({ ...request, phase: 2 }, 'a')).toBeNull();
    expect(await cache.find({ ...request, environment: 'test' }, 'a')).toBeNull();
  });

  it('are computed again after new events, at once if that is cheap', async () => {
    const cache = new ResultCache(cacheFolder());
    await cache.keep(request, statistics('a'), 3_000);
    expect(await cache.find(laterBy(1), 'b')).toBeNull();
  });

  it('that took long outlive new events, ten times as long', async () => {
    const cache = new ResultCache(cacheFolder());
    await cache.keep(request, statistics('a'), 20_000);
    expect(await cache.find(laterBy(199_999), 'b')).toMatchObject({ fingerprint: 'a' });
    expect(await cache.find(laterBy(200_000), 'b')).toBeNull();
    // The clock of the server was put back.
    expect(await cache.find(laterBy(-1), 'b')).toBeNull();
  });

  it('are gone once cleared, and when their file is damaged', async () => {
    const folder = cacheFolder();
    const cache = new ResultCache(folder);
    await cache.keep(request, statistics('a'), 20_000);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"fingerpr');
    expect(await cache.find(request, 'a')).toBeNull();
    await cache.keep(request, statistics('a'), 20_000);
    await cache.clear();
    expect(await cache.find(request, 'a')).toBeNull();
  });

  it('are at most 200 files: the oldest go', async () => {
    const folder = cacheFolder();
    const cache = new ResultCache(folder);
    await cache.keep(request, statistics('a'), 100);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    for (let number = 0; number < 200; number += 1)
      writeFileSync(join(folder, `${number}.json`), '');
    await cache.keep({ ...request, phase: 2 }, statistics('a'), 100);
    expect(readdirSync(folder)).toHaveLength(200);
    expect(await cache.find(request, 'a')).toBeNull();
    expect(await cache.find({ ...request, phase: 2 }, 'a')).not.toBeNull();
  });
});
