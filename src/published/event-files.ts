/**
 * Where event files are. A delivery process appends to one file of the open folder, and moves it to the sealed folder when it
 * is old or long enough; from then on nothing is written to it (D96).
 */
import { join } from 'node:path';

/** Of the data folder. */
export const eventsFolderName = 'events';

/** Files that a process appends to. A process that was killed leaves one, perhaps with a part of a line at its end. */
export function openEventsFolder(eventsFolder: string): string {
  return join(eventsFolder, 'open');
}

/** Complete files, which end with a line break. Their reader removes them. */
export function sealedEventsFolder(eventsFolder: string): string {
  return join(eventsFolder, 'sealed');
}

const fileName = /^(\d+)-(\d+)-(\d+)\.ndjson$/;

/**
 * Of an event file, the same in either folder, and never used twice on one machine.
 * @param epochMs when the process started, milliseconds since the epoch
 * @param number counts the files of the process, from 0
 */
export function eventFileName(pid: number, epochMs: number, number: number): string {
  return `${pid}-${epochMs}-${number}.ndjson`;
}

/** @returns null for a file that is no event file */
export function pidOfEventFile(name: string): number | null {
  const pid = fileName.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}
