/** Finishes an upgrade of a shared database by hand. */
import { nodeLiveMs } from '../limits.js';
import { schemaNewest } from './migrate.js';
import { listOlderNodes } from './nodes.js';
import { completeOlderWrites, isComplete } from './older-writes.js';
import { postgresStore } from './postgres.js';
import type { DatabaseUrl } from './postgres-url.js';
import { reachDatabase } from './reach-database.js';
import { Store } from './store.js';

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
