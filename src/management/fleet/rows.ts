/** The servers that share the store, each as it last said of itself. Times are the database's: their clocks may differ. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../store/dialect.js';
import type { NodesTable } from '../store/tables/server.js';

/** What a server says of itself. */
export type NodeReport = Omit<NodesTable, 'startedAt' | 'seenAt'> & {
  /** How long it has run, milliseconds. */
  readonly upMs: number;
  /** Of its sequence (D44); null: it is not known just now. */
  readonly mark: string | null;
};

const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Says that a server lives, and how far it is. A sequence that the store has not given out, or with another mark, is of
 * another history: nothing of this one is reached by it, so 0 is written. PostgreSQL only.
 */
export async function reportNode(
  db: Db,
  { upMs, mark, sequence, ...node }: NodeReport,
): Promise<void> {
  const row = {
    ...node,
    sequence: sql<number>`case when ${isOfThisHistory(sequence, mark)}
      then ${sequence}::bigint else 0 end`,
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

/** Marks below `pruned_to` are forgotten: whether such a number is of this history is not known (see `leastReached`). */
function isOfThisHistory(sequence: number, mark: string | null): RawBuilder<boolean> {
  const log = sql`(select sequence, pruned_to from store_state) as log`;
  if (mark === null) {
    return sql<boolean>`(select ${sequence}::bigint <= log.sequence from ${log})`;
  }
  return sql<boolean>`(
    select ${sequence}::bigint <= log.sequence and (
      ${sequence}::bigint < log.pruned_to or exists (
        select from sequences as own where own.sequence = ${sequence}::bigint and own.mark = ${mark}))
    from ${log})`;
}

/** The database's clock, milliseconds since the epoch. PostgreSQL only. */
export async function databaseNowMs(db: Db): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`select ${databaseMs} as "nowMs"`.execute(db);
  return rows[0]?.nowMs ?? 0;
}

export interface ListedNodes {
  /** By name. */
  readonly nodes: NodesTable[];
  /** The database's time, milliseconds since the epoch. */
  readonly nowMs: number;
  /** The store's newest number. */
  readonly sequence: number;
  /** Numbers up to and including this one are no longer in the log. */
  readonly prunedTo: number;
}

/** All servers, and how far the log is. PostgreSQL only. */
export async function listNodes(db: Db): Promise<ListedNodes> {
  const nodes = await db.selectFrom('nodes').selectAll().orderBy('name').orderBy('id').execute();
  const log = await db
    .selectFrom('storeState')
    .select(['sequence', 'prunedTo'])
    .select(databaseMs.as('nowMs'))
    .executeTakeFirstOrThrow();
  return { nodes, ...log };
}

/**
 * The least number by which a server has reached `sequence`. Where the log was moved beyond another history since, a
 * number below that may be of either history, and only what was read again has it for certain (D44).
 */
export function leastReached(
  sequence: number,
  { prunedTo }: Pick<ListedNodes, 'prunedTo'>,
): number {
  return Math.max(sequence, prunedTo);
}

/** Names of servers that live and know less of the schema than this one. PostgreSQL only. */
export async function listOlderNodes(
  db: Db,
  schema: number,
  liveMs: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('nodes')
    .select('name')
    .where('schema', '<', schema)
    .where('seenAt', '>', sql<number>`${databaseMs} - ${liveMs}::bigint`)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** A server that ended in order is not waited for. */
export async function deregisterNode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute();
}

/** Forgets servers that were not seen for so long. PostgreSQL only. */
export async function forgetLostNodes(db: Db, unseenMs: number): Promise<void> {
  await db
    .deleteFrom('nodes')
    .where('seenAt', '<', sql<number>`${databaseMs} - ${unseenMs}::bigint`)
    .execute();
}
