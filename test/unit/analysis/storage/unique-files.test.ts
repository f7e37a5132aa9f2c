import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultBatchLimits } from '../../../../src/analysis/storage/batches.js';
import { compact } from '../../../../src/analysis/storage/compaction.js';
import { Duckdb, rowsOfQuery } from '../../../../src/analysis/storage/duckdb.js';
import { scratchFolder } from '../../../../src/analysis/storage/event-folder.js';
import { ParquetSink } from '../../../../src/analysis/storage/parquet/parquet-sink.js';
import type { EventLine } from '../../../../src/published/event-line.js';
import { filesBelow, makeEventsFolder, noon, purchase, sealFile } from './event-files.js';

const day = 24 * 3_600_000;
const today = noon + 20 * day;

class Storage {
  readonly events = makeEventsFolder();
  readonly sink = new ParquetSink(
    this.events,
    new Duckdb({ memoryBytesMax: 2 ** 28, folder: scratchFolder(this.events) }),
  );

  async store(...lines: EventLine[]): Promise<void> {
    sealFile(this.events, lines);
    const parts = { events: this.events, sink: this.sink, hashesIds: false };
    await compact({ ...parts, limits: defaultBatchLimits }, [], today);
  }

  async tidy(): Promise<void> {
    while (await this.sink.tidy(today));
  }

  /** Rows as queries see them. */
  async seen(): Promise<{ once: boolean; rows: readonly string[] }> {
    return this.sink.source.read('live', async (events) => {
      if (events.kind !== 'duckdb') throw new Error('no DuckDB');
      const once = await events.showOnce();
      const sql = 'SELECT u, eid, day, trusted FROM metric_events ORDER BY ALL';
      const rows = await rowsOfQuery(events.connection, sql);
      return { once, rows: rows.map((row) => Object.values(row).join(' ')) };
    });
  }

  get names(): readonly string[] {
    return filesBelow(join(this.events, 'parquet')).map((path) => path.replace(/^.*day=/, ''));
  }
}

function onDay(number: number, u: string, eid: string, over: Partial<EventLine> = {}): EventLine {
  return purchase(u, eid, { r: noon + number * day, ...over });
}

describe('files of metric events', () => {
  it('have no event in common once they are merged, whichever day it was received on again', async () => {
    const storage = new Storage();
    await storage.store(onDay(0, 'ann', '1'), onDay(0, 'ben', '1'));
    await storage.store(onDay(8, 'ann', '1'), onDay(8, 'ann', '2'));
    await storage.tidy();
    expect(storage.names).toEqual([
      expect.stringMatching(/^2026-11-24\/.*\.unique\.parquet$/),
      expect.stringMatching(/^2026-12-02\/.*\.unique\.parquet$/),
    ]);
    expect(await storage.seen()).toEqual({
      once: true,
      rows: ['ann 1 2026-11-24 false', 'ann 2 2026-12-02 false', 'ben 1 2026-11-24 false'],
    });
  });

  it('are read with what is in no merge yet, without what a merge has stored', async () => {
    const storage = new Storage();
    await storage.store(onDay(17, 'ann', '1'));
    await storage.tidy();
    await storage.store(onDay(20, 'ann', '1'), onDay(20, 'ann', '2'));
    await storage.store(onDay(20, 'ann', '2', { r: noon + 20 * day + 1 }));
    expect(storage.names.filter((name) => name.includes('unique'))).toHaveLength(1);
    expect(await storage.seen()).toEqual({
      once: true,
      rows: ['ann 1 2026-12-11 false', 'ann 2 2026-12-14 false'],
    });
  });

  it('keep the copy that came with an events key, and leave queries to count it once until then', async () => {
    const storage = new Storage();
    await storage.store(onDay(17, 'ann', '1'), onDay(17, 'ben', '1'));
    await storage.tidy();
    await storage.store(onDay(18, 'ann', '1', { k: 1 }));
    expect(await storage.seen()).toEqual({
      once: false,
      rows: ['ann 1 2026-12-11 false', 'ann 1 2026-12-12 true', 'ben 1 2026-12-11 false'],
    });
    await storage.tidy();
    expect(await storage.seen()).toEqual({
      once: true,
      rows: ['ann 1 2026-12-12 true', 'ben 1 2026-12-11 false'],
    });
    await storage.store(onDay(19, 'ann', '1'));
    await storage.tidy();
    expect((await storage.seen()).rows).toContain('ann 1 2026-12-12 true');
  });

  it('of an older version are merged too, on any day', async () => {
    const storage = new Storage();
    await storage.store(onDay(0, 'ann', '1'));
    await storage.tidy();
    const folder = join(storage.events, 'parquet/metric_events/environment=live/day=2026-11-24');
    const [name = ''] = readdirSync(folder);
    renameSync(join(folder, name), join(folder, '1-m1.parquet'));
    await storage.store(onDay(3, 'ann', '1'));
    await storage.tidy();
    expect(storage.names.every((each) => each.endsWith('.unique.parquet'))).toBe(true);
    expect((await storage.seen()).rows).toEqual(['ann 1 2026-11-24 false']);
  });

  it('of other environments have the same events for themselves', async () => {
    const storage = new Storage();
    await storage.store(onDay(1, 'ann', '1'), onDay(2, 'ann', '1', { env: 'test' }));
    await storage.tidy();
    expect((await storage.seen()).rows).toEqual(['ann 1 2026-11-25 false']);
    expect(storage.names).toHaveLength(2);
  });
});
