/** Connections of the store that live as long as one piece of work. */
import type { Kysely } from 'kysely';
import type { Db, StoreDialect } from './dialect.js';
import type { Tables } from './tables/tables.js';

/** Runs on a connection of its own, so that no other read waits for it. */
export async function withConnection<T>(
  dialect: StoreDialect,
  use: Parameters<StoreDialect['connect']>[0],
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const connection = dialect.connect(use);
  try {
    return await work(connection);
  } finally {
    await connection.destroy();
  }
}

/** One transaction that sees one state. */
export function inSnapshot<T>(
  connection: Kysely<Tables>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return connection.transaction().setIsolationLevel('repeatable read').execute(work);
}
