/** The fleet's store: a PostgreSQL database that any number of nodes share, the second of the store's dialects. */
import { randomUUID } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import { databaseReadersMax, databaseWritersMax } from '../../limits/database.js';
import type { CommitEvent, Db, StoreDialect } from '../dialect.js';
import { databaseRemedy } from '../store-errors.js';
import type { Tables } from '../tables/tables.js';
import { ByteOrder } from './byte-order.js';
import { PostgresPool } from './pool.js';
import type { DatabaseUrl } from './url.js';

/**
 * The channel on which commits are announced; its payload is a `CommitEvent` as JSON. A database has one set of channels and advisory
 * locks, but may have a store in each of several schemas.
 */
export const commitChannel: RawBuilder<string> = sql<string>`'loadout_' || md5(current_schema())`;
/** The second key of every advisory lock. */
export const lockOfSchema: RawBuilder<number> = sql<number>`hashtext(current_schema())`;

/** Any number will do: it must only be the same in all nodes, and used by no other application of the database. */
const schemaLock = 1_716_623;

const uses = {
  write: { writes: true, max: databaseWritersMax, keepsPlans: false },
  read: { writes: false, max: databaseReadersMax, keepsPlans: false },
  // One edit after the other is followed: one connection does.
  follow: { writes: false, max: 1, keepsPlans: true },
} as const;

export interface PostgresOptions {
  /** Where the change log is followed; null: where the writes go. */
  readonly replica?: DatabaseUrl | null;
  /** Whose clock times the writes: the database's, which all nodes share, unless a test has its own. */
  readonly clock?: 'database' | 'own';
}

/** @param url where writes go: the first of its servers that takes them */
export function postgresStore(url: DatabaseUrl, options: PostgresOptions = {}): StoreDialect {
  const { replica = null, clock = 'database' } = options;
  const writer = randomUUID();
  const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return {
    kind: 'postgres',
    place: `The database ${url.shown}`,
    remedy: databaseRemedy,
    bytesType: 'bytea',
    schemaPlugin: new ByteOrder(),
    followsReplica: replica !== null,
    connect: (use) => {
      const servers = use === 'follow' && replica !== null ? replica : url;
      return connectPostgres(new PostgresPool(servers, { ...uses[use], primary: servers === url }));
    },
    hasTable: async (db, name) => {
      const found = await sql<{ there: boolean }>`
        select to_regclass(${name}) is not null as there`.execute(db);
      return found.rows[0]?.there === true;
    },
    lockSchema: async (transaction) => {
      await sql`select pg_advisory_xact_lock(${schemaLock}::int, ${lockOfSchema})`.execute(
        transaction,
      );
    },
    lockWrites: async (transaction, nowMs) => {
      // Locks the row until the commit. Two nodes' times differ, so that what is sorted by time is sorted by commit.
      const at = clock === 'database' ? databaseMs : sql<number>`${nowMs}::bigint`;
      const { writtenAt, ...log } = await transaction
        .updateTable('storeState')
        .set({
          writtenAt: sql<number>`greatest(
            written_at + case when writer = ${writer} then 0 else 1 end, ${at})`,
          writer,
        })
        .returning(['storeId', 'sequence', 'prunedTo', 'writtenAt', 'writersMin'])
        .executeTakeFirstOrThrow();
      return { ...log, atMs: writtenAt };
    },
    readClock: async (db, nowMs) => {
      if (clock !== 'database') return nowMs;
      const { rows } = await sql<{ nowMs: number }>`select ${databaseMs} as "nowMs"`.execute(db);
      return rows[0]?.nowMs ?? nowMs;
    },
    notify: notifyNodes,
  };
}

/** The store's tables over that pool. */
export function connectPostgres(
  pool: ConstructorParameters<typeof PostgresDialect>[0]['pool'],
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** A notification is delivered when its transaction commits, and not at all otherwise. */
export async function notifyNodes(db: Db, event: CommitEvent): Promise<void> {
  await sql`select pg_notify(${commitChannel}, ${JSON.stringify(event)})`.execute(db);
}
