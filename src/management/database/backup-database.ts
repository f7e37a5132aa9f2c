/** Copies a store that servers share into one file, as it is at one moment, while they go on. */

import { settle } from '../backup/backup.js';
import { inSnapshot, withConnection } from '../store/connection.js';
import { postgresStore } from '../store/postgres/postgres.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { sqliteStore } from '../store/sqlite.js';
import { type CopyOptions, copyStoreRows } from './copy-store.js';
import { emptyStore } from './move-target.js';

/**
 * The same kind of file as the embedded store's backup: `loadout restore` takes it into a data folder, and `loadout
 * migrate` from there into a database.
 * @param to a file that is not there yet
 * @throws MoveRejected when a row cannot be kept, StoreUnavailable
 */
export async function copyDatabase(url: DatabaseUrl, to: string): Promise<void> {
  // Readers get the file once it is whole, so a power cut may lose it until then.
  const target = await emptyStore(sqliteStore(to, 'OFF'), Date.now);
  try {
    const into: CopyOptions['into'] = (work) => target.transaction().execute(work);
    await withConnection(postgresStore(url), 'read', (source) =>
      inSnapshot(source, (from) =>
        copyStoreRows({ from, into, intoKind: 'sqlite', onProgress: () => undefined }),
      ),
    );
  } finally {
    await target.destroy();
  }
  settle(to);
}
