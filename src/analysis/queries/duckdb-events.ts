/** Events in the Parquet files of one environment, asked through DuckDB. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Dialect, EventDatabase, SqlRow, SqlValue } from './event-database.js';

export const duckdbDialect: Dialect = {
  epochMs: (timestamp) => `epoch_ms(${timestamp})`,
  dayOf: (epochMs) => `cast(epoch_ms(${epochMs}) as date)`,
  shortKey: (text) => `hash(${text})`,
  shortKeyType: 'ubigint',
  byBytes: (text) => text,
};

/**
 * Runs `ask` in a transaction, which is rolled back: nothing of it stays.
 * @param mayRepeat whether a metric event may be in several rows
 */
export async function withDuckdbEvents<Result>(
  connection: DuckDBConnection,
  mayRepeat: boolean,
  ask: (database: EventDatabase) => Promise<Result>,
): Promise<Result> {
  await connection.run('begin');
  try {
    return await ask({
      dialect: duckdbDialect,
      mayRepeat,
      query: (sql, parameters) => query(connection, sql, parameters),
    });
  } finally {
    await connection.run('rollback');
  }
}

async function query(
  connection: DuckDBConnection,
  sql: string,
  parameters: readonly string[],
): Promise<readonly SqlRow[]> {
  const reader = await connection.runAndReadAll(sql, [...parameters]);
  return reader
    .getRowObjects()
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(name, value)])),
    );
}

function plain(name: string, value: DuckDBValue): SqlValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string' || typeof value === 'number') return value;
  // Small counts and places, which the SQL has no need to cast.
  if (typeof value === 'bigint') return Number(value);
  throw new TypeError(`Column ${name} has a value of an unexpected type.`);
}
