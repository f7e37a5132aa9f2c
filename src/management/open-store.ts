/** Opens the store of a server: the embedded one of its data folder, or the database that it shares with others. */
import type { Logger } from 'pino';
import type { DataFolder } from './data-folder.js';
import { ServeRefused } from './serve-refused.js';
import { copyBeforeUpgrade } from './store/backup-before-upgrade.js';
import { SchemaNotUpToDate, StoreTooNew } from './store/migrate.js';
import { postgresStore } from './store/postgres.js';
import type { DatabaseUrl } from './store/postgres-url.js';
import { sqliteStore } from './store/sqlite.js';
import { Store } from './store/store.js';
import { codeOf, StoreUnavailable } from './store/store-faults.js';

export interface StoreWish {
  /** Null: the embedded store. */
  readonly database: DatabaseUrl | null;
  readonly databaseReplica: DatabaseUrl | null;
  readonly folder: DataFolder;
  /** What published.db was last made from; '': nothing was published yet, so there is nothing to serve without a store. */
  readonly publishedFrom: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * @throws ServeRefused when it cannot be used; a database that is only away is opened when it answers, if there is
 * something to serve until then
 */
export async function openStore(wish: StoreWish): Promise<Store> {
  const { database, databaseReplica, folder, publishedFrom, log } = wish;
  if (database === null) {
    const copy = await copyBeforeUpgrade(folder.storePath, folder.scratchPath('upgrade'));
    if (copy !== null) log.info({ copy }, 'the store is upgraded; a copy of it as it was is kept');
    return Store.open(sqliteStore(folder.storePath), Date.now);
  }
  const dialect = postgresStore(database, { replica: databaseReplica });
  try {
    return await Store.open(dialect, Date.now);
  } catch (error) {
    if (error instanceof StoreTooNew || error instanceof SchemaNotUpToDate) {
      throw new ServeRefused(error.message, { cause: error });
    }
    if (!(error instanceof StoreUnavailable)) {
      throw new ServeRefused(
        `The database ${database.shown} cannot be used: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
    if (publishedFrom === '') {
      const why = codeOf(error.cause);
      throw new ServeRefused(
        `The database ${database.shown} cannot be reached${why === '' ? '' : ` (${why})`}, and nothing was published here yet that could be served without it. ${error.message}`,
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
