/** One layout for all conditions, so that a comparison shows only what they say differently. Pure. */
import { isFault, readCondition, writeCondition } from '../conditions/condition-query.js';

/** @param when JSON source; what cannot be read stays as it is */
export function laidOut(when: string): string {
  const read = readCondition(when);
  return isFault(read) ? when : writeCondition(read);
}
