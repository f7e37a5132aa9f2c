/** How many streams this process can hold: each is a descriptor, and ordinary requests need some as well. */
import { readFileSync } from 'node:fs';
import { streamsReservedMax, streamsReservedMin, streamsReservedShare } from '../limits.js';

const openFiles = /^Max open files\s+(\d+|unlimited)/m;

/** Descriptors that this process may open; null where the system does not tell (it is not Linux). */
export function descriptorLimit(): number | null {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
  const soft = openFiles.exec(limits)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Where the system does not tell its limit. */
const streamsUnknown = 10_000;

/**
 * @param wanted --streams-max; null: as many as there can be
 * @param limit descriptors of the process, see `descriptorLimit`
 */
export function streamsMaxOf(wanted: number | null, limit: number | null): number {
  if (limit === null) return wanted ?? streamsUnknown;
  const share = Math.min(streamsReservedMax, limit * streamsReservedShare);
  const most = Math.max(0, Math.floor(limit - Math.max(streamsReservedMin, share)));
  return Math.min(wanted ?? most, most);
}
