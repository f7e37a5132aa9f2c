/** The embedded store: one SQLite file, the first of the store's dialects. */
import { dirname } from 'node:path';
import {
  CamelCasePlugin,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { BetterSqlite3, type Database } from '../../published/sqlite-driver.js';
import { storeBusyMs } from '../limits/database.js';
import type { StoreDialect } from './dialect.js';
import { isFileDamage, StoreDamaged } from './store-errors.js';
import type { Tables } from './tables/tables.js';

/** Whether a commit waits until it is on the disk: FULL, unless losing all of it with the power is no loss. */
export type Synchronous = 'FULL' | 'OFF';

/**
 * The store in a file, which is created where there is none.
 * @param file path
 */
export function sqliteStore(file: string, synchronous: Synchronous = 'FULL'): StoreDialect {
  return {
    kind: 'sqlite',
    place: placeOf(file),
    remedy: remedyOf(file),
    bytesType: 'blob',
    schemaPlugin: null,
    followsReplica: false,
    connect: (use) =>
      new Kysely<Tables>({ dialect: dialect(file, use, synchronous), plugins: [plugin] }),
    hasTable: async (db, name) => {
      const found = await sql`select 1 from sqlite_schema where name = ${name}`.execute(db);
      return found.rows.length > 0;
    },
    // The one connection that writes takes its transactions one after the other.
    lockSchema: async () => undefined,
    lockWrites: async (transaction, nowMs) => {
      // Never backwards, as little as the times of PostgreSQL: what was live when is sorted by them.
      const { writtenAt, ...log } = await transaction
        .updateTable('storeState')
        .set({ writtenAt: sql<number>`max(written_at, ${nowMs})` })
        .returning(['storeId', 'sequence', 'prunedTo', 'writtenAt', 'writersMin'])
        .executeTakeFirstOrThrow();
      return { ...log, atMs: writtenAt };
    },
    readClock: async (_db, nowMs) => nowMs,
    notify: null,
  };
}

/** The store has some 80 statements; lists of values of different lengths make a few more. */
const preparedMax = 256;

const plugin = new CamelCasePlugin({ maintainNestedObjectKeys: true });

function dialect(
  file: string,
  use: 'read' | 'write' | 'follow',
  synchronous: Synchronous,
): SqliteDialect {
  const database = new BetterSqlite3(file);
  findingDamage(file, () => {
    database.pragma(`busy_timeout = ${storeBusyMs}`);
    // WAL: readers see a snapshot while the one writer goes on.
    database.pragma('journal_mode = WAL');
    // FULL: a commit is on the disk before it is acknowledged, so that an edit survives a power cut.
    database.pragma(`synchronous = ${synchronous}`);
    database.pragma('foreign_keys = ON');
    if (use !== 'write') database.pragma('query_only = ON');
  });
  return new SqliteDialect({ database: withPreparedOnce(database, file) });
}

function placeOf(file: string): string {
  return `The store ${file}`;
}

function remedyOf(file: string): string {
  return `put a backup in its place while no server runs: loadout restore <backup> --data ${dirname(file)} --force`;
}

/**
 * Runs what reads or writes the file.
 * @throws StoreDamaged where SQLite says that the file is not what it wrote
 */
export function findingDamage<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFileDamage(error)) throw error;
    const what = error instanceof Error ? error.message : String(error);
    throw new StoreDamaged(placeOf(file), what, remedyOf(file), error);
  }
}

/** Kysely prepares a statement for every query, which costs as much as a short query itself. */
function withPreparedOnce(database: Database, file: string): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: preparedMax });
  return {
    close: () => database.close(),
    prepare: (text) => {
      if (text === 'rollback') return rollback(database);
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const statement = findingDamage(file, () => database.prepare(text));
      const ours = { reader: statement.reader, ...withDamageNamed(statement, file) };
      prepared.set(text, ours);
      return ours;
    },
  };
}

function withDamageNamed(
  statement: ReturnType<Database['prepare']>,
  file: string,
): Omit<SqliteStatement, 'reader'> {
  return {
    all: (parameters) => findingDamage(file, () => statement.all(parameters)),
    run: (parameters) => findingDamage(file, () => statement.run(parameters)),
    iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
  };
}

/**
 * When the disk is full SQLite rolls back by itself. Kysely's own rollback would then fail, and its error would
 * stand in the place of the one that says what happened.
 */
function rollback(database: Database): SqliteStatement {
  const statement = database.prepare('rollback');
  return {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run: () => (database.inTransaction ? statement.run() : { changes: 0, lastInsertRowid: 0 }),
  };
}
