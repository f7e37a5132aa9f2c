/** Makes ids that sort by time: of rows that are listed, paged and removed in the order they were written. */
import { randomBytes } from 'node:crypto';

let count = 0;

/**
 * Sorts by time, and within a millisecond by a counter; the randomness tells two processes apart.
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
