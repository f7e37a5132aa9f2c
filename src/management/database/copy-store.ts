/** Copies a whole store into an empty one of either kind, row by row, and proves that nothing is missing. */
import { createHash } from 'node:crypto';
import type { Db } from '../store/dialect.js';
import { codeOf } from '../store/store-errors.js';
import type { Tables } from '../store/tables/tables.js';
import { type CopiedTable, copiedTables } from './copied-tables.js';
import { countBytes, countRows, type Page, type Row, readPages, untyped } from './copy-pages.js';

/** The store cannot be copied as it is, or not to there. Nothing was changed; the message is for the operator. */
export class MoveRejected extends Error {
  readonly code = 'move_refused';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MoveRefused';
  }
}

export interface CopyOptions {
  /** One snapshot of the store. */
  readonly from: Db;
  /** Works in the empty store. What it did there is kept when all of it is done. */
  readonly into: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  readonly intoKind: 'sqlite' | 'postgres';
  /** @param share from 0 to 1 */
  readonly onProgress: (share: number) => void;
}

export interface Copied {
  readonly storeId: string;
  /** The newest number that was given out. */
  readonly sequence: number;
  /** Rows of each table. */
  readonly rows: Readonly<Partial<Record<keyof Tables, number>>>;
  /** Size of all texts together. */
  readonly textBytes: number;
}

/**
 * The copy is the same store, not another one (D25): identity, numbers and their marks stay. So a published.db and
 * clients that hold an `X-Min-Sequence` go on with it, and people stay signed in. If the old one is started again by
 * mistake, both give out the same numbers, but with marks of their own, by which a follower of the one notices that the
 * other is not what it follows.
 * @throws MoveRejected
 */
export async function copyStoreRows(wish: CopyOptions): Promise<Copied> {
  const { from, into } = wish;
  const before = await into(countAll);
  const used = Object.entries(before).filter(([, count]) => count > 0);
  if (used.length > 0) {
    throw new MoveRejected(
      `There is a store in it already: ${used.map(([name, count]) => `${name} (${count})`).join(', ')}. It must be empty.`,
    );
  }
  const rows = await countAll(from);
  const progress = await Progress.over(from, rows, wish.onProgress);
  for (const table of copiedTables) await copyTable(wish, table, progress);
  const state = await from.selectFrom('storeState').selectAll().executeTakeFirstOrThrow();
  const index = await from.selectFrom('changeIndex').selectAll().executeTakeFirstOrThrow();
  await into(async (db) => {
    await db.updateTable('changeIndex').set(index).execute();
    await db.updateTable('storeState').set(state).execute();
  });
  expectSame(rows, await into(countAll));
  return {
    storeId: state.storeId,
    sequence: state.sequence,
    rows,
    textBytes: progress.textBytes,
  };
}

type Counts = Record<string, number>;

async function countAll(db: Db): Promise<Counts> {
  const counts: Counts = {};
  for (const table of copiedTables) counts[table.name] = await countRows(db, table);
  return counts;
}

function expectSame(wanted: Counts, found: Counts): void {
  const wrong = Object.entries(wanted).find(([name, count]) => found[name] !== count);
  if (wrong === undefined) return;
  throw new MoveRejected(
    `Of ${wrong[1]} rows of ${wrong[0]}, ${found[wrong[0]]} arrived: the copy was not kept.`,
  );
}

async function copyTable(
  { from, into, intoKind }: CopyOptions,
  table: CopiedTable,
  progress: Progress,
): Promise<void> {
  for await (const page of readPages(from, table)) {
    for (const row of page.rows) {
      if (table.name === 'texts') expectWhole(row);
      if (intoKind === 'postgres') expectNoNul(table, row);
    }
    try {
      await into((db) => untyped(db).insertInto(table.name).values(page.rows).execute());
    } catch (error) {
      throw isDataError(error) ? notTaken(table, page, error) : error;
    }
    progress.add(table, page);
  }
}

function expectWhole(row: Row): void {
  const digest = createHash('sha256')
    .update(row['bytes'] as Uint8Array)
    .digest('hex');
  if (digest === row['digest']) return;
  throw new MoveRejected(
    `The text ${row['digest']} is damaged: its bytes are not those that were saved. Restore a backup first.`,
  );
}

const nul = '\u0000';

function expectNoNul(table: CopiedTable, row: Row): void {
  const found = Object.entries(row).find(
    ([, value]) => typeof value === 'string' && value.includes(nul),
  );
  if (found === undefined) return;
  throw new MoveRejected(
    `${table.name} has a character U+0000, which PostgreSQL cannot hold, in ${found[0]} of ${describeRow(table, row)}.`,
  );
}

/** SQLSTATE classes: values that a column does not take, broken constraints, limits such as that of an index row. */
const dataErrors = ['22', '23', '54'];

function isDataError(error: unknown): error is Error {
  return error instanceof Error && dataErrors.some((code) => codeOf(error).startsWith(code));
}

function notTaken(table: CopiedTable, { rows }: Page, error: Error): MoveRejected {
  const [first, last] = [rows[0], rows.at(-1)].map((row) => describeRow(table, row ?? {}));
  return new MoveRejected(
    `The database does not take ${table.name}, between ${first} and ${last}: ${error.message}.`,
    error,
  );
}

/** By its key, as JSON: whatever is in it cannot steer a terminal. */
function describeRow({ key }: CopiedTable, row: Row): string {
  return JSON.stringify(Object.fromEntries(key.map((column) => [column, row[column]])));
}

/** What a row costs beside the bytes of its texts. */
const rowBytes = 256;

class Progress {
  readonly #bytesTotal: number;
  readonly #show: (share: number) => void;
  #bytes = 0;
  textBytes = 0;

  private constructor(bytesTotal: number, show: (share: number) => void) {
    this.#bytesTotal = Math.max(1, bytesTotal);
    this.#show = show;
  }

  static async over(db: Db, rows: Counts, show: (share: number) => void): Promise<Progress> {
    const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
    const texts = copiedTables.filter(({ name }) => name === 'texts');
    let bytes = count * rowBytes;
    for (const table of texts) bytes += await countBytes(db, table);
    return new Progress(bytes, show);
  }

  add({ name }: CopiedTable, { rows, bytes }: Page): void {
    const isText = name === 'texts';
    if (isText) this.textBytes += bytes;
    this.#bytes += rows.length * rowBytes + (isText ? bytes : 0);
    this.#show(Math.min(1, this.#bytes / this.#bytesTotal));
  }
}
