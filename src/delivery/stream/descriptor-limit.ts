/** How many streams this process can hold: each is a descriptor, and ordinary requests need some as well. */
import { streamsReservedMax, streamsReservedMin, streamsReservedShare } from '../limits.js';

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
