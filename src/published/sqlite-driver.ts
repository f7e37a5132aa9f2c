/**
 * The SQLite driver: better-sqlite3 13, whose binaries come with it and run on each Node with Node-API 10; before that (Node
 * 20), where they crash, better-sqlite3 12, which is compiled for one Node (D52). Nothing else imports either of them.
 */
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Driver from 'better-sqlite3';

export type Database = Driver.Database;

/** SQLite cannot be used here; the message is one sentence for the operator. */
export class SqliteUnavailable extends Error {
  readonly code = 'sqlite_unavailable';
}

/** Loaded and tried when this module is, so that no later failure to open a file is one to load the driver. */
export const BetterSqlite3: typeof Driver = load();

/** @throws SqliteUnavailable */
function load(): typeof Driver {
  const { version, versions } = process;
  const isNew = Number(versions['napi']) >= 10;
  try {
    const require = createRequire(import.meta.url);
    const driver = require(isNew ? 'better-sqlite3' : 'better-sqlite3-12') as typeof Driver;
    new driver(':memory:').close();
    return driver;
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0];
    const remedy = isNew
      ? 'install Loadout again (npm ci)'
      : 'run Loadout with Node 24 or 22, or install it again (npm ci) where there are a C++ compiler, make and Python 3';
    throw new SqliteUnavailable(
      `SQLite cannot be loaded by Node ${version.slice(1)} (${reason}); ${remedy}.`,
      { cause },
    );
  }
}

/** Opens a file that is there for as long as `work` takes. */
export function withDatabase<T>(
  path: string,
  work: (db: Database) => T,
  options: Driver.Options = {},
): T {
  const db = new BetterSqlite3(path, { fileMustExist: true, ...options });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Removes a database that no process has open, with the files that belong to it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
