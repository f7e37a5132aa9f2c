/**
 * When the store of a data folder was backed up last: a small file of that folder, which outlives the server, and which
 * `loadout backup --data` writes without one. It is about this machine: a restored or copied store says nothing of backups.
 */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { scratchMark } from '../store/data-folder.js';

const lastBackupSchema = z.object({
  /** When it was whole, ISO 8601. */
  at: z.iso.datetime(),
  bytes: z.int().min(0),
  /** From the request until its last byte was sent or written. */
  seconds: z.number().min(0),
});

/** The last backup that was made whole. */
export type LastBackup = z.output<typeof lastBackupSchema>;

/** What is known when a backup is whole. */
export interface FinishedBackup {
  /** performance.now() */
  readonly startedMs: number;
  readonly bytes: number;
}

const fileName = 'last-backup.json';

/**
 * Notes that a backup is whole. The file is replaced at once: a reader finds the earlier note or this one.
 * @param nowMs milliseconds since the epoch
 * @throws the error of the file system
 */
export function noteBackup(
  folder: string,
  { startedMs, bytes }: FinishedBackup,
  nowMs: number,
): void {
  const seconds = (performance.now() - startedMs) / 1_000;
  const note: LastBackup = { at: new Date(nowMs).toISOString(), bytes, seconds };
  const scratch = join(folder, `last-backup-${randomBytes(8).toString('hex')}${scratchMark}`);
  try {
    // No secret: the server reads it too where another user has made the backup.
    writeFileSync(scratch, `${JSON.stringify(note)}\n`, { flush: true, mode: 0o644 });
    renameSync(scratch, join(folder, fileName));
  } catch (error) {
    rmSync(scratch, { force: true });
    throw error;
  }
}

/** Null: none is known. */
export async function readLastBackup(folder: string): Promise<LastBackup | null> {
  try {
    const text = await readFile(join(folder, fileName), 'utf8');
    return lastBackupSchema.parse(JSON.parse(text));
  } catch {
    // Absent, or cut by a crash of the machine: it is as good as none.
    return null;
  }
}
