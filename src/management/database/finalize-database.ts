/** Finishes an upgrade of a shared database by hand. */

import { listOlderNodes } from '../fleet/rows.js';
import { nodeLiveMs } from '../limits/fleet.js';
import { schemaNewest } from '../store/migrate.js';
import { completeOlderWrites, isComplete } from '../store/older-writes.js';
import { postgresStore } from '../store/postgres/postgres.js';
import type { DatabaseUrl } from '../store/postgres/url.js';
import { Store } from '../store/store.js';
import { reachDatabase } from './reach-database.js';

export interface Finalized {
  readonly wasFinished: boolean;
  /** Names of servers of an older version that still run. */
  readonly older: readonly string[];
}

/**
 * May be done again at any time. Servers that run take over what it changes.
 * @param now milliseconds since the epoch
 * @throws SchemaNotUpToDate, SchemaForbidden, StoreTooNew, DatabaseUnreachable
 */
export async function finalizeDatabase(url: DatabaseUrl, now: () => number): Promise<Finalized> {
  const store = await reachDatabase(url, () => Store.open(postgresStore(url), now));
  try {
    const found = await store.read(async (db) => ({
      wasFinished: await isComplete(db),
      older: await listOlderNodes(db, schemaNewest, nodeLiveMs),
    }));
    const { signal } = new AbortController();
    await completeOlderWrites({ store, publish: async () => undefined, signal });
    return found;
  } finally {
    await store.close();
  }
}
