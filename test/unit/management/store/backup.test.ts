/** Copies of a store, and their way back. Method: files in folders of their own, edits of the store meanwhile. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyStore, StoreUnreadable } from '../../../../src/management/backup/backup.js';
import {
  checkStoreFile,
  StoreFileUnusable,
} from '../../../../src/management/backup/backup-check.js';
import {
  DataFolderNotEmpty,
  type RestoreOptions,
  restoreStore,
} from '../../../../src/management/backup/backup-restore.js';
import { DataFolder, DataFolderUnusable } from '../../../../src/management/store/data-folder.js';
import { BetterSqlite3 } from '../../../../src/published/sqlite-driver.js';
import { openStore, startMs, temporaryFolder, tester } from '../harness.js';
import { makeContent, makeDev, numbersOf, saveRow } from './stored-contents.js';

interface Made {
  readonly folder: string;
  readonly backup: string;
  readonly storeId: string;
  readonly streamKey: string;
  readonly sequence: number;
}

/** A folder with a store in it, and a backup beside the folder; the store is closed. */
async function makeBackup(): Promise<Made> {
  const folder = join(temporaryFolder(), 'data');
  new DataFolder(folder).release();
  const store = await openStore(join(folder, 'store.db'));
  await makeDev(store);
  await makeContent(store, 'shop', ['"1"', '"2"']);
  const backup = join(temporaryFolder(), 'backup.db');
  await copyStore(join(folder, 'store.db'), backup);
  const { id: storeId, streamKey } = store;
  const sequence = await store.sequence();
  await store.close();
  return { folder, backup, storeId, streamKey, sequence };
}

function restore(file: string, folder: string, more: Partial<RestoreOptions> = {}) {
  return restoreStore({ file, folder, force: false, now: () => startMs, ...more });
}

describe('a backup', () => {
  it('is the store at one moment, though edits go on while it is made', async () => {
    const folder = temporaryFolder();
    const store = await openStore(join(folder, 'store.db'));
    await makeDev(store);
    // Large enough for several steps.
    const text = JSON.stringify('x'.repeat(200_000));
    const texts = Array.from({ length: 60 }, (_, index) => `${index} ${text}`);
    await makeContent(store, 'shop', texts);
    const before = await store.sequence();
    let saved = 60;
    const edits: Promise<unknown>[] = [];
    let steps = 0;
    await copyStore(join(folder, 'store.db'), join(folder, 'backup.db'), () => {
      steps += 1;
      const newest = saved;
      edits.push(store.write(tester, (write) => saveRow(write, 'shop', `"${newest}"`, newest)));
      saved += 1;
    });
    await Promise.all(edits);
    expect(steps).toBeGreaterThan(2);
    expect(await store.sequence()).toBe(before + steps);
    expect(checkStoreFile(join(folder, 'backup.db'))).toEqual({
      storeId: store.id,
      sequence: before,
      schema: 15,
      environments: 1,
      contents: 1,
    });
    const copy = await openStore(join(folder, 'backup.db'));
    expect(await numbersOf(copy, 'shop')).toHaveLength(60);
  });

  it('is one file, for its owner only', async () => {
    const { backup } = await makeBackup();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(backup, '..'))).toEqual(['backup.db']);
  });

  it('is not made of what is no store, and leaves nothing behind then', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'store.db'), 'not a database'.repeat(1_000));
    const copy = copyStore(join(folder, 'store.db'), join(folder, 'backup.db'));
    await expect(copy).rejects.toThrow(StoreUnreadable);
    await expect(copyStore(join(folder, 'none'), join(folder, 'backup.db'))).rejects.toThrow(
      StoreUnreadable,
    );
    expect(existsSync(join(folder, 'backup.db'))).toBe(false);
  });

  it('never replaces a file', async () => {
    const { folder, backup } = await makeBackup();
    const bytes = readFileSync(backup);
    await expect(copyStore(join(folder, 'store.db'), backup)).rejects.toThrow('EEXIST');
    expect(readFileSync(backup).equals(bytes)).toBe(true);
  });
});

describe('a data folder', () => {
  it('loses what a crash left of a copy when it is next opened, and nothing else', () => {
    const path = join(temporaryFolder(), 'data');
    const folder = new DataFolder(path);
    const copy = folder.scratchPath('backup');
    for (const file of [copy, `${copy}-journal`, join(path, 'store.db.before-4')]) {
      writeFileSync(file, 'x');
    }
    folder.release();
    new DataFolder(path).release();
    expect(readdirSync(path).sort()).toEqual(['lock.db', 'store.db.before-4']);
  });
});

describe('a restore', () => {
  it('gives everything back under another identity, and numbers that nobody was given', async () => {
    const { backup, storeId, streamKey, sequence } = await makeBackup();
    const folder = join(temporaryFolder(), 'new');
    const restored = await restore(backup, folder);
    expect(restored).toMatchObject({ sequence: sequence + 1, contents: 1, kept: null });
    expect(restored.storeId).not.toBe(storeId);
    expect(readdirSync(folder).sort()).toEqual(['lock.db', 'store.db']);
    expect(statSync(join(folder, 'store.db')).mode & 0o777).toBe(0o600);
    const store = await openStore(join(folder, 'store.db'));
    expect(store.id).toBe(restored.storeId);
    // Tokens of streams hold at the store that gave them.
    expect(Buffer.from(store.streamKey, 'base64url')).toHaveLength(32);
    expect(store.streamKey).not.toBe(streamKey);
    expect(await numbersOf(store, 'shop')).toEqual([1, 2]);
    // Nobody can follow the old numbers into it: they read everything.
    expect(await store.readChanges({ sequence, mark: 'of the old one' })).toBe('lost');
    const audit = await store.read((db) => db.selectFrom('audit').select('action').execute());
    expect(audit.map(({ action }) => action)).toContain('store.restore');
  });

  it('over another store keeps that one, goes beyond its numbers and removes published.db', async () => {
    const { backup, folder } = await makeBackup();
    const later = await openStore(join(folder, 'store.db'));
    for (let n = 0; n < 20; n += 1) await makeContent(later, `later-${n}`, ['1']);
    const reached = await later.sequence();
    await later.close();
    for (const name of ['published.db', 'published.db-wal']) writeFileSync(join(folder, name), '');
    const restored = await restore(backup, folder, { force: true });
    expect(restored.sequence).toBe(reached + 1);
    const kept = 'store.db.replaced-20260101T000000Z';
    expect(readdirSync(folder).sort()).toEqual(['lock.db', 'store.db', kept]);
    expect(checkStoreFile(restored.kept ?? '')).toMatchObject({ sequence: reached, contents: 21 });
    expect(checkStoreFile(join(folder, 'store.db'))).toMatchObject({ contents: 1 });
  });

  it('takes the place of a damaged store too, and never reads its WAL', async () => {
    const { backup, folder } = await makeBackup();
    writeFileSync(join(folder, 'store.db'), 'not a database'.repeat(1_000));
    writeFileSync(join(folder, 'store.db-wal'), 'what was left');
    const restored = await restore(backup, folder, { force: true });
    expect(readFileSync(`${restored.kept}-wal`, 'utf8')).toBe('what was left');
    expect(checkStoreFile(join(folder, 'store.db'))).toMatchObject({ contents: 1 });
  });

  it('is refused for a folder that is in use, force or not', async () => {
    const { backup, folder } = await makeBackup();
    const inUse = new DataFolder(folder);
    await expect(restore(backup, folder, { force: true })).rejects.toThrow(DataFolderUnusable);
    inUse.release();
  });

  it('is refused for a folder that holds something, unless forced', async () => {
    const { backup, folder } = await makeBackup();
    const before = readFileSync(join(folder, 'store.db'));
    await expect(restore(backup, folder)).rejects.toThrow(DataFolderNotEmpty);
    expect(readFileSync(join(folder, 'store.db')).equals(before)).toBe(true);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    ['is text', (file) => writeFileSync(file, 'hello '.repeat(1_000)), /is no store of Loadout/],
    ['is empty', (file) => writeFileSync(file, ''), /is no store of Loadout/],
    ['is another database', anotherDatabase, /is no store of Loadout/],
    ['was cut off', (file) => truncateSync(file, statSync(file).size - 8_192), /is damaged/],
    ['has a damaged page', damagePage, /is damaged/],
    [
      'is of a newer version',
      (file) => execute(file, 'INSERT INTO schema_version VALUES (99, 0)'),
      /newer version of Loadout \(schema 99; this version knows 15\)/,
    ],
    ['has a row that refers to nothing', orphan, /is damaged: 1 rows refer to nothing/],
  ])('is refused when the file %s; the folder stays as it was', async (_what, spoil, message) => {
    const { backup, folder } = await makeBackup();
    spoil(backup);
    const before = readdirSync(folder).sort();
    const restoring = restore(backup, folder, { force: true });
    await expect(restoring).rejects.toThrow(StoreFileUnusable);
    await expect(restoring).rejects.toThrow(message);
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  it('is refused when there is no such file', async () => {
    await expect(restore('/nowhere/backup.db', temporaryFolder())).rejects.toThrow('is not there');
  });
});

function execute(file: string, sql: string): void {
  const db = new BetterSqlite3(file);
  db.exec(sql);
  db.close();
}

function anotherDatabase(file: string): void {
  writeFileSync(file, '');
  execute(file, 'CREATE TABLE things (name TEXT)');
}

function orphan(file: string): void {
  execute(
    file,
    "PRAGMA foreign_keys = OFF; UPDATE revision_lines SET text_digest = 'gone' WHERE number = 1",
  );
}

/** Overwrites the first page of a table in its middle. */
function damagePage(file: string): void {
  const db = new BetterSqlite3(file, { readonly: true });
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'revisions'").pluck();
  const page = root.get() as number;
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const bytes = readFileSync(file);
  bytes.fill('damage', (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(file, bytes);
}
