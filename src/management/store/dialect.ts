/** What the store needs of a database; everything else it says in SQL that SQLite and PostgreSQL share. Types only. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

export interface StoreDialect {
  /** Column type for bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /**
   * A connection of its own (SQLite) or a pool (PostgreSQL).
   * @param mode `read` refuses writes, and sees a snapshot in each transaction
   */
  connect(mode: 'read' | 'write'): Kysely<Tables>;
}

/** Anything that can read: a connection or a transaction. */
export type Reading = Kysely<Tables>;
