/** Which saved segments a mapping uses, and in which of its rules; as pairs, since a result is plain data. */
import { savedSegmentsOf } from '../evaluation/saved-segments-of.js';

export function findSavedSegments(mapping: Uint8Array): (readonly [string, readonly number[]])[] {
  return [...savedSegmentsOf(mapping)];
}
