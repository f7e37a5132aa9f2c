/** Everything a store holds, table by table, in a form in which two stores can be compared whatever keeps them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { tableNames } from '../../../src/management/database/copied-tables.js';
import type { StoreDialect } from '../../../src/management/store/dialect.js';
import { postgresStore } from '../../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../../src/management/store/postgres/url.js';
import { sqliteStore } from '../../../src/management/store/sqlite.js';

/** Rows as JSON, sorted; bytes as their digest. */
export type StoreDump = Readonly<Record<string, readonly string[]>>;

/** Of a data folder that no server uses, or of a database (`postgres://…`). */
export async function dumpStore(place: string): Promise<StoreDump> {
  const db = dialectOf(place).connect('read');
  try {
    const dump: Record<string, string[]> = {};
    for (const name of tableNames) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      dump[name] = rows.map((row) => JSON.stringify(row, digestOfBytes)).sort();
    }
    return dump;
  } finally {
    await db.destroy();
  }
}

/** How many rows the store has in all; the one that says who it is does not count. */
export async function countStoreRows(place: string): Promise<number> {
  const { storeState: _state, ...tables } = await dumpStore(place);
  return Object.values(tables).flat().length;
}

export function dialectOf(place: string): StoreDialect {
  return place.startsWith('postgres://')
    ? postgresStore(parseDatabaseUrl(place))
    : sqliteStore(join(place, 'store.db'));
}

/** Called after `toJSON`, which has made a list of numbers of a Buffer. */
function digestOfBytes(_name: string, value: unknown): unknown {
  if (!isBuffer(value)) return value;
  return createHash('sha256').update(Buffer.from(value.data)).digest('hex');
}

function isBuffer(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
