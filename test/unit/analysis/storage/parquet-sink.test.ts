import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultBatchLimits } from '../../../../src/analysis/storage/batches.js';
import { compact } from '../../../../src/analysis/storage/compaction.js';
import { Duckdb, rowsOfQuery } from '../../../../src/analysis/storage/duckdb.js';
import { scratchFolder } from '../../../../src/analysis/storage/event-folder.js';
import { ParquetSink } from '../../../../src/analysis/storage/parquet/parquet-sink.js';
import type { EventTable } from '../../../../src/analysis/storage/rows.js';
import {
  exposure,
  filesBelow,
  makeEventsFolder,
  noon,
  priceExperiment,
  purchase,
  sealFile,
} from './event-files.js';

const experiments = [priceExperiment];

class Storage {
  readonly events: string;
  readonly duckdb: Duckdb;
  sink: ParquetSink;

  /** @param name of its folder below `within` */
  constructor(name = '', within = makeEventsFolder()) {
    this.events = join(within, name);
    for (const folder of ['sealed', 'tmp'])
      mkdirSync(join(this.events, folder), { recursive: true });
    this.duckdb = new Duckdb({ memoryBytesMax: 2 ** 28, folder: scratchFolder(this.events) });
    this.sink = new ParquetSink(this.events, this.duckdb);
  }

  compact(hashesIds = false, nowMs = noon) {
    const limits = defaultBatchLimits;
    return compact({ events: this.events, sink: this.sink, hashesIds, limits }, experiments, nowMs);
  }

  async rows(table: EventTable, environment = 'live') {
    return this.sink.source.read(environment, (events) => {
      if (events.kind !== 'duckdb') throw new Error('no DuckDB');
      return rowsOfQuery(events.connection, `SELECT * FROM ${table} ORDER BY u, eid`);
    });
  }
}

describe('events in Parquet', () => {
  it.each(['[ab]', 'a*', '?', "a'b", '{a,b}'])('are read of the folder %s alone', async (name) => {
    const storage = new Storage(name);
    // What it would match as a pattern.
    for (const other of ['a', 'b', 'ab', 'c']) {
      const neighbour = new Storage(other, dirname(storage.events));
      sealFile(neighbour.events, [purchase('other', other)]);
      await neighbour.compact(false, noon + 1);
    }
    for (const eid of ['1', '2']) {
      sealFile(storage.events, [purchase('ann', eid)]);
      await storage.compact(false, noon + Number(eid));
    }
    expect((await storage.rows('metric_events')).map(({ eid }) => eid)).toEqual(['1', '2']);
    const user = { environment: 'live', hash: '', at: noon };
    expect(await storage.sink.forget(user, ['ann'])).toBe(2);
    expect(await storage.rows('metric_events')).toEqual([]);
  });

  it('are exported as CSV without texts that a spreadsheet takes for formulas', async () => {
    const storage = new Storage();
    const ids = ['=1+2', '+1', '-1', '@a', '\tb', '\rc', 'plain', "'quoted"];
    sealFile(
      storage.events,
      ids.map((u, at) => {
        const line = purchase(u, String(at));
        return { ...line, e: { ...line.e, x: -5 } };
      }),
    );
    await storage.compact();
    const path = join(storage.events, 'tmp/export');
    const table = 'metric_events' as const;
    const wanted = { environment: 'live', table, from: null, to: null, path };
    expect(await storage.sink.export({ ...wanted, format: 'csv' })).toBe(ids.length);
    const written = await storage.duckdb.use((connection) =>
      rowsOfQuery(connection, `SELECT u, value FROM read_csv('${path}', all_varchar = true)`),
    );
    const escaped = ids.map((u) => (/^[=+\-@\t\r]/.test(u) ? `'${u}` : u));
    expect(written.map(({ u }) => u).sort()).toEqual(escaped.sort());
    // A number is none.
    expect(new Set(written.map(({ value }) => value))).toEqual(new Set(['-5.0']));
    await storage.sink.export({ ...wanted, format: 'ndjson' });
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).u).sort()).toEqual(ids.sort());
  });

  it('keeps each metric event once, with its times, trust and attributes', async () => {
    const storage = new Storage();
    sealFile(storage.events, [
      purchase('ann', '1', { k: 1, p: { country: 'DE' } }),
      purchase('ann', '1', { r: noon + 5 }),
      purchase('ben', '1'),
    ]);
    const stored = await storage.compact();
    expect(stored).toMatchObject({ files: 1, events: 3, unreadable: 0, more: true });
    expect(await storage.rows('metric_events')).toEqual([
      {
        ...{ environment: 'live', name: 'purchase', u: 'ann', value: 4.99, trusted: true },
        ...{ at: '2026-11-24 11:59:59', received_at: '2026-11-24 12:00:00', day: '2026-11-24' },
        ...{ eid: '1', attributes: '{"country":"DE"}' },
      },
      expect.objectContaining({ u: 'ben', trusted: false, attributes: null }),
    ]);
    expect(filesBelow(storage.events)).toEqual([
      expect.stringMatching(
        /^parquet\/metric_events\/environment=live\/day=2026-11-24\/[\d-]+\.parquet$/,
      ),
    ]);
  });

  it('finds the experiment, the phase and the contradictions of exposures', async () => {
    const storage = new Storage();
    const users = Array.from({ length: 40 }, (_, at) => `user-${at}`);
    sealFile(storage.events, [
      ...users.map((u) => exposure(u, 'control', 'c')),
      ...users.map((u) => exposure(u, 'high', 'h')),
      // More than clients' clocks are behind.
      exposure('early', 'control', 'e', noon - 3_602_001),
    ]);
    const stored = await storage.compact();
    expect(stored).toMatchObject({ rows: { exposures: 80 }, withoutExperiment: 1 });
    const rows = await storage.rows('exposures');
    expect(rows[0]).toMatchObject({ experiment: 'price-test', phase: 1, content: 'shop' });
    for (const u of users) {
      const theirs = rows.filter((row) => row['u'] === u);
      expect(theirs.map((row) => row['contradiction']).sort()).toEqual([false, true]);
    }
    const believed = rows.filter((row) => row['contradiction'] === false);
    expect(new Set(believed.map((row) => row['variant']))).toEqual(new Set(['control', 'high']));
  });

  it('stores the hash of a user id in its place, and the same one each time', async () => {
    const storage = new Storage();
    sealFile(storage.events, [purchase('ann', '1')]);
    await storage.compact(true);
    sealFile(storage.events, [purchase('ann', '2')]);
    storage.sink = new ParquetSink(storage.events, storage.duckdb);
    await storage.compact(true, noon + 1);
    const ids = (await storage.rows('metric_events')).map((row) => row['u']);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0]]);
  });

  it('keeps texts that are no Unicode, and any character of names and ids', async () => {
    const storage = new Storage();
    const u = `'"\\\u0000\ud800 ü\n🎮`;
    sealFile(storage.events, [purchase(u, `e'"\u0000`)]);
    await storage.compact();
    expect(await storage.rows('metric_events')).toEqual([
      expect.objectContaining({ u: `'"\\\ufffd\ufffd ü\n🎮`, eid: `e'"\ufffd` }),
    ]);
  });

  it('takes what can be read of a damaged file, and sets the file aside', async () => {
    const storage = new Storage();
    const name = sealFile(storage.events, [
      purchase('ann', '1'),
      '\0\0\0\0{"r":17',
      JSON.stringify(purchase('ben', '2', { env: '../../etc' })),
      'x'.repeat(3 * 1024 * 1024),
      purchase('cid', '3'),
    ]);
    expect(await storage.compact()).toMatchObject({ events: 2, unreadable: 3, setAside: 1 });
    expect(readdirSync(join(storage.events, 'damaged'))).toEqual([name]);
    expect((await storage.rows('metric_events')).map((row) => row['u'])).toEqual(['ann', 'cid']);
  });

  it('works off a large backlog in batches', async () => {
    const storage = new Storage();
    for (let file = 0; file < 5; file++) sealFile(storage.events, [purchase('ann', `${file}`)]);
    const parts = { events: storage.events, sink: storage.sink, hashesIds: false };
    const limits = { filesMax: 2, bytesMax: 2 ** 20 };
    const batches = [];
    for (let at = 0; at < 3; at++) {
      const { files, more } = await compact({ ...parts, limits }, experiments, noon + at);
      batches.push([files, more]);
    }
    expect(batches).toEqual([
      [2, true],
      [2, true],
      [1, true],
    ]);
    expect(await storage.rows('metric_events')).toHaveLength(5);
  });

  it('writes the same files when a batch is stored again', async () => {
    const storage = new Storage();
    const name = sealFile(storage.events, [purchase('ann', '1'), exposure('ann', 'high', '2')]);
    const text = readFileSync(join(storage.events, 'sealed', name));
    await storage.compact();
    const files = filesBelow(storage.events);
    // As if the process had ended before it removed the batch.
    const [batch = ''] = /[\d-]+(?=\.parquet)/.exec(files[0] ?? '') ?? [];
    sealFile(storage.events, [purchase('ben', '3')]);
    writeFileSync(join(storage.events, 'sealed', name), text);
    mkdirSync(join(storage.events, 'pending', `${batch}.1`), { recursive: true });
    renameSync(
      join(storage.events, 'sealed', name),
      join(storage.events, 'pending', `${batch}.1`, name),
    );
    expect(await storage.compact(false, noon + 1)).toMatchObject({ files: 1, more: true });
    expect(filesBelow(join(storage.events, 'parquet'))).toHaveLength(2);
    expect(await storage.rows('metric_events')).toHaveLength(1);
  });

  it('takes the files of a batch one by one when it has ended the process three times', async () => {
    const storage = new Storage();
    const names = [
      sealFile(storage.events, [purchase('ann', '1')]),
      sealFile(storage.events, [purchase('ben', '2')]),
    ];
    const folder = join(storage.events, 'pending', `${noon}-7.3`);
    mkdirSync(folder, { recursive: true });
    for (const name of names) renameSync(join(storage.events, 'sealed', name), join(folder, name));
    expect(await storage.compact()).toMatchObject({ files: 0, setAside: 0, more: true });
    expect(await storage.compact()).toMatchObject({ files: 1, more: true });
    expect(await storage.compact()).toMatchObject({ files: 1, more: true });
    expect(await storage.compact()).toMatchObject({ files: 0, more: false });
    expect(await storage.rows('metric_events')).toHaveLength(2);
    const single = sealFile(storage.events, [purchase('cid', '3')]);
    mkdirSync(folder);
    renameSync(join(storage.events, 'sealed', single), join(folder, single));
    expect(await storage.compact()).toMatchObject({ setAside: 1, more: true });
    expect(readdirSync(join(storage.events, 'damaged'))).toEqual([single]);
    expect(readdirSync(join(storage.events, 'pending'))).toEqual([]);
  });

  it('holds no failure of the disk against a batch', async () => {
    const storage = new Storage();
    sealFile(storage.events, [purchase('ann', '1')]);
    writeFileSync(join(storage.events, 'parquet'), 'in the way');
    for (let tries = 0; tries < 5; tries++) {
      await expect(storage.compact()).rejects.toMatchObject({ reason: 'failed' });
    }
    rmSync(join(storage.events, 'parquet'));
    expect(await storage.compact()).toMatchObject({ files: 1, setAside: 0 });
    expect(await storage.rows('metric_events')).toHaveLength(1);
  });

  it('puts one file in the place of many small ones, without what is there twice', async () => {
    const storage = new Storage();
    for (let at = 0; at < 12; at++) {
      sealFile(storage.events, [purchase('ann', 'again'), purchase('ann', `${at}`)]);
      await storage.compact(false, noon + at);
    }
    expect(await storage.rows('metric_events')).toHaveLength(24);
    expect(await storage.compact()).toMatchObject({ files: 0, more: true });
    expect(await storage.compact()).toMatchObject({ files: 0, more: false });
    expect(filesBelow(join(storage.events, 'parquet'))).toHaveLength(1);
    expect(await storage.rows('metric_events')).toHaveLength(13);
    expect(existsSync(join(storage.events, 'merge.json'))).toBe(false);
  });

  it('leaves no row twice when a merge ended between its steps', async () => {
    const storage = new Storage();
    for (const eid of ['1', '2']) {
      sealFile(storage.events, [purchase('ann', eid)]);
      await storage.compact(false, noon + Number(eid));
    }
    const inputs = filesBelow(storage.events).map((name) => join(storage.events, name));
    const output = join(inputs[0] ?? '', '../9-m1.parquet');
    writeFileSync(join(storage.events, 'merge.json'), JSON.stringify({ output, inputs }));
    // Its file was not in place: the inputs stay.
    storage.sink = new ParquetSink(storage.events, storage.duckdb);
    expect(await storage.rows('metric_events')).toHaveLength(2);
    await storage.duckdb.use((connection) =>
      connection.run(
        `COPY (SELECT * FROM read_parquet(['${inputs.join("', '")}'])) TO '${output}'`,
      ),
    );
    writeFileSync(join(storage.events, 'merge.json'), JSON.stringify({ output, inputs }));
    storage.sink = new ParquetSink(storage.events, storage.duckdb);
    expect(await storage.rows('metric_events')).toHaveLength(2);
    expect(filesBelow(storage.events)).toHaveLength(1);
  });
});
