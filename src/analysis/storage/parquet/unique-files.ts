/**
 * Parquet files of metric events that have no event in common, so that queries need not look for repetitions (D100). Their names say so. A merge makes
 * them: it leaves out what the others have already. Two receipts of an event are days apart at most, so only files of the days around are compared.
 */
import { basename, dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOfQuery } from '../duckdb.js';
import { parquetFiles } from '../event-folder.js';
import { quoted, quotedPath, rowsOf } from '../views.js';
import { distinctRows, writeParquet } from './parquet-files.js';

const uniqueEnd = '.unique.parquet';
/** The server takes an event until 7 days after it happened, or an hour before by a clock that is ahead. */
const receiptsApartDaysMax = 8;
const dayMs = 86_400_000;

/** Name of a file for rows that `newEvents` has chosen. */
export function uniqueName(name: string): string {
  return `${name}${uniqueEnd}`;
}

export function isUnique(path: string): boolean {
  return path.endsWith(uniqueEnd);
}

/** The unique files that may have an event of `files` as well, which are of the same environment. */
export function filesToCompare(
  events: string,
  environment: string,
  files: readonly string[],
): readonly string[] {
  const times = files.map(receivedMs);
  const apartMs = receiptsApartDaysMax * dayMs;
  const [fromMs, untilMs] = [Math.min(...times) - apartMs, Math.max(...times) + apartMs];
  const isNear = (day: string): boolean => Date.parse(day) >= fromMs && Date.parse(day) <= untilMs;
  return parquetFiles(events, 'metric_events', environment, isNear).filter(
    (path) => isUnique(path) && !files.includes(path),
  );
}

/** Of a file's partition, `day=YYYY-MM-DD`. */
function receivedMs(path: string): number {
  return Date.parse(basename(dirname(path)).slice('day='.length));
}

/**
 * Finds the events of `files` that others have, for `newEvents`.
 * @param others unique files
 * @returns events of the others that came without an events key, and of which `files` have a copy that came with one: `path` of the file
 */
export async function findRepeated(
  connection: DuckDBConnection,
  files: readonly string[],
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE repeated AS
     SELECT DISTINCT i.u, i.eid, s.filename, i.trusted AND NOT s.trusted AS wins
     FROM (SELECT u, eid, bool_or(trusted) AS trusted FROM (${rowsOf('metric_events', files)}) GROUP BY u, eid) i
     JOIN (${keysOf(others)}) s ON s.u = i.u AND s.eid = i.eid`,
  );
  const won = await rowsOfQuery(connection, 'SELECT DISTINCT filename FROM repeated WHERE wins');
  return new Set(won.map(({ filename }) => String(filename)));
}

function keysOf(files: readonly string[]): string {
  return files.length === 0
    ? "SELECT NULL::VARCHAR AS u, NULL::VARCHAR AS eid, '' AS filename, false AS trusted WHERE false"
    : `SELECT u, eid, filename, trusted FROM read_parquet([${files.map(quotedPath).join(', ')}], filename = true, hive_partitioning = false)`;
}

/** A query for the events of `files` that no other file has, each once; after `findRepeated`, while its table is there. */
export function newEvents(files: readonly string[]): string {
  return `SELECT * FROM (${distinctRows('metric_events', rowsOf('metric_events', files))}) n
    WHERE NOT EXISTS (SELECT 1 FROM repeated r WHERE r.u = n.u AND r.eid = n.eid AND NOT r.wins)`;
}

/** Takes the events that `findRepeated` has returned out of the other files. */
export async function removeReplaced(
  connection: DuckDBConnection,
  events: string,
  others: ReadonlySet<string>,
): Promise<void> {
  for (const path of others) {
    const kept = `SELECT * FROM (${rowsOf('metric_events', [path])}) o
      WHERE NOT EXISTS (SELECT 1 FROM repeated r WHERE r.u = o.u AND r.eid = o.eid AND r.wins AND r.filename = ${quoted(path)})`;
    await writeParquet(connection, events, 'metric_events', kept, path);
  }
}
