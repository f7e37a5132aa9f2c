/** The tables of events as DuckDB sees them: views over the Parquet files of one environment (D97). */
import type { DuckDBConnection } from '@duckdb/node-api';
import { parquetFiles } from './event-folder.js';
import { columnsOf, type EventTable, eventTables } from './rows.js';

/**
 * Makes the views `exposures` and `metric_events` of the connection, in place of those that it has. Rows of one event may be
 * there twice, in files of different batches: a query counts each `keyOf` once.
 * @param events the folder of events
 */
export async function openViews(
  connection: DuckDBConnection,
  events: string,
  environment: string,
): Promise<void> {
  for (const table of eventTables) {
    const files = parquetFiles(events, table, environment);
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${table} AS ${rowsOf(table, files)}`);
  }
}

/** A query for the rows of Parquet files, with the columns of the table in their order. */
export function rowsOf(table: EventTable, files: readonly string[]): string {
  const columns = columnsOf[table];
  if (files.length === 0) {
    // DuckDB rejects an empty list of files.
    const typed = columns.map(({ name, duckdb }) => `CAST(NULL AS ${duckdb}) AS "${name}"`);
    return `SELECT ${typed.join(', ')} WHERE false`;
  }
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  return `SELECT ${names} FROM read_parquet([${files.map(quotedPath).join(', ')}], hive_partitioning = false)`;
}

/** The path of one file to read, as SQL writes it: DuckDB would take characters of its own folder for a pattern. */
export function quotedPath(path: string): string {
  return quoted(path.replaceAll(/[*?[]/g, '[$&]'));
}

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
