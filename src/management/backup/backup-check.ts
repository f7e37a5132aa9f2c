/** Looks at a file that is said to be a store: whether it is one, whole, and of a version that this one can read. */
import { BetterSqlite3, type Database } from '../../published/sqlite-driver.js';
import { schemaNewest } from '../store/migrate.js';

/** What a sound store file holds. */
export interface StoreFacts {
  readonly storeId: string;
  /** The newest number it gave out. */
  readonly sequence: number;
  /** Step of the schema, at most the newest that this version knows. */
  readonly schema: number;
  readonly environments: number;
  readonly contents: number;
}

/** Why a file cannot be used as a store. The message is for the operator. */
export class StoreFileUnusable extends Error {
  readonly code = 'store_file_unusable';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreFileUnusable';
  }
}

/**
 * Reads the whole file: it takes about a second per GiB, and more on a slow disk.
 * @throws StoreFileUnusable
 */
export function checkStoreFile(path: string): StoreFacts {
  let db: Database;
  try {
    db = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  } catch (cause) {
    throw new StoreFileUnusable(`${path} is not there, or cannot be read.`, cause);
  }
  try {
    return check(db, path);
  } catch (cause) {
    if (cause instanceof StoreFileUnusable) throw cause;
    const noDatabase = cause instanceof BetterSqlite3.SqliteError && cause.code === 'SQLITE_NOTADB';
    const what = noDatabase ? 'is no store of Loadout' : 'is damaged';
    throw new StoreFileUnusable(`${path} ${what}.`, cause);
  } finally {
    db.close();
  }
}

function check(db: Database, path: string): StoreFacts {
  const tables = db
    .prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('schema_version', 'store_state')")
    .pluck()
    .get();
  if (tables !== 2) throw new StoreFileUnusable(`${path} is no store of Loadout.`);
  const schema = db.prepare('SELECT max(version) FROM schema_version').pluck().get();
  if (typeof schema !== 'number') throw new StoreFileUnusable(`${path} is no store of Loadout.`);
  if (schema > schemaNewest) {
    throw new StoreFileUnusable(
      `${path} was written by a newer version of Loadout (schema ${schema}; this version knows ${schemaNewest}).`,
    );
  }
  // Before anything else is believed: all pages, all indexes, and what refers to what.
  const found = db.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw new StoreFileUnusable(`${path} is damaged: ${String(found)}`);
  const orphans = db.pragma('foreign_key_check') as unknown[];
  if (orphans.length > 0) {
    throw new StoreFileUnusable(`${path} is damaged: ${orphans.length} rows refer to nothing.`);
  }
  const state = db
    .prepare<[], { storeId: string; sequence: number }>(
      'SELECT store_id AS storeId, sequence FROM store_state',
    )
    .get();
  if (state === undefined) throw new StoreFileUnusable(`${path} is no store of Loadout.`);
  return {
    ...state,
    schema,
    environments: count(db, 'environments'),
    contents: count(db, 'contents WHERE deleted_at IS NULL'),
  };
}

function count(db: Database, rows: string): number {
  return db.prepare<[], number>(`SELECT count(*) FROM ${rows}`).pluck().get() ?? 0;
}
