/** The store that is moved: what makes it hold still, and one snapshot of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BetterSqlite3, removeDatabase } from '../../published/sqlite-driver.js';
import { copyStore } from '../backup/backup.js';
import { checkStoreFile } from '../backup/backup-check.js';
import { listNodes } from '../fleet/rows.js';
import { nodeLiveMs } from '../limits/fleet.js';
import { inSnapshot, withConnection } from '../store/connection.js';
import { DataFolder, DataFolderUnusable } from '../store/data-folder.js';
import type { Db, StoreDialect } from '../store/dialect.js';
import { migrate, StoreTooNew, schemaNewest, schemaOf } from '../store/migrate.js';
import { postgresStore } from '../store/postgres/postgres.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { sqliteStore } from '../store/sqlite.js';
import { MoveRejected } from './copy-store.js';
import { reachDatabase } from './reach-database.js';

export type StorePlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: DatabaseUrl };

/** For people; without a password. */
export function shownPlace(place: StorePlace): string {
  return place.kind === 'folder' ? place.path : place.url.shown;
}

export interface MoveSource {
  /** `work` sees one state of the store, of this version's schema. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly whileServing: boolean;
  readonly now: () => number;
}

/** @throws MoveRejected, StoreFileUnusable, DataFolderUnusable, StoreTooNew, SchemaForbidden, DatabaseUnreachable */
export function openSource(place: StorePlace, options: SourceOptions): Promise<MoveSource> {
  return place.kind === 'folder'
    ? openFolder(place.path, options.now)
    : openDatabase(place.url, options.whileServing);
}

async function openFolder(path: string, now: () => number): Promise<MoveSource> {
  // Asked first: a folder that is not there would be made.
  if (!existsSync(join(path, 'store.db'))) throw new MoveRejected(`There is no store in ${path}.`);
  const folder = lock(path);
  const scratch = folder.scratchPath('migrate');
  const close = async (): Promise<void> => {
    removeDatabase(scratch);
    folder.release();
  };
  try {
    const { schema } = checkStoreFile(folder.storePath);
    const isOld = schema < schemaNewest;
    // The older version may be wanted again: its store is left as it is, and a copy is upgraded.
    if (isOld) await upgradedCopy(folder.storePath, scratch, now);
    const dialect = isOld ? sqliteStore(scratch, 'OFF') : sqliteStore(folder.storePath);
    return { read: (work) => snapshot(dialect, work), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function lock(path: string): DataFolder {
  try {
    return new DataFolder(path);
  } catch (error) {
    const cause = error instanceof DataFolderUnusable ? error.cause : null;
    const isTaken =
      cause instanceof BetterSqlite3.SqliteError && cause.code.startsWith('SQLITE_BUSY');
    if (!isTaken) throw error;
    throw new MoveRejected(
      `A server runs on ${path}: stop it first. What it wrote from now on would not be in the copy.`,
      error,
    );
  }
}

async function upgradedCopy(from: string, to: string, now: () => number): Promise<void> {
  await copyStore(from, to);
  const dialect = sqliteStore(to, 'OFF');
  await withConnection(dialect, 'write', (db) => migrate(db, dialect, now()));
}

async function openDatabase(url: DatabaseUrl, whileServing: boolean): Promise<MoveSource> {
  const dialect = postgresStore(url);
  // Before anything is made at the other end.
  await reachDatabase(url, () => snapshot(dialect, (db) => expectReadable(db, dialect, url)));
  return {
    read: (work) =>
      snapshot(dialect, async (db) => {
        if (!whileServing) await expectNoServers(db, url);
        return work(db);
      }),
    close: async () => undefined,
  };
}

async function expectReadable(db: Db, dialect: StoreDialect, url: DatabaseUrl): Promise<void> {
  const schema = await schemaOf(db, dialect);
  if (schema > schemaNewest) throw new StoreTooNew(schema, schemaNewest);
  if (schema === 0) throw new MoveRejected(`There is no store in ${url.shown}.`);
  if (schema < schemaNewest) {
    throw new MoveRejected(
      `The store in ${url.shown} is of an older version (schema ${schema}; this version needs ${schemaNewest}). ` +
        'Move it with that version, or bring it up to date with `loadout database prepare`.',
    );
  }
}

async function expectNoServers(db: Db, url: DatabaseUrl): Promise<void> {
  const { nodes, nowMs } = await listNodes(db);
  const live = nodes.filter(({ seenAt }) => seenAt > nowMs - nodeLiveMs);
  if (live.length === 0) return;
  const names = live.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new MoveRejected(
    `Servers use ${url.shown}: ${names}. Stop them first, or give --while-serving: what they write from now on is then not in the copy.`,
  );
}

function snapshot<T>(dialect: StoreDialect, work: (db: Db) => Promise<T>): Promise<T> {
  return withConnection(dialect, 'read', (db) => inSnapshot(db, work));
}
