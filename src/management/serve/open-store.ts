/** Opens the store of a server: the embedded one of its data folder, or the database that it shares with others. */
import type { Logger } from 'pino';
import { copyBeforeUpgrade } from '../backup/backup-before-upgrade.js';
import { ServeRejected } from '../serve-rejected.js';
import type { DataFolder } from '../store/data-folder.js';
import { SchemaNotUpToDate, StoreTooNew } from '../store/migrate.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { findingDamage, sqliteStore } from '../store/sqlite.js';
import { Store } from '../store/store.js';
import { codeOf, isFileDamage, StoreDamaged, StoreUnavailable } from '../store/store-errors.js';

export interface StoreOptions {
  /** Null: the embedded store. */
  readonly database: DatabaseUrl | null;
  readonly databaseReplica: DatabaseUrl | null;
  readonly folder: DataFolder;
  /** What published.db was last made from; '': nothing was published yet, so there is nothing to serve without a store. */
  readonly publishedFrom: string;
  /** Its damage was found just now: it is empty. */
  readonly publishedWasDamaged: boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * @throws ServeRefused when it cannot be used; a database that is only away is opened when it answers, if there is
 * something to serve until then
 */
export async function openStore(wish: StoreOptions): Promise<Store> {
  const { database, databaseReplica, folder, publishedFrom, publishedWasDamaged, log } = wish;
  if (database === null) {
    return openEmbedded(folder, log);
  }
  // The driver is loaded only where there is a database.
  const { postgresStore } = await import('../store/postgres/postgres.js');
  const dialect = postgresStore(database, { replica: databaseReplica });
  try {
    return await Store.open(dialect, Date.now);
  } catch (error) {
    if (error instanceof StoreTooNew || error instanceof SchemaNotUpToDate) {
      throw new ServeRejected(error.message, { cause: error });
    }
    if (!(error instanceof StoreUnavailable)) {
      throw new ServeRejected(
        `The database ${database.shown} cannot be used: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
    if (error instanceof StoreDamaged) throw new ServeRejected(error.message, { cause: error });
    if (publishedFrom === '') {
      const why = codeOf(error.cause);
      const nothing = publishedWasDamaged
        ? 'published.db was damaged and is made again from it'
        : 'nothing was published here yet that could be served without it';
      throw new ServeRejected(
        `The database ${database.shown} cannot be reached${why === '' ? '' : ` (${why})`}, and ${nothing}. ${error.message}`,
        { cause: error },
      );
    }
    log.warn(
      { err: error, database: database.shown },
      'the database is away: players are served what was published last',
    );
    return Store.later(dialect, Date.now, publishedFrom);
  }
}

async function openEmbedded(folder: DataFolder, log: StoreOptions['log']): Promise<Store> {
  const { storePath } = folder;
  try {
    const copy = await copyBeforeUpgrade(storePath, folder.scratchPath('upgrade'));
    if (copy !== null) log.info({ copy }, 'the store is upgraded; a copy of it as it was is kept');
    return await Store.open(sqliteStore(storePath), Date.now);
  } catch (error) {
    const cause = error instanceof ServeRejected ? error.cause : error;
    // Thrown again with the file and what to do.
    if (isFileDamage(cause)) {
      findingDamage(storePath, () => {
        throw cause;
      });
    }
    throw error;
  }
}
