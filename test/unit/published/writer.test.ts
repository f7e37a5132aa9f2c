import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import type {
  PublishedCandidate,
  PublishedChange,
  PublishedDelivery,
  PublishedLine,
} from '../../../src/published/change.js';
import { PublishedDamaged } from '../../../src/published/damage.js';
import {
  type EnvironmentSettings,
  noSettings,
} from '../../../src/published/environment-settings.js';
import { PublishedReader } from '../../../src/published/reader.js';
import { type Field, rowSum } from '../../../src/published/row-sum.js';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { PublishedWriter } from '../../../src/published/writer.js';

let folder: string;
let path: string;
let nowMs: number;
let writer: PublishedWriter;
let reader: PublishedReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-published-'));
  path = join(folder, 'published.db');
  nowMs = 1_000_000;
  writer = new PublishedWriter(path, () => nowMs);
  reader = new PublishedReader(path);
});

afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

function lineOf(json: string, version = '0.0.0'): PublishedLine {
  const bytes = Buffer.from(json);
  return { version, digest: digestOf(bytes), hash: contentHash(bytes), json: bytes };
}

function content(
  id: string,
  json: string,
  mapping = '',
  flags: readonly string[] = [],
  candidate: PublishedCandidate | null = null,
): PublishedChange {
  const lines = [lineOf(json)];
  return { kind: 'content', environment: 'dev', id, lines, mapping, flags, candidate };
}

function candidateOf(delivery: PublishedDelivery | null): PublishedCandidate {
  const ramp = { release: 'r', run: 2, salt: 'salt', permille: 10, step: 1, receipts: true };
  return { ...ramp, content: delivery };
}

const streamKey = Buffer.alloc(32, 7).toString('base64url');

const at = (sequence: number) => ({ sequence, mark: `mark-${sequence}` });

const dev: PublishedChange = { kind: 'environment', environment: 'dev', settings: noSettings };
const settings: EnvironmentSettings = {
  layers: [{ name: 'shop', salt: 'layer-1' }],
  holdout: { salt: 'out', groups: [0, 49] },
  experiments: [
    { id: 'price', phase: 1, content: 'shop', segment: 'all', salt: 'exp-7', variants: ['a', 'b'] },
  ],
  takesEvents: true,
  metricEvents: ['purchase'],
  traffic: 'contexts',
};
const key: PublishedChange = {
  kind: 'key',
  environment: 'dev',
  keyHash: 'abc',
  expiresAtMs: 5,
  purpose: 'game',
};

describe('published.db', () => {
  it('gives back what was applied, with the sequence it was applied under', () => {
    writer.apply(at(7), [dev, key, content('Shop', '{"a":1}', '[{"segment":"x"}]', ['/a', ''])]);
    const snapshot = reader.snapshot();
    expect(snapshot.sequence).toBe(7);
    expect(snapshot.environments).toEqual([{ id: 'dev', settings: noSettings }]);
    expect(snapshot.keys).toEqual([
      { hash: 'abc', environment: 'dev', expiresAtMs: 5, purpose: 'game' },
    ]);
    expect(snapshot.contents).toEqual([['dev', 'shop']]);
    const row = reader.content('dev', 'shop');
    expect(row?.id).toBe('Shop');
    expect(row?.flags).toEqual(['/a', '']);
    expect(Buffer.from(row?.mapping ?? []).toString()).toBe('[{"segment":"x"}]');
    const digest = row?.lines[0]?.digest ?? '';
    expect(Buffer.from(reader.body(digest) ?? []).toString()).toBe('{"a":1}');
  });

  it('shows nothing of many changes before all of them are there', async () => {
    writer.apply(at(1), [dev, content('a', '1')]);
    async function* coming(fail: boolean): AsyncGenerator<PublishedChange> {
      yield content('a', '2');
      await new Promise((resolve) => setImmediate(resolve));
      expect(reader.snapshot().sequence).toBe(1);
      expect(reader.content('dev', 'a')?.lines[0]?.hash).toBe(contentHash(Buffer.from('1')));
      if (fail) throw new Error('the store went away');
      yield content('b', '2');
    }
    await expect(writer.applyMany(at(2), coming(true))).rejects.toThrow('went away');
    expect([writer.sequence, reader.snapshot().contents]).toEqual([1, [['dev', 'a']]]);
    await writer.applyMany(at(2), coming(false));
    expect(reader.changesAfter(1)?.contents).toEqual([
      ['dev', 'a'],
      ['dev', 'b'],
    ]);
    expect(reader.snapshot().sequence).toBe(2);
  });

  it('names only what changed after a sequence, in its present state', () => {
    writer.apply(at(1), [dev, content('a', '1'), content('b', '2')]);
    writer.apply(at(2), [content('a', '3')]);
    writer.apply(at(3), [{ kind: 'content-removed', environment: 'dev', id: 'B' }]);
    const delta = reader.changesAfter(1);
    expect(delta?.sequence).toBe(3);
    expect(delta?.contents).toEqual([
      ['dev', 'a'],
      ['dev', 'b'],
    ]);
    expect(reader.content('dev', 'a')?.lines[0]?.hash).toBe(contentHash(Buffer.from('3')));
    expect(reader.content('dev', 'b')).toBeNull();
    expect(reader.changesAfter(3)?.contents).toEqual([]);
  });

  it('has nothing to say about sequences it does not know', () => {
    writer.apply(at(1), [dev]);
    expect(reader.changesAfter(2)).toBeNull();
  });

  it('removes a body only when nobody uses it and its time is up', () => {
    writer.apply(at(1), [dev, content('a', '"shared"'), content('b', '"shared"')]);
    const digest = digestOf('"shared"');
    writer.apply(at(2), [content('a', '"new"')]);
    nowMs += 3_600_000;
    expect(writer.pruneBodies()).toBe(0);
    writer.apply(at(3), [content('b', '"new"')]);
    expect(writer.pruneBodies()).toBe(0);
    expect(reader.body(digest)).not.toBeNull();
    nowMs += 3_600_000;
    expect(writer.pruneBodies()).toBe(1);
    expect(reader.body(digest)).toBeNull();
  });

  it('keeps a body that nobody uses for as long as others than delivery processes need it', () => {
    writer.apply(at(1), [dev, content('a', '"named to a follower"')]);
    writer.apply(at(2), [content('a', '"new"')]);
    const kept = { ms: 3_600_000, bytesMax: 1_000 };
    nowMs += kept.ms;
    expect(writer.pruneBodies(kept)).toBe(0);
    nowMs += 1;
    expect(writer.pruneBodies(kept)).toBe(1);
  });

  it('keeps no more bytes of them than it may, the newest, and none shorter than delivery processes need it', () => {
    const kept = { ms: 3_600_000, bytesMax: 1_000 };
    const text = (of: string): string => JSON.stringify(of.repeat(398));
    writer.apply(at(1), [dev, content('a', text('a'))]);
    for (const [n, of] of ['b', 'c', 'd'].entries()) {
      nowMs += 10_000;
      writer.apply(at(n + 2), [content('a', text(of))]);
    }
    // Three of 400 bytes each: the first was retired 20 seconds before the last.
    expect(writer.pruneBodies(kept)).toBe(0);
    nowMs += 50_000;
    expect(writer.pruneBodies(kept)).toBe(1);
    nowMs += 60_000;
    expect(writer.pruneBodies(kept)).toBe(0);
    expect(['a', 'b', 'c'].map((of) => reader.body(digestOf(text(of))) !== null)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('gives back the candidate of a release beside what is live, with the conditions that it sees', () => {
    const mapping = '[{"segment":"y"}]';
    const delivery = {
      lines: [lineOf('{"a":2}'), lineOf('{"a":3}', '2.0.0')],
      mapping,
      flags: ['/b'],
    };
    const where = { environment: 'dev', name: 'whales' };
    writer.apply(at(1), [
      dev,
      { kind: 'segment', ...where, when: null, candidate: '{"level":1}' },
      content('Shop', '{"a":1}', '', ['/a'], candidateOf(delivery)),
      content('gone', '1', '', [], candidateOf(null)),
    ]);
    expect(reader.snapshot().segments).toEqual([
      { ...where, condition: null, candidate: '{"level":1}' },
    ]);
    expect(reader.content('dev', 'gone')?.candidate).toEqual(candidateOf(null));
    const row = reader.content('dev', 'shop');
    expect(row).toMatchObject({ mapping: null, flags: ['/a'], lines: [{ version: '0.0.0' }] });
    const { content: read, ...ramp } = row?.candidate ?? candidateOf(null);
    expect({ ...ramp, content: null }).toEqual(candidateOf(null));
    expect(read).toMatchObject({
      mappingDigest: digestOf(mapping),
      flags: ['/b'],
      lines: [
        { version: '0.0.0', digest: digestOf('{"a":2}'), bytes: 7 },
        { version: '2.0.0', digest: digestOf('{"a":3}'), bytes: 7 },
      ],
    });
    expect(Buffer.from((read as { mapping: Uint8Array }).mapping).toString()).toBe(mapping);
    expect(Buffer.from(reader.body(digestOf('{"a":3}')) ?? []).toString()).toBe('{"a":3}');
  });

  it('keeps the bodies of a candidate as long as it is one, and retires them with it', () => {
    const mapping = '[{"segment":"y"}]';
    const candidate = candidateOf({ lines: [lineOf('"next"')], mapping, flags: [] });
    writer.apply(at(1), [dev, content('a', '"live"', '', [], candidate)]);
    nowMs += 3_600_000;
    expect(writer.pruneBodies()).toBe(0);
    writer.apply(at(2), [content('a', '"live"')]);
    nowMs += 3_600_000;
    expect(writer.pruneBodies()).toBe(2);
    expect(reader.body(digestOf('"next"'))).toBeNull();
    expect(reader.body(digestOf('"live"'))).not.toBeNull();
  });

  it('serves nothing where no content item is live, whatever a release would deliver', () => {
    const candidate = candidateOf({ lines: [lineOf('1')], mapping: '', flags: [] });
    writer.apply(at(1), [
      dev,
      { ...content('a', '1', '', [], candidate), lines: [] } as PublishedChange,
    ]);
    expect(writer.servesNothing).toBe(true);
    expect(reader.content('dev', 'a')).toMatchObject({ lines: [], candidate: { release: 'r' } });
    writer.apply(at(2), [content('a', '1')]);
    expect(writer.servesNothing).toBe(false);
  });

  it('keeps a retired body that is used again', () => {
    writer.apply(at(1), [dev, content('a', '"x"')]);
    writer.apply(at(2), [content('a', '"y"')]);
    writer.apply(at(3), [content('a', '"x"')]);
    nowMs += 3_600_000;
    writer.pruneBodies();
    expect(reader.body(digestOf('"x"'))).not.toBeNull();
    expect(reader.body(digestOf('"y"'))).toBeNull();
  });

  it('retires what a removed environment alone used', () => {
    const other: PublishedChange = {
      kind: 'environment',
      environment: 'prod',
      settings: noSettings,
    };
    writer.apply(at(1), [dev, other, content('a', '"only"'), content('b', '"both"')]);
    writer.apply(at(2), [{ ...content('b', '"both"'), environment: 'prod' } as PublishedChange]);
    writer.apply(at(3), [{ kind: 'environment-removed', environment: 'dev' }]);
    nowMs += 3_600_000;
    expect(writer.pruneBodies()).toBe(1);
    expect(reader.body(digestOf('"both"'))).not.toBeNull();
    expect(reader.snapshot().contents).toEqual([['prod', 'b']]);
  });

  it('replaces everything at once on a rebuild, and sends readers to the snapshot', async () => {
    writer.apply(at(1), [dev, key, content('old', '1')]);
    async function* everything(): AsyncGenerator<PublishedChange> {
      yield dev;
      expect(reader.snapshot().contents[0]?.[1]).toBe('old');
      yield content('new', '2');
    }
    await writer.rebuild(at(9), everything());
    expect(reader.snapshot().contents.map(([, id]) => id)).toEqual(['new']);
    expect(reader.snapshot().keys).toEqual([]);
    expect(reader.changesAfter(1)).toBeNull();
    expect(reader.changesAfter(9)?.contents).toEqual([]);
  });

  it('stays as it was when a rebuild breaks off', async () => {
    writer.apply(at(1), [dev, content('old', '1')]);
    async function* broken(): AsyncGenerator<PublishedChange> {
      yield content('new', '2');
      throw new Error('the store is gone');
    }
    await expect(writer.rebuild(at(9), broken())).rejects.toThrow('the store is gone');
    expect(reader.snapshot().contents.map(([, id]) => id)).toEqual(['old']);
    expect(writer.sequence).toBe(1);
  });

  it('remembers how far in which history of which store it is', () => {
    expect(writer.position).toEqual({ sequence: 0, mark: '' });
    writer.apply(at(4), [dev]);
    expect(reader.snapshot().streamKey).toBeNull();
    writer.setStore({ id: 'store-a', streamKey });
    writer.close();
    writer = new PublishedWriter(path, () => nowMs);
    expect(writer.position).toEqual(at(4));
    expect(writer.storeId).toBe('store-a');
    expect(writer.isOfOlderFormat).toBe(false);
    const { streamKey: read } = reader.snapshot();
    expect(Buffer.from(read ?? []).toString('base64url')).toBe(streamKey);
    expect(reader.changesAfter(4)?.streamKey).toEqual(read);
  });

  it.each([1, 2, 3, 4, 5])('keeps what a file of format %i serves', (format) => {
    const where = { environment: 'dev', name: 'all' };
    const segment = { kind: 'segment', ...where, when: '{}', candidate: null } as const;
    writer.apply(at(4), [dev, key, segment, content('a', '1', '[{"segment":"x"}]')]);
    writer.setStore({ id: 'store', streamKey });
    takeBackTo(format);

    writer = new PublishedWriter(path, () => nowMs);
    expect(writer.position).toEqual(format === 1 ? { sequence: 4, mark: '' } : at(4));
    expect(writer.servesNothing).toBe(false);
    // Since format 4, the columns that are new need nothing of the store.
    expect(writer.isOfOlderFormat).toBe(format < 4);
    reader = new PublishedReader(path);
    const { environments, keys, segments, contents } = reader.snapshot();
    expect(environments).toEqual([{ id: 'dev', settings: noSettings }]);
    expect([keys.length, segments.length, contents.length]).toEqual([1, 1, 1]);
    expect(reader.content('dev', 'a')?.lines[0]?.digest).toBe(digestOf('1'));
    expect(reader.content('dev', 'a')).toMatchObject({ flags: [], candidate: null });
    expect(segments[0]).toEqual({ ...where, condition: '{}', candidate: null });
    expect(reader.snapshot().streamKey === null).toBe(format < 4);
    // And it is the present format: what is written next is read like the rest.
    const candidate = candidateOf(null);
    writer.apply(at(5), [
      content('b', '2', '', ['/x'], candidate),
      { kind: 'segment', ...where, when: null, candidate: '{"a":1}' },
      { kind: 'environment', environment: 'dev', settings },
    ]);
    expect(reader.snapshot()).toMatchObject({
      sequence: 5,
      environments: [{ id: 'dev', settings }],
      segments: [{ ...where, condition: null, candidate: '{"a":1}' }],
    });
    expect(reader.content('dev', 'b')).toMatchObject({ flags: ['/x'], candidate });
  });

  it('names an environment whose settings changed apart from one that was made or removed', () => {
    const withSettings: PublishedChange = { ...dev, settings };
    writer.apply(at(1), [dev]);
    writer.apply(at(2), [withSettings]);
    expect(reader.snapshot().environments).toEqual([{ id: 'dev', settings }]);
    const changed = reader.changesAfter(1);
    expect([...(changed?.settings ?? [])]).toEqual([['dev', settings]]);
    expect(changed?.environments.size).toBe(0);
    const since = reader.changesAfter(0);
    expect([...(since?.environments ?? [])]).toEqual([['dev', { id: 'dev', settings }]]);

    writer.apply(at(3), [{ kind: 'environment-removed', environment: 'dev' }, dev]);
    const again = reader.changesAfter(2);
    expect([...(again?.environments ?? [])]).toEqual([
      ['dev', { id: 'dev', settings: noSettings }],
    ]);
    expect(again?.settings.size).toBe(0);
    writer.apply(at(4), [{ kind: 'environment-removed', environment: 'dev' }]);
    expect([...(reader.changesAfter(1)?.environments ?? [])]).toEqual([['dev', null]]);
    expect(reader.changesAfter(1)?.settings.size).toBe(0);
  });

  it.each([3, 4, 5])('does not take a damaged row of format %i for what was written', (format) => {
    writer.apply(at(4), [dev, content('a', '1')]);
    takeBackTo(format);
    const db = new BetterSqlite3(path);
    db.exec("UPDATE contents SET id = 'A'");
    db.close();
    expect(() => new PublishedWriter(path, () => nowMs)).toThrow(PublishedDamaged);
    // For `afterEach`.
    rmSync(path);
    writer = new PublishedWriter(path, () => nowMs);
    reader = new PublishedReader(path);
  });
});

/** What is in the file, as a version of the format wrote it. */
function takeBackTo(format: number): void {
  writer.close();
  reader.close();
  const db = new BetterSqlite3(path);
  const drop = (table: string, column: string) =>
    db.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  drop('environments', 'settings');
  drop('keys', 'purpose');
  if (format < 5) drop('segments', 'candidate');
  if (format < 5) drop('contents', 'candidate');
  if (format < 4) drop('state', 'stream_key');
  if (format < 4) drop('contents', 'flags');
  if (format < 2) for (const column of ['mark', 'refused']) drop('state', column);
  db.prepare('UPDATE state SET format = ?').run(format);
  for (const table of ['state', 'environments', 'keys', 'segments', 'contents']) {
    if (format < 3) drop(table, 'sum');
    else sumAgain(db, table);
  }
  db.close();
}

/** Over all other columns, whose order is that of the table. */
function sumAgain(db: InstanceType<typeof BetterSqlite3>, table: string): void {
  const names = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  const columns = names.all(table).filter((name) => name !== 'sum');
  const key = columns.slice(0, ['segments', 'contents'].includes(table) ? 2 : 1);
  const set = db.prepare(
    `UPDATE ${table} SET sum = ? WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`,
  );
  for (const row of db.prepare<[], Field[]>(`SELECT ${columns} FROM ${table}`).raw().all()) {
    set.run(rowSum(table, row), ...row.slice(0, key.length));
  }
}
