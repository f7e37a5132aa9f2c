/** Where rows go: one of Parquet files, a PostgreSQL database and an HTTP collector. */
import type { ExportRequest, Retained, RetentionRules } from '../process-messages.js';
import type { Batch } from './batches.js';
import type { EventRows } from './event-rows.js';
import type { EventSource } from './event-source.js';
import type { ForgottenUser } from './forgotten-users.js';
import type { BatchCounts } from './staged-batch.js';
import type { UserIds } from './user-ids.js';

export interface EventSink {
  /** Queries and exports read from it; null: what it has taken is out of reach. */
  readonly source: EventSource | null;

  /** @param hashed whether rows have the keyed hash of the user id */
  ids(hashed: boolean): Promise<UserIds>;

  /** Users who were forgotten through any server that shares the sink. */
  forgotten(): Promise<readonly ForgottenUser[]>;

  /**
   * Stores the rows of a batch. A batch that is stored again, in whole or after a part of it, leaves each row once, or, at a
   * collector, sends some of them again.
   * @throws StorageFailed
   */
  store(batch: Batch, rows: EventRows): Promise<BatchCounts>;

  /** Removes what was stored of a batch that will never be stored as a whole. */
  discard(batchId: string): Promise<void>;

  /** Does a bounded part of what makes later queries cheaper. @returns whether there is more */
  tidy(nowMs: number): Promise<boolean>;

  retain(rules: RetentionRules, nowMs: number): Promise<Retained['storedBytes']>;

  /** @returns how many rows the file has */
  export(request: ExportRequest): Promise<number>;

  /** Removes the rows of a user, and what is received later of before. @returns how many there were */
  forget(user: ForgottenUser, userIds: readonly string[]): Promise<number>;

  close(): Promise<void>;
}
