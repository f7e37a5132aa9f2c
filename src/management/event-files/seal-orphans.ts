/** Seals the event files of delivery processes that are gone, without the part of a line that a killed one may have left. */
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  openEventsFolder,
  pidOfEventFile,
  sealedEventsFolder,
} from '../../published/event-files.js';

const lineBreak = 0x0a;
/** What is read at a time from the end of a file: longer than most lines. */
const tailBytes = 64 * 1024;

/** Makes the folders of event files, and seals what an earlier run of the server has left. No delivery process runs yet. */
export function prepareEventsFolder(eventsFolder: string): void {
  mkdirSync(openEventsFolder(eventsFolder), { recursive: true });
  mkdirSync(sealedEventsFolder(eventsFolder), { recursive: true });
  sealOrphans(eventsFolder, () => true);
}

/** @param isGone whether the process that writes the file has ended */
export function sealOrphans(eventsFolder: string, isGone: (pid: number) => boolean): void {
  const open = openEventsFolder(eventsFolder);
  for (const name of readdirSync(open)) {
    const pid = pidOfEventFile(name);
    if (pid === null || !isGone(pid)) continue;
    const path = join(open, name);
    if (cutToLines(path) === 0) unlinkSync(path);
    else renameSync(path, join(sealedEventsFolder(eventsFolder), name));
  }
}

/** Removes what stands behind the last line break. @returns what is left, bytes */
function cutToLines(path: string): number {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const end = endOfLines(file, size);
    if (end < size) ftruncateSync(file, end);
    fdatasyncSync(file);
    return end;
  } finally {
    closeSync(file);
  }
}

/** Where the last line ends. */
function endOfLines(file: number, size: number): number {
  const tail = Buffer.alloc(tailBytes);
  for (let to = size; to > 0; to -= tailBytes) {
    const from = Math.max(0, to - tailBytes);
    const read = readSync(file, tail, 0, to - from, from);
    const at = tail.subarray(0, read).lastIndexOf(lineBreak);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}
