/** Shows queries each metric event once: those of unique files as they are, and what other files have beyond them (D100). */
import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { parquetFiles } from '../event-folder.js';
import { rowsOf } from '../views.js';
import { filesToCompare, findRepeated, isUnique, newEvents } from './unique-files.js';

/** Of files that no merge has seen: events of some minutes, rarely of hours. It bounds what is looked up before the first query. */
const unmergedBytesMax: number = 64 * 1024 * 1024;

/**
 * Makes `metric_events` of the connection, a view that `openViews` has made, one that has each event once.
 * @returns false: the view stays, and queries have to leave repetitions out. There is too much that was never merged, such as files of an older version,
 * or an event whose copies differ in trust
 */
export async function showEventsOnce(
  connection: DuckDBConnection,
  events: string,
  environment: string,
): Promise<boolean> {
  const files = parquetFiles(events, 'metric_events', environment);
  const unmerged = files.filter((path) => !isUnique(path));
  if (unmerged.length === 0) return true;
  const bytes = unmerged.reduce((sum, path) => sum + statSync(path).size, 0);
  if (bytes > unmergedBytesMax) return false;
  const others = filesToCompare(events, environment, unmerged);
  const replaced = await findRepeated(connection, unmerged, others);
  if (replaced.size > 0) return false;
  await connection.run(`CREATE OR REPLACE TEMP TABLE newest_events AS ${newEvents(unmerged)}`);
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW metric_events AS
     ${rowsOf('metric_events', files.filter(isUnique))} UNION ALL SELECT * FROM newest_events`,
  );
  return true;
}
