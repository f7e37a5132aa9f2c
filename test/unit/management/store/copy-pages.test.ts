import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CopiedTable,
  copiedTables,
} from '../../../../src/management/database/copied-tables.js';
import {
  countBytes,
  countRows,
  readPages,
} from '../../../../src/management/database/copy-pages.js';
import {
  copyCountedAtOnce,
  copyPageBytesMax,
  copyPageRowsMax,
} from '../../../../src/management/limits/database.js';
import type { Db } from '../../../../src/management/store/dialect.js';
import { sqliteStore } from '../../../../src/management/store/sqlite.js';
import { Store } from '../../../../src/management/store/store.js';
import { BetterSqlite3, type Database } from '../../../../src/published/sqlite-driver.js';
import { temporaryFolder } from '../harness.js';

/** A store into which a test writes rows by SQL: `count` numbers from 1, as `n`. */
async function filled(
  insert: string,
  count: number,
): Promise<{ readonly db: Db; readonly file: Database }> {
  const path = join(temporaryFolder(), 'store.db');
  await (await Store.open(sqliteStore(path), Date.now)).close();
  const file = new BetterSqlite3(path);
  const db = sqliteStore(path).connect('read');
  onTestFinished(async () => {
    file.close();
    await db.destroy();
  });
  file
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?) ${insert}`,
    )
    .run(count);
  return { db, file };
}

function tableOf(name: string): CopiedTable {
  const found = copiedTables.find((table) => table.name === name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

const numbers = "INSERT INTO sequences SELECT n, 'mark', 1 FROM counted";

describe('the pages of a table', () => {
  it.each([1, copyPageRowsMax - 1, copyPageRowsMax, copyPageRowsMax + 1, 3 * copyPageRowsMax])(
    'have each of %i rows once, in order',
    async (count) => {
      const { db } = await filled(numbers, count);
      const seen: number[] = [];
      for await (const { rows } of readPages(db, tableOf('sequences'))) {
        expect(rows.length).toBeLessThanOrEqual(copyPageRowsMax);
        seen.push(...rows.map((row) => Number(row['sequence'])));
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    },
  );

  it('are none for an empty table', async () => {
    const { db, file } = await filled(numbers, 1);
    file.exec('DELETE FROM sequences');
    for await (const page of readPages(db, tableOf('sequences'))) expect(page).toBeNull();
    expect(await countRows(db, tableOf('sequences'))).toBe(0);
    expect(await countBytes(db, tableOf('texts'))).toBe(0);
  });

  it('hold no more bytes than they may, or one row that alone has more', async () => {
    const third = Math.floor(copyPageBytesMax / 3);
    const { db } = await filled(
      `INSERT INTO texts SELECT printf('%03d', n), zeroblob(iif(n = 4, ${2 * copyPageBytesMax}, ${third})) FROM counted`,
      8,
    );
    const pages: string[][] = [];
    for await (const { rows, bytes } of readPages(db, tableOf('texts'))) {
      expect(bytes <= copyPageBytesMax || rows.length === 1).toBe(true);
      expect(bytes).toBe(rows.reduce((sum, row) => sum + (row['bytes'] as Buffer).length, 0));
      pages.push(rows.map((row) => `${row['digest']}`));
    }
    expect(pages).toEqual([['001', '002', '003'], ['004'], ['005', '006', '007'], ['008']]);
    expect(await countBytes(db, tableOf('texts'))).toBe(7 * third + 2 * copyPageBytesMax);
  });

  it('go on in the middle of a key of several columns, and by the bytes of its texts', async () => {
    const { db, file } = await filled(
      "INSERT INTO environments SELECT substr('aBÜb', n, 1), '', 0, 1 FROM counted",
      4,
    );
    file.exec(`
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${copyPageRowsMax})
      INSERT INTO segments SELECT id, 'Ü' || char(64 + n % 50, 97 + n / 50), '{}', '', 1, 1, 1 FROM environments, counted
    `);
    const keys: string[] = [];
    let pages = 0;
    for await (const { rows } of readPages(db, tableOf('segments'))) {
      pages += 1;
      keys.push(...rows.map((row) => `${row['environment']} ${row['name']}`));
    }
    expect(pages).toBe(4);
    expect(new Set(keys).size).toBe(4 * copyPageRowsMax);
    const byBytes = (a: string, b: string): number =>
      Buffer.compare(Buffer.from(a), Buffer.from(b));
    expect(keys).toEqual([...keys].sort(byBytes));
  });
});

describe('the count of a table', () => {
  it.each([copyCountedAtOnce - 1, copyCountedAtOnce, copyCountedAtOnce + 1, 2 * copyCountedAtOnce])(
    'is right for %i rows',
    async (count) => {
      const { db } = await filled(numbers, count);
      expect(await countRows(db, tableOf('sequences'))).toBe(count);
    },
  );
});
