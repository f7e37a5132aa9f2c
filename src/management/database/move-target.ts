/** Where a store is moved to: it holds all of it in the end, or nothing. */
import { readdirSync, renameSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { removeDatabase } from '../../published/sqlite-driver.js';
import { settle } from '../backup/backup.js';
import { DataFolder, syncToDisk } from '../store/data-folder.js';
import type { StoreDialect } from '../store/dialect.js';
import { migrate } from '../store/migrate.js';
import { postgresStore } from '../store/postgres/postgres.js';
import { sqliteStore } from '../store/sqlite.js';
import type { Tables } from '../store/tables/tables.js';
import { type Copied, type CopyOptions, MoveRejected } from './copy-store.js';
import type { StorePlace } from './move-source.js';
import { reachDatabase } from './reach-database.js';

export interface MoveTarget {
  /** Keeps what `copy` put into it, unless it rejects. */
  fill(copy: (into: CopyOptions['into']) => Promise<Copied>): Promise<Copied>;
  close(): Promise<void>;
}

/**
 * Makes an empty store.
 * @throws MoveRejected, DataFolderUnusable, SchemaNotUpToDate, SchemaForbidden, StoreTooNew, DatabaseUnreachable
 */
export async function openTarget(place: StorePlace, now: () => number): Promise<MoveTarget> {
  if (place.kind === 'folder') return openFolder(place.path, now);
  const dialect = postgresStore(place.url);
  const db = await reachDatabase(place.url, () => emptyStore(dialect, now));
  return {
    // In one transaction, which takes the writers' turn: a server that starts meanwhile does not get in between.
    fill: (copy) =>
      db.transaction().execute(async (transaction) => {
        await dialect.lockWrites(transaction, now());
        return copy((work) => work(transaction));
      }),
    close: () => db.destroy(),
  };
}

async function openFolder(path: string, now: () => number): Promise<MoveTarget> {
  const folder = new DataFolder(path);
  try {
    if (readdirSync(folder.path).some((name) => !name.startsWith(lockName))) {
      throw new MoveRejected(`${folder.path} is not empty. Name an empty folder, or a new one.`);
    }
    const scratch = folder.scratchPath('migrate');
    // Under this name nothing is lost with the power: it is on the disk before it gets its own.
    const db = await emptyStore(sqliteStore(scratch, 'OFF'), now);
    return {
      fill: async (copy) => {
        // A page at a time, so that the log beside the file stays small.
        const copied = await copy((work) => db.transaction().execute(work));
        await db.destroy();
        keep(scratch, folder);
        return copied;
      },
      close: async () => {
        await db.destroy();
        removeDatabase(scratch);
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** SQLite has a journal of it beside it, for as long as it is taken. */
const lockName = 'lock.db';

/** A store with nothing in it, made where there is none. */
export async function emptyStore(
  dialect: StoreDialect,
  now: () => number,
): Promise<Kysely<Tables>> {
  const db = dialect.connect('write');
  try {
    await migrate(db, dialect, now());
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Gives the file its name once it is whole. */
function keep(scratch: string, folder: DataFolder): void {
  settle(scratch);
  renameSync(scratch, folder.storePath);
  syncToDisk(folder.path);
}
