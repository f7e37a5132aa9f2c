/** Event files that wait to be stored, and those that were set aside: how much they are, which of them go, and whose events. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealedEventsFolder } from '../../published/event-files.js';
import type { Retained, RetentionRules } from '../process-messages.js';
import { pendingBatches } from './batches.js';
import { damagedFolder, namesIn } from './event-folder.js';
import { forgottenLine, readEvent } from './event-lines.js';

interface WaitingFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly changedAtMs: number;
}

export interface Backlog {
  readonly files: number;
  readonly bytes: number;
  /** When the oldest was sealed, milliseconds since the epoch; null: there is none. */
  readonly oldestAtMs: number | null;
}

/** For people, a disk that is damaged is one: some files say what it does. */
const damagedBytesMax: number = 256 * 1024 * 1024;

export function backlogOf(events: string): Backlog {
  const files = waitingFiles(events);
  return {
    files: files.length,
    bytes: sumOf(files),
    oldestAtMs:
      files.length === 0 ? null : Math.min(...files.map(({ changedAtMs }) => changedAtMs)),
  };
}

/** Removes what is older or more than it may be. @returns what was removed, and what is left, bytes */
export function retainWaiting(
  events: string,
  { daysKept, bytesMax }: RetentionRules,
  nowMs: number,
): Omit<Retained, 'storedBytes'> & { readonly bytes: number } {
  const oldestMs = daysKept === null ? 0 : nowMs - daysKept * 24 * 3_600_000;
  const waiting = waitingFiles(events);
  const dropped = surplus(waiting, oldestMs, bytesMax);
  const damaged = surplus(filesIn(damagedFolder(events)), oldestMs, damagedBytesMax);
  for (const { path } of [...dropped, ...damaged]) rmSync(path, { force: true });
  return {
    removedBytes: sumOf(dropped) + sumOf(damaged),
    droppedFiles: dropped.length,
    bytes: sumOf(waiting) - sumOf(dropped),
  };
}

/**
 * Removes the events of a user from the files that wait, and from those that were set aside. A file that a process still
 * writes is left: what it has is left out when it is stored.
 */
export function forgetWaiting(events: string, environment: string, u: string): void {
  const quoted = JSON.stringify(u);
  for (const { path } of [...waitingFiles(events), ...filesIn(damagedFolder(events))]) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(quoted)) continue;
    const lines = text
      .split('\n')
      .map((line) => (isOf(line, environment, u) ? forgottenLine : line));
    // Not in the folder: a batch is whatever is in its folder.
    const scratch = join(events, 'forgetting.new');
    writeFileSync(scratch, lines.join('\n'), { flush: true, mode: 0o600 });
    renameSync(scratch, path);
  }
}

/** Of a line that is no event, and yet names the user, nothing is kept. */
function isOf(text: string, environment: string, u: string): boolean {
  const line = readEvent(text);
  if (line === null) return text.includes(JSON.stringify(u));
  return line.env === environment && line.u === u;
}

/** The oldest files that are too old, or too much. */
function surplus(
  files: readonly WaitingFile[],
  oldestMs: number,
  bytesMax: number,
): readonly WaitingFile[] {
  let bytes = sumOf(files);
  return [...files]
    .sort((a, b) => a.changedAtMs - b.changedAtMs)
    .filter((file) => {
      const goes = file.changedAtMs < oldestMs || bytes > bytesMax;
      if (goes) bytes -= file.bytes;
      return goes;
    });
}

function waitingFiles(events: string): readonly WaitingFile[] {
  const folders = [
    sealedEventsFolder(events),
    ...pendingBatches(events).map(({ folder }) => folder),
  ];
  return folders.flatMap(filesIn);
}

/** A file that is moved meanwhile is in neither folder. */
function filesIn(folder: string): readonly WaitingFile[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true
      ? [{ path, bytes: stats.size, changedAtMs: stats.mtimeMs }]
      : [];
  });
}

function sumOf(files: readonly WaitingFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
