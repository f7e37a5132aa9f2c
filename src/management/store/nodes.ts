/** The servers that share the store, each as it last said of itself. Times are the database's: their clocks may differ. */
import { sql } from 'kysely';
import type { Reading } from './dialect.js';
import type { NodesTable } from './tables.js';

/** What a server says of itself. */
export type NodeReport = Omit<NodesTable, 'startedAt' | 'seenAt'> & {
  /** How long it has run, milliseconds. */
  readonly upMs: number;
};

const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Says that a server lives, and how far it is. PostgreSQL only. */
export async function reportNode(db: Reading, { upMs, ...node }: NodeReport): Promise<void> {
  const row = {
    ...node,
    startedAt: sql<number>`${databaseMs} - ${Math.trunc(upMs)}::bigint`,
    seenAt: databaseMs,
  };
  const { id: _id, ...changing } = row;
  await db
    .insertInto('nodes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
}

/** All servers by name, the database's time, and the store's newest number. PostgreSQL only. */
export async function listNodes(
  db: Reading,
): Promise<{ readonly nodes: NodesTable[]; readonly nowMs: number; readonly sequence: number }> {
  const nodes = await db.selectFrom('nodes').selectAll().orderBy('name').orderBy('id').execute();
  const { nowMs, sequence } = await db
    .selectFrom('storeState')
    .select('sequence')
    .select(databaseMs.as('nowMs'))
    .executeTakeFirstOrThrow();
  return { nodes, nowMs, sequence };
}

/** A server that ended in order is not waited for. */
export async function forgetNode(db: Reading, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute();
}

/** Forgets servers that were not seen for so long. PostgreSQL only. */
export async function forgetLostNodes(db: Reading, unseenMs: number): Promise<void> {
  await db
    .deleteFrom('nodes')
    .where('seenAt', '<', sql<number>`${databaseMs} - ${unseenMs}::bigint`)
    .execute();
}
