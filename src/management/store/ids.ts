/** Makes ids: random ones for things that have no name of their own, and ones that sort by time for rows that are paged. */
import { randomBytes } from 'node:crypto';

/** 64 random bits behind a prefix that says what it is: `key_3f…`. Hex, so that no id looks like an option to a shell. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

let count = 0;

/**
 * Sorts by time, and within a millisecond by a counter; the randomness distinguishes processes.
 * @param atMs milliseconds since the epoch
 */
export function timeOrderedId(atMs: number): string {
  count = (count + 1) % 0x1_0000;
  return `${timePrefix(atMs)}${count.toString(16).padStart(4, '0')}${randomBytes(6).toString('hex')}`;
}

/** What the ids of a moment begin with: less than each of them, greater than every earlier id. */
export function timePrefix(atMs: number): string {
  return atMs.toString(16).padStart(12, '0');
}

/** When a time-ordered id was made, milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 12), 16);
}
