/** Puts a backup into a data folder, as a store of its own: what a server, a delivery process or a game knew of the old one does not hold for it. */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeDatabase, withDatabase } from '../../published/sqlite-driver.js';
import { haltExperiments } from '../experiments/halt-experiments.js';
import { haltReleases } from '../releases/halt-releases.js';
import { withConnection } from '../store/connection.js';
import { DataFolder, syncToDisk } from '../store/data-folder.js';
import { timeOrderedId } from '../store/ids.js';
import { releasesStep } from '../store/release-writers.js';
import { experimentsStep } from '../store/require-writers.js';
import { sqliteStore } from '../store/sqlite.js';
import { randomStreamKey } from '../store/stream-key.js';
import { systemActor } from '../store/unit-of-work.js';
import { type CopyProgress, copyStore } from './backup.js';
import { checkStoreFile, type StoreFacts } from './backup-check.js';

/** The folder is not empty, and --force was not given. */
export class DataFolderNotEmpty extends Error {
  readonly code = 'data_folder_not_empty';

  constructor(folder: string) {
    super(
      `${folder} is not empty. Name an empty folder, or give --force: the store in it is then kept beside the restored one.`,
    );
    this.name = 'DataFolderNotEmpty';
  }
}

export interface Restored extends StoreFacts {
  /** Where the store is that was there before; null: there was none. */
  readonly kept: string | null;
}

export interface RestoreOptions {
  readonly file: string;
  readonly folder: string;
  /** Also into a folder that is not empty. */
  readonly force: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/**
 * Checks the file, then puts it in the place of the folder's store in one rename: whatever ends this early, the
 * folder holds the one store or the other. published.db is removed; the next start makes it from the store.
 * @throws StoreFileUnusable, DataFolderUnusable, DataFolderNotEmpty
 */
export async function restoreStore(options: RestoreOptions): Promise<Restored> {
  const facts = checkStoreFile(options.file);
  const inUse = existsSync(options.folder) ? readdirSync(options.folder) : [];
  const folder = new DataFolder(options.folder);
  try {
    if (!options.force && inUse.some((name) => name !== lockName)) {
      throw new DataFolderNotEmpty(folder.path);
    }
    const coming = folder.scratchPath('restore');
    await copyStore(options.file, coming, options.onProgress);
    const nowMs = options.now();
    const kept = keepOld(folder, nowMs);
    const sequence = Math.max(facts.sequence, sequenceOf(folder.storePath)) + 1;
    const storeId = makeItsOwn(coming, basename(options.file), facts, sequence, nowMs);
    await haltIn(coming, facts.schema, nowMs);
    // A WAL that stayed (the old file is damaged) would be read into the restored store.
    for (const suffix of ['-wal', '-shm']) rmSync(folder.storePath + suffix, { force: true });
    renameSync(coming, folder.storePath);
    removeDatabase(folder.publishedPath);
    syncToDisk(folder.path);
    return { ...facts, storeId, sequence, kept };
  } finally {
    folder.release();
  }
}

const lockName = 'lock.db';
/** Step of the schema that stores have the key since. */
const streamKeyStep = 7;

/**
 * A new identity, so that no published.db takes this store for the one it was made from; and a sequence beyond
 * every number that the backup or the replaced store gave out, so that no number ever means two edits, and a caller
 * with an `X-Min-Sequence` does not wait for an edit that is gone. The log of changes is emptied: its numbers belong
 * to the old identity.
 */
function makeItsOwn(
  file: string,
  from: string,
  facts: StoreFacts,
  sequence: number,
  nowMs: number,
): string {
  const storeId = randomUUID();
  const { userId, name, address } = systemActor;
  const details = JSON.stringify({
    before: { storeId: facts.storeId, sequence: facts.sequence, schema: facts.schema },
    after: { storeId, sequence },
  });
  // Plain SQL, not the Store, which would upgrade an older schema: that is for the start, which keeps a copy first.
  withDatabase(file, (db) =>
    db.transaction(() => {
      db.prepare('UPDATE store_state SET store_id = ?, sequence = ?, pruned_to = ?').run(
        ...[storeId, sequence, sequence],
      );
      // Tokens of streams hold at the store that gave them. An older store gets its key with the upgrade.
      if (facts.schema >= streamKeyStep) {
        db.prepare('UPDATE store_state SET stream_key = ?').run(randomStreamKey());
      }
      db.exec('DELETE FROM change_log');
      db.prepare(
        `INSERT INTO audit (id, at, user_id, user_name, action, environment, name, address, details)
         VALUES (?, ?, ?, ?, 'store.restore', '', ?, ?, ?)`,
      ).run(timeOrderedId(nowMs), nowMs, userId, name, from, address, details);
    })(),
  );
  return storeId;
}

/** @param schema step of the schema of the file, which has no experiments or no releases before theirs */
async function haltIn(file: string, schema: number, nowMs: number): Promise<void> {
  const release =
    'The store was restored from a backup: compare what is live with what the release was made for, then go on.';
  const experiment =
    'The store was restored from a backup, and has nothing of what happened since: start it again, in a new phase.';
  await withConnection(sqliteStore(file), 'write', (db) =>
    db.transaction().execute(async (transaction) => {
      if (schema >= releasesStep) await haltReleases(transaction, nowMs, release);
      if (schema >= experimentsStep) await haltExperiments(transaction, nowMs, experiment);
    }),
  );
}

/**
 * A copy of the old store under another name; under its own it stays until the new one replaces it. Not a hard link: if
 * all this ends early, the server goes on writing to that file. To be called before anything opens the store: SQLite
 * removes a WAL that it takes for a stranger's.
 */
function keepOld(folder: DataFolder, nowMs: number): string | null {
  if (!existsSync(folder.storePath)) return null;
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const kept = join(folder.path, `store.db.replaced-${time}`);
  for (const suffix of ['', '-wal']) {
    if (!existsSync(folder.storePath + suffix)) continue;
    // Where the file system can, a clone that costs neither time nor room.
    copyFileSync(folder.storePath + suffix, kept + suffix, constants.COPYFILE_FICLONE);
  }
  return kept;
}

/** 0 when there is no store, or none that can be read: that may be why another one is restored. */
function sequenceOf(storePath: string): number {
  if (!existsSync(storePath)) return 0;
  try {
    // The close writes what is still in the WAL into the file.
    return withDatabase(storePath, (db) => {
      return db.prepare<[], number>('SELECT sequence FROM store_state').pluck().get() ?? 0;
    });
  } catch {
    return 0;
  }
}
