/** What the data folder and the store take on the disk, and when the store was backed up last; read with a scrape. */
import { stat, statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { type LastBackup, readLastBackup } from '../backup/last-backup.js';
import { fileGaugesMsMax, storeGaugesMsMax } from '../limits/processes.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { DataFolder } from '../store/data-folder.js';
import { StaleCache } from '../store/stale-cache.js';
import type { Store } from '../store/store.js';

const onlyEmbedded = { onlyIf: 'the store is embedded (SQLite)' };
const storeBytes = metric({
  name: 'loadout_store_bytes',
  help: 'Size of the store: of store.db, or of the PostgreSQL database as it says itself.',
});
const storeWalBytes = metric({
  name: 'loadout_store_wal_bytes',
  help: 'Size of the write-ahead log of store.db, store.db-wal.',
  ...onlyEmbedded,
});
const publishedBytes = metric({
  name: 'loadout_published_bytes',
  help: 'Size of published.db, which delivery processes read.',
});
const publishedWalBytes = metric({
  name: 'loadout_published_wal_bytes',
  help: 'Size of the write-ahead log of published.db, published.db-wal.',
});
const diskFreeBytes = metric({
  name: 'loadout_disk_free_bytes',
  help: 'What the server may still write to the disk of its data folder.',
});
const diskBytes = metric({
  name: 'loadout_disk_bytes',
  help: 'Size of the disk of the data folder.',
});
const backupAt = metric({
  name: 'loadout_backup_last_success_timestamp_seconds',
  help: 'When the last backup of the store of this data folder was whole, Unix time; 0: never. Of `loadout backup` and the admin API; one that was cut off does not count.',
  onlyIf: 'the store is embedded (SQLite), or this server has sent a backup',
});
const backupBytes = metric({
  name: 'loadout_backup_last_success_bytes',
  help: 'Size of the last backup that was whole.',
  onlyIf: 'there was one',
});
const backupSeconds = metric({
  name: 'loadout_backup_last_success_duration_seconds',
  help: 'How long the last backup that was whole took, from the request until it was sent or written.',
  onlyIf: 'there was one',
});

export const dataMetrics: readonly Metric[] = [
  ...[storeBytes, storeWalBytes, publishedBytes, publishedWalBytes, diskFreeBytes, diskBytes],
  ...[backupAt, backupBytes, backupSeconds],
];

export interface DataFiguresDeps {
  readonly folder: Pick<DataFolder, 'path' | 'storePath' | 'publishedPath'>;
  readonly store: Pick<Store, 'read'>;
  readonly isEmbedded: boolean;
  /** A store that is away is not asked. */
  readonly isStoreAvailable: () => boolean;
}

export class DataFigures {
  readonly #deps: DataFiguresDeps;
  readonly #files: StaleCache<readonly Gauge[]>;
  readonly #database: StaleCache<number | null>;

  constructor(deps: DataFiguresDeps) {
    this.#deps = deps;
    this.#files = new StaleCache(() => this.#readFiles(), [], fileGaugesMsMax);
    this.#database = new StaleCache(() => databaseBytes(deps.store), null, storeGaugesMsMax);
  }

  /** If the disk or the database does not respond soon, the sizes are those of the last reading. */
  async read(): Promise<Gauge[]> {
    const { isEmbedded, isStoreAvailable } = this.#deps;
    const asksDatabase = !isEmbedded && isStoreAvailable();
    await Promise.all([this.#files.soon(), asksDatabase ? this.#database.soon() : null]);
    return [...gaugesOf([storeBytes, this.#database.value]), ...this.#files.value];
  }

  async #readFiles(): Promise<Gauge[]> {
    const { folder, isEmbedded } = this.#deps;
    const { storePath, publishedPath } = folder;
    const [store, storeWal] = isEmbedded
      ? [await sizeOf(storePath), (await sizeOf(`${storePath}-wal`)) ?? 0]
      : [null, null];
    const disk = await diskRoom(folder.path);
    return [
      ...gaugesOf(
        [storeBytes, store],
        [storeWalBytes, storeWal],
        [publishedBytes, await sizeOf(publishedPath)],
        [publishedWalBytes, (await sizeOf(`${publishedPath}-wal`)) ?? 0],
        [diskFreeBytes, disk?.freeBytes ?? null],
        [diskBytes, disk?.bytes ?? null],
      ),
      ...backupGauges(await readLastBackup(folder.path), isEmbedded),
    ];
  }
}

/** Where databases are backed up otherwise, there is no figure until this server has sent a backup. */
function backupGauges(last: LastBackup | null, isEmbedded: boolean): Gauge[] {
  if (last === null) return isEmbedded ? [sample(backupAt, 0)] : [];
  return [
    sample(backupAt, Date.parse(last.at) / 1_000),
    sample(backupBytes, last.bytes),
    sample(backupSeconds, last.seconds),
  ];
}

/** Those that are known. */
function gaugesOf(...all: readonly (readonly [Metric<never>, number | null])[]): Gauge[] {
  return all.flatMap(([of, value]) => (value === null ? [] : [sample(of, value)]));
}

/** Bytes; null: there is no such file, or it cannot be looked at. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}

/** Of the disk of a folder, bytes, as far as its user may write; null: the system does not tell. */
export async function diskRoom(
  path: string,
): Promise<{ readonly freeBytes: number; readonly bytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** @throws StoreUnavailable */
function databaseBytes(store: Pick<Store, 'read'>): Promise<number | null> {
  return store.read(async (db) => {
    const { rows } = await sql<{ readonly bytes: string }>`
      select pg_database_size(current_database())::text as bytes`.execute(db);
    const [row] = rows;
    return row === undefined ? null : Number(row.bytes);
  });
}
