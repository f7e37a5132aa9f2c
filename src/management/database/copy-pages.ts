/** Reads a table of any size in pages that fit into memory, in the order of its key, and counts it without one long query. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { copyCountedAtOnce, copyPageBytesMax, copyPageRowsMax } from '../limits/database.js';
import type { Db } from '../store/dialect.js';
import type { CopiedTable } from './copied-tables.js';

/** A row of any table, as the database has it. */
export type Row = Readonly<Record<string, unknown>>;

export interface Page {
  readonly rows: readonly Row[];
  /** Of the wide columns. */
  readonly bytes: number;
}

/** The same connection, for tables whose columns are known at run time only. */
export function untyped(db: Db): Kysely<Record<string, Record<string, unknown>>> {
  return db as unknown as Kysely<Record<string, Record<string, unknown>>>;
}

/** All rows of the table; a page has one row at least, however large it is. */
export async function* readPages(db: Db, table: CopiedTable): AsyncGenerator<Page> {
  let after: Row | null = null;
  for (;;) {
    const found = await sizesAfter(db, table, after);
    const page = firstThatFit(found);
    const last = page.at(-1);
    if (last === undefined) return;
    const bytes = page.reduce((sum, { rowBytes }) => sum + rowBytes, 0);
    yield { rows: await rowsUpTo(db, table, after, last), bytes };
    after = last;
  }
}

/** How many rows the table has: in steps, since one that takes longer than a query may returns nothing. */
export async function countRows(db: Db, table: CopiedTable): Promise<number> {
  let count = 0;
  let after: Row | null = null;
  for (;;) {
    const ends: { rows: readonly Row[] } = await sql<Row>`
      select ${keyOf(table)} from ${sql.table(table.name)} where ${isAfter(table, after)}
      order by ${keyOf(table)} limit 1 offset ${copyCountedAtOnce - 1}`.execute(db);
    const end: Row | undefined = ends.rows[0];
    if (end === undefined) return count + (await countAfter(db, table, after));
    count += copyCountedAtOnce;
    after = end;
  }
}

/** Bytes in the wide columns of the whole table: what is large is not read for it. */
export async function countBytes(db: Db, table: CopiedTable): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(${rowBytesOf(table)}), 0) as bytes from ${sql.table(table.name)}`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}

async function countAfter(db: Db, table: CopiedTable, after: Row | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table.name)} where ${isAfter(table, after)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

type Sized = Row & { readonly rowBytes: number };

async function sizesAfter(
  db: Db,
  table: CopiedTable,
  after: Row | null,
): Promise<readonly Sized[]> {
  const { rows } = await sql<Sized>`
    select ${keyOf(table)}, ${rowBytesOf(table)} as row_bytes from ${sql.table(table.name)}
    where ${isAfter(table, after)} order by ${keyOf(table)} limit ${copyPageRowsMax}`.execute(db);
  return rows;
}

function firstThatFit(rows: readonly Sized[]): readonly Sized[] {
  let bytes = 0;
  const end = rows.findIndex(({ rowBytes }) => {
    bytes += rowBytes;
    return bytes > copyPageBytesMax;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

async function rowsUpTo(
  db: Db,
  table: CopiedTable,
  after: Row | null,
  last: Row,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)}
    where ${isAfter(table, after)} and (${keyOf(table)}) <= (${valuesOf(table, last)})
    order by ${keyOf(table)}`.execute(db);
  return rows;
}

/** Both databases compare the columns of a key one after the other, and texts by their bytes. */
function isAfter(table: CopiedTable, after: Row | null): RawBuilder<unknown> {
  return after === null ? sql`1 = 1` : sql`(${keyOf(table)}) > (${valuesOf(table, after)})`;
}

function keyOf({ key }: CopiedTable): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(column)));
}

function valuesOf({ key }: CopiedTable, row: Row): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.val(row[column])));
}

function rowBytesOf({ wide }: CopiedTable): RawBuilder<unknown> {
  if (wide.length === 0) return sql`0`;
  const sizes = wide.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return sql.join(sizes, sql` + `);
}
