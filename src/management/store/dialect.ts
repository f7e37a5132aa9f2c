/** What the store needs of a database; everything else it says in SQL that SQLite and PostgreSQL share. Types only. */
import type { Kysely, KyselyPlugin } from 'kysely';
import type { WriteState } from './change-log.js';
import type { Tables } from './tables/tables.js';

export interface StoreDialect {
  readonly kind: 'sqlite' | 'postgres';
  /** Where it is, for operators: the file, or the database. */
  readonly place: string;
  /** What an operator does when it is damaged. */
  readonly remedy: string;
  /** Column type for bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /** What makes the tables that migrations describe compare texts by their bytes; null: they do. */
  readonly schemaPlugin: KyselyPlugin | null;
  /**
   * A connection of its own (SQLite) or a pool (PostgreSQL).
   * @param use `read` and `follow` reject writes, and see a snapshot in each transaction; `follow` may lag behind
   */
  connect(use: 'read' | 'write' | 'follow'): Kysely<Tables>;
  /** Whether `follow` reads another server than the one that takes the writes. */
  readonly followsReplica: boolean;
  /** Whether the table of that name is there. */
  hasTable(db: Db, name: string): Promise<boolean>;
  /** No other transaction changes the schema until this one ends. */
  lockSchema(transaction: Db): Promise<void>;
  /**
   * The first statement of a write: no other transaction writes until it ends, here or on another node.
   * @param nowMs this server's clock
   * @returns how far the log is, which versions may write, and the time of the write: later than every write of another node
   */
  lockWrites(transaction: Db, nowMs: number): Promise<WriteState & { readonly atMs: number }>;
  /**
   * The clock that times writes, for what only looks: milliseconds since the epoch.
   * @param nowMs this server's clock
   */
  readClock(db: Db, nowMs: number): Promise<number>;
  /** Notifies all nodes when the transaction is committed; null: there is only one. */
  readonly notify: ((transaction: Db, event: CommitEvent) => Promise<void>) | null;
}

/** What a commit announces to the other nodes. What is left out did not happen. */
export interface CommitEvent {
  /** The number it was given. */
  readonly sequence?: number;
  /** It added to the audit. */
  readonly audited?: true;
  /** Webhooks that have something to send. */
  readonly webhooks?: readonly string[];
  /** A request waits for all nodes to confirm that they have this number. */
  readonly acknowledge?: number;
  /** A node has said so. */
  readonly acknowledged?: true;
}

/** Anything that can read: a connection or a transaction. */
export type Db = Kysely<Tables>;
