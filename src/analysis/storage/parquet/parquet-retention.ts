/** Which Parquet files go: those of days that are not kept, and the oldest ones where all take too much room. */
import { rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RetentionRules } from '../../process-messages.js';
import { namesIn, tableFolder } from '../event-folder.js';
import { instantText } from '../event-rows.js';
import { type EventTable, eventTables } from '../rows.js';

export interface ParquetFile {
  readonly table: EventTable;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly path: string;
  readonly bytes: number;
}

const dayMark = 'day=';
const msPerDay = 24 * 3_600_000;

export function allParquetFiles(events: string): readonly ParquetFile[] {
  return eventTables.flatMap((table) => {
    const folder = tableFolder(events, table);
    return namesIn(folder).flatMap((environment) =>
      namesIn(join(folder, environment))
        .filter((name) => name.startsWith(dayMark))
        .flatMap((name) =>
          namesIn(join(folder, environment, name)).map((file) => {
            const path = join(folder, environment, name, file);
            return { table, day: name.slice(dayMark.length), path, bytes: statSync(path).size };
          }),
        ),
    );
  });
}

export function bytesByTable(events: string): Readonly<Record<EventTable, number>> {
  const bytes = { exposures: 0, metric_events: 0 };
  for (const file of allParquetFiles(events)) bytes[file.table] += file.bytes;
  return bytes;
}

/**
 * Removes the days that are not kept, and the oldest ones while all files together take more than they may; of the present
 * day only as many files as it takes.
 */
export function removeOldDays(
  events: string,
  { daysKept, bytesMax }: RetentionRules,
  nowMs: number,
): void {
  const today = instantText(nowMs).slice(0, 10);
  const firstKept =
    daysKept === null ? '' : instantText(nowMs - (daysKept - 1) * msPerDay).slice(0, 10);
  const files = allParquetFiles(events);
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const part of partsByAge(files, today)) {
    const isKept = part.every(({ day }) => day >= firstKept) && bytes <= bytesMax;
    if (isKept) continue;
    for (const file of part) {
      rmSync(file.path, { force: true });
      bytes -= file.bytes;
    }
  }
  removeEmptyFolders(events);
}

/** What goes at once, the oldest first: the files of a day that is over, or one of the present day. */
function partsByAge(
  files: readonly ParquetFile[],
  today: string,
): readonly (readonly ParquetFile[])[] {
  const parts = new Map<string, ParquetFile[]>();
  for (const file of files) {
    const key = file.day < today ? file.day : `${file.day}/${basename(file.path)}`;
    parts.set(key, [...(parts.get(key) ?? []), file]);
  }
  return [...parts.keys()].sort().map((key) => parts.get(key) ?? []);
}

function removeEmptyFolders(events: string): void {
  for (const table of eventTables) {
    const folder = tableFolder(events, table);
    for (const environment of namesIn(folder)) {
      for (const day of namesIn(join(folder, environment))) {
        const path = join(folder, environment, day);
        if (namesIn(path).length === 0) rmSync(path, { recursive: true, force: true });
      }
    }
  }
}
