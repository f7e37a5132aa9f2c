/** Copies an embedded store into one file while others read and write it (D26). */
import { chmodSync, closeSync, openSync } from 'node:fs';
import {
  BetterSqlite3,
  type Database,
  removeDatabase,
  withDatabase,
} from '../../published/sqlite-driver.js';
import { storeBusyMs } from '../limits/database.js';
import { backupPagesPerStep } from '../limits/housekeeping.js';
import { syncToDisk } from '../store/data-folder.js';

export interface CopyProgress {
  readonly pagesDone: number;
  readonly pagesTotal: number;
}

/** The source is no store file, or cannot be read. The message is for the operator. */
export class StoreUnreadable extends Error {
  readonly code = 'store_unreadable';
}

/**
 * Copies the store as it is at this moment: a read transaction is held open for as long as the copying takes, so
 * writes of other processes go on and neither show in the copy nor make SQLite start over. The copy is one file
 * (no WAL beside it), readable by its owner only, and on the disk when this resolves.
 * @param to a file that does not exist yet; removed again when the copying fails
 * @throws StoreUnreadable, or SQLite's own error when `to` cannot be written
 */
export async function copyStore(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<void> {
  const source = openSource(from);
  try {
    // Made first, so that no other user can read it from its first byte on.
    closeSync(openSync(to, 'wx', 0o600));
    try {
      await copySnapshot(source, to, onProgress);
      settle(to);
      chmodSync(to, 0o600);
    } catch (error) {
      removeDatabase(to);
      throw error;
    }
  } finally {
    source.close();
  }
}

function openSource(from: string): Database {
  try {
    return new BetterSqlite3(from, { readonly: true, fileMustExist: true, timeout: storeBusyMs });
  } catch (cause) {
    throw new StoreUnreadable(`There is no store at ${from} that can be read.`, { cause });
  }
}

async function copySnapshot(
  source: Database,
  to: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  try {
    source.exec('BEGIN');
    // A transaction takes its snapshot with its first read.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (cause) {
    throw new StoreUnreadable('The store file is no database, or is damaged.', { cause });
  }
  await source.backup(to, {
    progress: ({ totalPages, remainingPages }) => {
      onProgress({ pagesDone: totalPages - remainingPages, pagesTotal: totalPages });
      return backupPagesPerStep;
    },
  });
}

/**
 * Leaves one file on the disk, with none beside it that belongs to it: like its source, a copy is in WAL mode at first.
 * Nothing has it open.
 */
export function settle(file: string): void {
  withDatabase(file, (db) => db.pragma('journal_mode = DELETE'));
  syncToDisk(file);
}
