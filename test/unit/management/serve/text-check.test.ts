/** Bits that flip in the store. Method: a real store, a text of which is changed behind its back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../src/content/hash.js';
import { TextCheck } from '../../../../src/management/serve/text-check.js';
import type { Store } from '../../../../src/management/store/store.js';
import { StoreDamaged } from '../../../../src/management/store/store-faults.js';
import { BetterSqlite3 } from '../../../../src/published/sqlite-driver.js';
import { onPostgres } from '../../../support/postgres/tested-store.js';
import { openStore, temporaryFolder, tester } from '../harness.js';
import { makeContent, makeDev } from '../store/stored-contents.js';

const megabytes = 3;

async function storeWithTexts(): Promise<Store> {
  const store = await openStore(join(temporaryFolder(), 'store.db'));
  await makeDev(store);
  await makeContent(store, 'shop', ['1', '2']);
  return store;
}

async function setText(store: Store, digest: string, bytes: Uint8Array): Promise<void> {
  await store.write(tester, (write) =>
    write.db.updateTable('texts').set({ bytes }).where('digest', '=', digest).execute(),
  );
}

async function digests(store: Store): Promise<string[]> {
  const rows = await store.read((db) => db.selectFrom('texts').select('digest').execute());
  return rows.map((row) => row.digest);
}

describe('the check of the texts', () => {
  it('finds the one that is not what was saved, and says who uses it and what to do', async () => {
    const store = await storeWithTexts();
    const lines: { digest?: string; contents?: string[]; msg: string }[] = [];
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    const check = new TextCheck({ store, log, pauseMs: 0 });
    const count = (await digests(store)).length;
    expect(await check.run()).toMatchObject({ texts: count, damaged: [] });

    const damaged = digestOf('2');
    await setText(store, damaged, Buffer.from('3'));
    expect((await check.run()).damaged).toEqual([{ digest: damaged, contents: ['dev/shop'] }]);
    expect(check.gauges[0]).toMatchObject({ name: 'loadout_store_texts_damaged', value: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ digest: damaged, contents: ['dev/shop'] });
    expect(lines[0]?.msg).toContain('loadout restore');

    await setText(store, damaged, Buffer.from('2'));
    expect((await check.run()).damaged).toEqual([]);
    expect(check.gauges[0]?.value).toBe(0);
  });

  it('reads long texts in parts, and comes to the same digest', async () => {
    const store = await storeWithTexts();
    const long = Buffer.alloc(megabytes * 1024 * 1024 + 17, 'long ');
    await store.write(tester, (write) =>
      write.db
        .insertInto('texts')
        .values({ digest: digestOf(long), bytes: long })
        .execute(),
    );
    const check = new TextCheck({ store, log: pino({ level: 'silent' }), pauseMs: 0 });
    const found = await check.run();
    expect(found.damaged).toEqual([]);
    expect(found.bytes).toBeGreaterThan(long.byteLength);
    long[long.byteLength - 1] = 0;
    await setText(store, digestOf('1'), Buffer.alloc(0));
    expect((await check.run()).damaged).toMatchObject([{ digest: digestOf('1') }]);
  });

  it('ends between two steps when it is told to', async () => {
    const store = await storeWithTexts();
    const check = new TextCheck({ store, log: pino({ level: 'silent' }), pauseMs: 0 });
    expect(await check.run(AbortSignal.abort())).toMatchObject({ texts: 0 });
  });
});

describe('a store with a damaged text', () => {
  it('is not published from: the error says which text, and what to do', async () => {
    const store = await storeWithTexts();
    await setText(store, digestOf('2'), Buffer.from('3'));
    const everything = store.readEverything(0, async ({ changes }) => {
      for await (const _ of changes);
    });
    await expect(everything).rejects.toThrow(StoreDamaged);
    await expect(store.readChanges({ sequence: 0, mark: '' })).rejects.toThrow(
      /text [0-9a-f]{64} of dev\/shop is not what was saved.*loadout restore/,
    );
  });
});

describe.skipIf(onPostgres)('a store file with pages that are garbage', () => {
  it('names itself, and what to do, to whoever needs them', async () => {
    const file = join(temporaryFolder(), 'store.db');
    const store = await openStore(file);
    await makeDev(store);
    await store.write(tester, async (write) => {
      for (let n = 0; n < 200; n += 1) {
        const bytes = Buffer.alloc(3_000, `${n} `);
        await write.db
          .insertInto('texts')
          .values({ digest: digestOf(bytes), bytes })
          .execute();
      }
    });
    await store.close();
    const db = new BetterSqlite3(file);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const damaged = await openStore(file);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096);
    writeFileSync(file, bytes, { flag: 'r+' });
    const check = new TextCheck({ store: damaged, log: pino({ level: 'silent' }), pauseMs: 0 });
    await expect(check.run()).rejects.toThrow(StoreDamaged);
    await expect(check.run()).rejects.toThrow(`The store ${file} is damaged`);
  });
});
