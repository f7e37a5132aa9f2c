/** Copies a store that servers share into one file, as it is at one moment, while they go on. */

import { postgresStore } from '../store/postgres/postgres.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { sqliteStore } from '../store/sqlite.js';
import { copyStoreRows } from './copy-store.js';
import { emptyStore, settle } from './move-target.js';

/**
 * The same kind of file as the embedded store's backup: `loadout restore` takes it into a data folder, and `loadout
 * migrate` from there into a database.
 * @param to a file that is not there yet
 * @throws MoveRefused when a row cannot be kept, StoreUnavailable
 */
export async function copyDatabase(url: DatabaseUrl, to: string): Promise<void> {
  // Whoever reads the file gets it when it is whole, so what a power cut leaves of it need not be.
  const target = await emptyStore(sqliteStore(to, 'OFF'), Date.now);
  try {
    const source = postgresStore(url).connect('read');
    try {
      await source
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((from) =>
          copyStoreRows({
            from,
            into: (work) => target.transaction().execute(work),
            intoKind: 'sqlite',
            onProgress: () => undefined,
          }),
        );
    } finally {
      await source.destroy();
    }
  } finally {
    await target.destroy();
  }
  settle(to);
}
