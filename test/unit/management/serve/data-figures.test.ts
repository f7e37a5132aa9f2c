/** Sizes and the last backup, as metrics show them: also where a file is missing, and where the database is slow or away. */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteBackup } from '../../../../src/management/backup/last-backup.js';
import { storeGaugesMsMax } from '../../../../src/management/limits/processes.js';
import {
  DataFigures,
  type DataFiguresDeps,
} from '../../../../src/management/serve/data-figures.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'loadout-test-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

/** Asks a database that responds as it is told to. */
class TestStore {
  asked = 0;
  answer: () => Promise<unknown> = () => Promise.resolve(5_000);

  read: DataFiguresDeps['store']['read'] = () => {
    this.asked += 1;
    return this.answer() as never;
  };
}

function figuresOf(more: Partial<DataFiguresDeps> = {}): () => Promise<Record<string, number>> {
  const folder = {
    path,
    storePath: join(path, 'store.db'),
    publishedPath: join(path, 'published.db'),
  };
  const figures = new DataFigures({
    ...{ folder, store: new TestStore(), isEmbedded: true, isStoreAvailable: () => true },
    ...more,
  });
  return async () =>
    Object.fromEntries((await figures.read()).map(({ name, value }) => [name, value]));
}

describe('the figures of an embedded store', () => {
  it('are the sizes of its files, and 0 for a log that is not there', async () => {
    writeFileSync(join(path, 'store.db'), Buffer.alloc(4_096));
    writeFileSync(join(path, 'published.db'), Buffer.alloc(8_192));
    writeFileSync(join(path, 'published.db-wal'), Buffer.alloc(1_000));
    const store = new TestStore();
    const found = await figuresOf({ store })();
    expect(found).toMatchObject({
      loadout_store_bytes: 4_096,
      loadout_store_wal_bytes: 0,
      loadout_published_bytes: 8_192,
      loadout_published_wal_bytes: 1_000,
      loadout_backup_last_success_timestamp_seconds: 0,
    });
    const { blocks, bsize } = statfsSync(path);
    expect(found['loadout_disk_bytes']).toBe(blocks * bsize);
    expect(store.asked).toBe(0);
  });

  it('lack what is not there', async () => {
    const read = figuresOf();
    expect(await read()).not.toHaveProperty('loadout_published_bytes');
    rmSync(path, { recursive: true });
    expect(await read()).not.toHaveProperty('loadout_disk_bytes');
  });

  it('have the last backup as soon as it is noted', async () => {
    const read = figuresOf();
    await read();
    noteBackup(path, { startedMs: performance.now() - 3_000, bytes: 77 }, Date.UTC(2026, 0, 1));
    const found = await read();
    expect(found).toMatchObject({
      loadout_backup_last_success_timestamp_seconds: Date.UTC(2026, 0, 1) / 1_000,
      loadout_backup_last_success_bytes: 77,
    });
    expect(found['loadout_backup_last_success_duration_seconds']).toBeGreaterThanOrEqual(3);
  });
});

describe('the figures of a shared store', () => {
  it('have the size that the database says, and no backup before this server has sent one', async () => {
    const found = await figuresOf({ isEmbedded: false })();
    expect(found['loadout_store_bytes']).toBe(5_000);
    expect(found).not.toHaveProperty('loadout_store_wal_bytes');
    expect(found).not.toHaveProperty('loadout_backup_last_success_timestamp_seconds');
  });

  it('keep the last size while the database does not respond, and ask it once', async () => {
    const store = new TestStore();
    const read = figuresOf({ store, isEmbedded: false });
    await read();
    store.answer = () => new Promise(() => undefined);
    const startedMs = performance.now();
    const both = await Promise.all([read(), read()]);
    expect(performance.now() - startedMs).toBeLessThan(3 * storeGaugesMsMax);
    for (const found of both) expect(found['loadout_store_bytes']).toBe(5_000);
    expect(store.asked).toBe(2);
  });

  it('do not ask a database that is away, nor fail when it goes away', async () => {
    const store = new TestStore();
    let isAvailable = true;
    const read = figuresOf({ store, isEmbedded: false, isStoreAvailable: () => isAvailable });
    await read();
    store.answer = () => Promise.reject(new StoreUnavailable(null));
    expect((await read())['loadout_store_bytes']).toBe(5_000);
    isAvailable = false;
    expect((await read())['loadout_store_bytes']).toBe(5_000);
    expect(store.asked).toBe(2);
  });
});
