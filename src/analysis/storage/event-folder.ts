/** Where the analysis keeps what it makes of event files, below the folder of events (D97). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventTable } from './rows.js';

/** Event files of a batch that is being stored, in a folder for each batch. */
export function pendingFolder(events: string): string {
  return join(events, 'pending');
}

/** Event files in which something was no event, as they were. */
export function damagedFolder(events: string): string {
  return join(events, 'damaged');
}

/** What a crash leaves here is removed at the next start. */
export function scratchFolder(events: string): string {
  return join(events, 'tmp');
}

/** Results of analyses, which can be made again. */
export function resultsFolder(events: string): string {
  return join(events, 'results');
}

/** Parquet files of a table: `environment=E/day=YYYY-MM-DD/*.parquet` below it. */
export function tableFolder(events: string, table: EventTable): string {
  return join(events, 'parquet', table);
}

export function partitionFolder(
  events: string,
  table: EventTable,
  environment: string,
  day: string,
): string {
  return join(tableFolder(events, table), `environment=${environment}`, `day=${day}`);
}

/** Paths of a table's Parquet files for one environment, in no order; of every day without `isWanted`. */
export function parquetFiles(
  events: string,
  table: EventTable,
  environment: string,
  isWanted: (day: string) => boolean = () => true,
): string[] {
  const folder = join(tableFolder(events, table), `environment=${environment}`);
  return namesIn(folder)
    .filter((name) => name.startsWith(dayMark) && isWanted(name.slice(dayMark.length)))
    .flatMap((name) => namesIn(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => path.endsWith('.parquet'));
}

/** Days that a table has for an environment, `YYYY-MM-DD`, the oldest first. */
export function daysOf(events: string, table: EventTable, environment: string): string[] {
  return namesIn(join(tableFolder(events, table), `environment=${environment}`))
    .filter((name) => name.startsWith(dayMark))
    .map((name) => name.slice(dayMark.length))
    .sort();
}

const dayMark = 'day=';

/** Empty for a folder that is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
