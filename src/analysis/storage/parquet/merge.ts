/**
 * Puts one Parquet file in the place of several small ones of a day, without the rows that are in two of them; of metric events, without those that other
 * merges have stored (D100). A journal says which, so that a process that was killed in the middle leaves no row twice (D97).
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { daysOf, namesIn, partitionFolder, tableFolder } from '../event-folder.js';
import { instantText } from '../event-rows.js';
import { type EventTable, eventTables } from '../rows.js';
import { rowsOf } from '../views.js';
import { distinctRows, writeParquet } from './parquet-files.js';
import {
  filesToCompare,
  findRepeated,
  isUnique,
  newEvents,
  removeReplaced,
  uniqueName,
} from './unique-files.js';

/** Files of this size are large enough to be read well. */
const smallBytesMax: number = 32 * 1024 * 1024;
/** What one merge reads: a second or two of work, in the memory that there is. */
const mergedBytesMax: number = 64 * 1024 * 1024;
/** So many small ones of the present day are merged: each row is then written again a few times at most. */
const smallFilesMax = 12;

export interface Merge {
  readonly table: EventTable;
  readonly environment: string;
  readonly inputs: readonly string[];
}

/** A merge that is due, of the oldest day that has one, so that the first receipt of an event stays; null: none is. */
export function mergeDue(events: string, nowMs: number): Merge | null {
  const today = instantText(nowMs).slice(0, 10);
  for (const table of eventTables) {
    for (const partition of namesIn(tableFolder(events, table))) {
      const environment = partition.slice('environment='.length);
      for (const day of daysOf(events, table, environment)) {
        const folder = partitionFolder(events, table, environment, day);
        const inputs = inputsDue(table, folder, day >= today);
        if (inputs.length > 0) return { table, environment, inputs };
      }
    }
  }
  return null;
}

/** Small files, once there are many of them or the day is over; else one with events that other files may have. */
function inputsDue(table: EventTable, folder: string, isToday: boolean): readonly string[] {
  const small = mergeable(folder);
  if (small.length >= (isToday ? smallFilesMax : 2)) return small;
  if (isToday || table !== 'metric_events') return [];
  return filesIn(folder)
    .filter((path) => !isUnique(path))
    .slice(0, 1);
}

/** The small files of a day, as far as one merge takes them. */
function mergeable(folder: string): readonly string[] {
  let bytes = 0;
  return filesIn(folder).filter((path) => {
    const { size } = statSync(path);
    if (size > smallBytesMax || bytes + size > mergedBytesMax) return false;
    bytes += size;
    return true;
  });
}

function filesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.parquet'))
    .sort()
    .map((name) => join(folder, name));
}

interface Journal {
  readonly output: string;
  readonly inputs: readonly string[];
}

export async function merge(
  connection: DuckDBConnection,
  events: string,
  { table, environment, inputs }: Merge,
  nowMs: number,
): Promise<void> {
  const isMetric = table === 'metric_events';
  const output = freePath(dirname(inputs[0] ?? ''), isMetric ? uniqueName : plainName, nowMs);
  if (isMetric) await leaveRepeatedOut(connection, events, environment, inputs);
  const rows = isMetric ? newEvents(inputs) : distinctRows(table, rowsOf(table, inputs));
  begin(events, { output, inputs });
  try {
    await writeParquet(connection, events, table, rows, output);
  } finally {
    finishMerge(events);
  }
}

function plainName(name: string): string {
  return `${name}.parquet`;
}

/** That of no input. */
function freePath(folder: string, named: (name: string) => string, nowMs: number): string {
  const path = join(folder, named(`${nowMs}-m${process.pid}`));
  return existsSync(path) ? freePath(folder, named, nowMs + 1) : path;
}

function begin(events: string, journal: Journal): void {
  const scratch = `${journalOf(events)}.new`;
  writeFileSync(scratch, JSON.stringify(journal), { flush: true });
  renameSync(scratch, journalOf(events));
}

/** Prepares `newEvents`. Copies that a better one replaces go before that one is in a unique file: in between, only the input has the event. */
async function leaveRepeatedOut(
  connection: DuckDBConnection,
  events: string,
  environment: string,
  inputs: readonly string[],
): Promise<void> {
  const others = filesToCompare(events, environment, inputs);
  const replaced = await findRepeated(connection, inputs, others);
  await removeReplaced(connection, events, replaced);
}

/** Ends a merge whose file is in place, and forgets one whose file is not. */
export function finishMerge(events: string): void {
  const path = journalOf(events);
  if (!existsSync(path)) return;
  const { output, inputs } = JSON.parse(readFileSync(path, 'utf8')) as Journal;
  if (existsSync(output)) for (const input of inputs) rmSync(input, { force: true });
  rmSync(path);
}

function journalOf(events: string): string {
  return join(events, 'merge.json');
}
