/** Writes Parquet files in the place of rows, or of other Parquet files, so that a crash leaves the one or the other. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { scratchFolder } from '../event-folder.js';
import { columnsOf, type EventTable, keyOf } from '../rows.js';
import { quoted } from '../views.js';

/** Rows next to each other that queries read together: they skip the others. */
const orderOf: Readonly<Record<EventTable, string>> = {
  exposures: 'experiment, u, "at"',
  metric_events: 'name, u, "at"',
};

/** The copy of an event that stays: as it was received first. A game may report what its server confirms, by the same id: trusted metrics need the latter. */
const firstOf: Readonly<Record<EventTable, string>> = {
  exposures: 'received_at',
  metric_events: 'trusted DESC, received_at',
};

/** A query for the rows of another, each event once. */
export function distinctRows(table: EventTable, rows: string): string {
  const names = columnsOf[table].map(({ name }) => `"${name}"`).join(', ');
  const key = keyOf[table].map((name) => `"${name}"`).join(', ');
  return `SELECT DISTINCT ON (${key}) ${names} FROM (${rows}) ORDER BY ${key}, ${firstOf[table]}`;
}

/**
 * Writes the rows of a query to a file in its folder, whole and on the disk.
 * @param path of the file; one that is there is replaced
 */
export async function writeParquet(
  connection: DuckDBConnection,
  events: string,
  table: EventTable,
  rows: string,
  path: string,
): Promise<void> {
  const scratch = join(scratchFolder(events), `${process.pid}.parquet`);
  try {
    await connection.run(
      `COPY (SELECT * FROM (${rows}) ORDER BY ${orderOf[table]}) TO ${quoted(scratch)} (FORMAT parquet, COMPRESSION zstd)`,
    );
    putInPlace(scratch, path);
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** Moves a file to its name, so that it is there after a crash of the machine. */
export function putInPlace(scratch: string, path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  syncToDisk(scratch);
  renameSync(scratch, path);
  syncToDisk(folder);
}

/** What was written to the file, or renamed in the folder, is on the disk when this returns. */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
