/** What mutations may make of a document, so that a few operations cannot build what no client would survive. */

import type { JsonValue } from './json-value.js';

/**
 * What a mutation inserts may nest this deep, its place included, and so may a mutation's own value.
 * It is the default limit of a stored text; the recursion over a merge patch relies on it.
 */
export const mutatedLevelsMax = 1_000;

/**
 * What mutations may make of a content's document, bytes: twice the largest text that can be saved by default.
 * Checking an edit and delivering it use the same limit, so that what was accepted is what applies.
 */
export const mutatedBytesMax: number = 64 * 1024 * 1024;

/**
 * Why the edit may not stand, or null. A `copy` can double a document, so the length is checked after every step, from
 * what the parts carry. A document that is over the limit already may be edited as long as it does not grow.
 */
export function outgrown(before: JsonValue, after: JsonValue, bytesMax: number): string | null {
  if (after.byteLength <= bytesMax || after.byteLength <= before.byteLength) return null;
  return `the document would grow to ${after.byteLength} bytes, and ${bytesMax} are allowed`;
}
