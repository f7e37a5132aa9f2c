/** Where queries find the rows of events: in DuckDB, over Parquet files; or in PostgreSQL (D97). */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ClientBase } from 'pg';

/** Views `exposures` and `metric_events` over the Parquet files of the environment (views.ts). */
export interface DuckdbEvents {
  readonly kind: 'duckdb';
  /** Of this query alone. Its memory, threads and temporary files are limited. */
  readonly connection: DuckDBConnection;
  /** Names of the Parquet files and their sizes: they change whenever rows do. */
  readonly fingerprint: string;
  /**
   * Leaves repetitions out of the view `metric_events`, where that takes little: for queries of many events.
   * @returns whether it did; else queries count each `keyOf` once
   */
  showOnce(): Promise<boolean>;
}

/** Tables `exposures` and `metric_events` of every environment, first on the search path. Times are in UTC. */
export interface PostgresEvents {
  readonly kind: 'postgres';
  /** In a transaction that sees one state of the tables, and may make temporary ones: it is rolled back. */
  readonly client: ClientBase;
}

export type Events = DuckdbEvents | PostgresEvents;

export interface EventSource {
  /** Lends the rows for as long as `use` takes. A query counts each `keyOf` (rows.ts) once. */
  read<T>(environment: string, use: (events: Events) => Promise<T>): Promise<T>;
}
