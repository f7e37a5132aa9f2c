/**
 * Opens what a server keeps: its data folder with published.db and certificate, and its store, which is the embedded one of
 * the folder or the database that servers share.
 */
import type { Logger } from 'pino';
import { copyBeforeUpgrade } from '../backup/backup-before-upgrade.js';
import { PublishedFile } from '../publishing/published-file.js';
import { ServeRejected } from '../serve-rejected.js';
import { DataFolder } from '../store/data-folder.js';
import { SchemaNotUpToDate, StoreTooNew } from '../store/migrate.js';
import { certificateHint } from '../store/postgres/certificate-hint.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { findingDamage, sqliteStore } from '../store/sqlite.js';
import { Store } from '../store/store.js';
import { codeOf, isFileDamage, StoreDamaged, StoreUnavailable } from '../store/store-errors.js';
import { openCertificate } from '../tls/configured-certificate.js';
import type { DeliveryCertificate } from '../tls/delivery-certificate.js';
import { Owner } from '../users/owner.js';
import type { Start } from './options.js';

/** What a server has on disk or in its database, opened. */
export interface ServerData {
  readonly folder: DataFolder;
  readonly certificate: DeliveryCertificate | null;
  readonly writer: PublishedFile;
  readonly store: Store;
  readonly owner: Owner;
}

export async function openData({ options, log, undo }: Start): Promise<ServerData> {
  const folder = new DataFolder(options.data);
  undo.push(() => folder.release());
  const certificate = openCertificate(options, folder, log);
  undo.push(() => certificate?.close());
  const writer = new PublishedFile(folder.publishedPath, log);
  undo.push(() => writer.close());
  const { database, databaseReplica, adminToken: given, ownerTokenToFile: toFile } = options;
  const publishedFrom = writer.storeId;
  const store = await openStore({
    ...{ database, databaseReplica, folder, publishedFrom, log },
    publishedWasDamaged: writer.wasDamaged,
  });
  undo.push(() => store.close());
  const owner = new Owner({ store, folder, log, given, toFile });
  await owner.ensure(database !== null && publishedFrom !== '');
  return { folder, certificate, writer, store, owner };
}

interface StoreOptions {
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
 * @throws ServeRejected when it cannot be used; a database that is only unreachable is opened once it responds, if there
 * is something to serve until then
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, databaseReplica, folder, publishedFrom, publishedWasDamaged, log } = options;
  if (database === null) return openEmbedded(folder, log);
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
      const hint = certificateHint(error.cause);
      if (hint !== null) {
        throw new ServeRejected(`The database ${database.shown} cannot be used: ${hint}.`, {
          cause: error,
        });
      }
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
      { event: 'database_away', err: error, database: database.shown },
      'the database is away: players are served what was published last',
    );
    return Store.later(dialect, Date.now, publishedFrom);
  }
}

async function openEmbedded(folder: DataFolder, log: StoreOptions['log']): Promise<Store> {
  const { storePath } = folder;
  try {
    const copy = await copyBeforeUpgrade(storePath, folder.scratchPath('upgrade'));
    if (copy !== null)
      log.info(
        { event: 'store_upgraded', copy },
        'the store is upgraded; a copy of it as it was is kept',
      );
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
