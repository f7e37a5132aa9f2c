import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnalysisOptions, Job } from '../../../../src/analysis/process-messages.js';
import { EventStorage } from '../../../../src/analysis/storage/event-storage.js';
import { backlogOf } from '../../../../src/analysis/storage/waiting-files.js';
import {
  exposure,
  filesBelow,
  makeEventsFolder,
  noon,
  priceExperiment,
  purchase,
  sealFile,
} from './event-files.js';

const msPerDay = 86_400_000;

async function openStorage(events: string, over: Partial<AnalysisOptions> = {}) {
  const options: AnalysisOptions = {
    ...{ events, sink: { kind: 'parquet' }, hashesIds: false, memoryBytesMax: 2 ** 28 },
    ...over,
  };
  const storage = await EventStorage.open(options, () => undefined);
  const run = (job: Extract<Job, { type: 'compact' | 'retain' | 'export' | 'forget' }>) =>
    storage.do({ ...job, id: 1 });
  return {
    compact: () => run({ type: 'compact', experiments: [priceExperiment] }),
    retain: (daysKept: number | null, bytesMax: number) =>
      run({ type: 'retain', rules: { daysKept, bytesMax }, nowMs: noon }),
    forget: (u: string, nowMs: number = noon) =>
      run({ type: 'forget', environment: 'live', u, nowMs }),
    exported: async () => {
      const path = join(events, 'tmp/export');
      const request = { environment: 'live', table: 'metric_events', format: 'ndjson' } as const;
      await run({ type: 'export', request: { ...request, from: null, to: null, path } });
      const text = readFileSync(path, 'utf8').trim();
      return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
    },
  };
}

/** A purchase that was received so many days before. */
function daysAgo(days: number, eid: string) {
  const r = noon - days * msPerDay;
  return purchase('ann', eid, { r, e: { t: 'metric', n: 'purchase', x: 1, at: r, eid } });
}

describe('retention of events', () => {
  it('keeps so many days of receipt, the present one included', async () => {
    const events = makeEventsFolder();
    const storage = await openStorage(events);
    sealFile(events, [daysAgo(0, '0'), daysAgo(1, '1'), daysAgo(2, '2'), daysAgo(40, '40')]);
    await storage.compact();
    await storage.retain(2, Number.MAX_SAFE_INTEGER);
    expect((await storage.exported()).map(({ eid }) => eid).sort()).toEqual(['0', '1']);
    expect(readdirSync(join(events, 'parquet/metric_events/environment=live')).sort()).toEqual([
      'day=2026-11-23',
      'day=2026-11-24',
    ]);
  });

  it('removes the oldest days where all take too much room, and counts what is left', async () => {
    const events = makeEventsFolder();
    const storage = await openStorage(events);
    for (const days of [3, 2, 1, 0]) {
      sealFile(events, [daysAgo(days, `${days}`)]);
      await storage.compact();
    }
    const all = await storage.retain(null, Number.MAX_SAFE_INTEGER);
    const bytes = all.type === 'retained' ? (all.result.storedBytes?.metric_events ?? 0) : 0;
    expect(bytes).toBeGreaterThan(4_000);
    await storage.retain(null, Math.ceil(bytes / 2) + 100);
    expect((await storage.exported()).map(({ eid }) => eid).sort()).toEqual(['0', '1']);
    const none = await storage.retain(null, 0);
    expect(none).toMatchObject({ result: { storedBytes: { exposures: 0, metric_events: 0 } } });
    expect(await storage.exported()).toEqual([]);
  });

  it('removes files that wait only where they alone are too much or too old, and says so', async () => {
    const events = makeEventsFolder();
    const storage = await openStorage(events);
    const names = [0, 1, 2].map((at) => sealFile(events, [purchase('ann', `${at}`)]));
    for (const [at, name] of names.entries()) {
      const seconds = (noon - (2 - at) * msPerDay) / 1_000;
      utimesSync(join(events, 'sealed', name), seconds, seconds);
    }
    mkdirSync(join(events, 'damaged'));
    writeFileSync(join(events, 'damaged/old.ndjson'), 'x');
    utimesSync(join(events, 'damaged/old.ndjson'), 1, 1);
    const { bytes, oldestAtMs } = backlogOf(events);
    expect([backlogOf(events).files, oldestAtMs]).toEqual([3, noon - 2 * msPerDay]);
    expect(await storage.retain(null, bytes)).toMatchObject({ result: { droppedFiles: 0 } });
    expect(await storage.retain(null, bytes - 1)).toMatchObject({ result: { droppedFiles: 1 } });
    expect(existsSync(join(events, 'damaged/old.ndjson'))).toBe(true);
    expect(await storage.retain(1, bytes)).toMatchObject({ result: { droppedFiles: 0 } });
    expect(existsSync(join(events, 'damaged/old.ndjson'))).toBe(false);
    expect(readdirSync(join(events, 'sealed'))).toEqual([names[1], names[2]]);
  });
});

describe('a user who is forgotten', () => {
  it('is in no table, no file that waits and no file that was set aside', async () => {
    const events = makeEventsFolder();
    const storage = await openStorage(events);
    sealFile(events, [
      purchase('ann', '1'),
      purchase('ben', '2'),
      purchase('ann', '3', { env: 'dev' }),
      exposure('ann', 'high', '4'),
      '{"u":"ann", no event',
    ]);
    await storage.compact();
    sealFile(events, [purchase('ann', '5'), purchase('ben', '6')]);
    expect(await storage.forget('ann')).toMatchObject({ type: 'forgotten', rows: 2 });
    for (const name of filesBelow(events).filter((file) => file.endsWith('.ndjson'))) {
      const lines = readFileSync(join(events, name), 'utf8').trim().split('\n');
      const theirs = lines.filter((line) => line.includes('"ann"') && line.includes('"live"'));
      expect(theirs, name).toEqual([]);
    }
    await storage.compact();
    expect((await storage.exported()).map(({ u }) => u)).toEqual(['ben', 'ben']);
    expect(readFileSync(join(events, 'forgotten.json'), 'utf8')).not.toContain('ann');
  });

  it('is left out of what was received before and is stored later, and counts again afterwards', async () => {
    const events = makeEventsFolder();
    const storage = await openStorage(events);
    await storage.forget('ann', noon);
    // Of a file that a process was writing meanwhile.
    sealFile(events, [
      purchase('ann', 'before'),
      purchase('ann', 'after', { r: noon + 1 }),
      purchase('ben', '1'),
    ]);
    await storage.compact();
    expect((await storage.exported()).map(({ eid }) => eid).sort()).toEqual(['1', 'after']);
  });

  it('is found by the hash of the id as well', async () => {
    const events = makeEventsFolder();
    const plain = await openStorage(events);
    sealFile(events, [purchase('ann', '1')]);
    await plain.compact();
    const hashed = await openStorage(events, { hashesIds: true });
    sealFile(events, [purchase('ann', '2')]);
    await hashed.compact();
    expect(await hashed.forget('ann')).toMatchObject({ rows: 2 });
    expect(await hashed.exported()).toEqual([]);
  });
});
