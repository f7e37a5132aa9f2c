/** How heavy it is to try a state of a content out: what decides whether a worker does it. */
import { heavyBytesMin } from '../limits/work.js';
import type { CandidateState } from './candidate.js';

/** A regular expression takes up to 25 us for each byte of a hostile text: 2 KiB of them are 50 ms. */
const patternContextBytesMax = 2 * 1024;

/** Bytes that will be gone through; what may cost more than its bytes say counts as heavy. */
export function weightOf(
  { candidate, segments }: Pick<CandidateState, 'candidate' | 'segments'>,
  context: Uint8Array,
): number {
  let bytes = context.byteLength + (candidate.mapping?.byteLength ?? 0);
  let hasPatterns = candidate.mapping !== null && namesPattern(textOf(candidate.mapping));
  for (const { text } of candidate.lines) bytes += text.byteLength;
  for (const { condition } of segments) {
    bytes += Buffer.byteLength(condition);
    hasPatterns ||= namesPattern(condition);
  }
  const costly = hasPatterns && context.byteLength > patternContextBytesMax;
  return costly ? Math.max(bytes, heavyBytesMin) : bytes;
}

/** The same for conditions alone. */
export function weightOfConditions(conditions: readonly string[], contexts: Uint8Array): number {
  const segments = conditions.map((condition) => ({ name: '', condition }));
  const candidate = { id: '', lines: [], mapping: null, mappingEdited: false };
  return weightOf({ candidate, segments }, contexts);
}

/** `$regex $regexi $notRegex $notRegexi`, or (which does no harm) a text that looks like one. */
function namesPattern(conditions: string | Buffer): boolean {
  return conditions.includes('egex') || conditions.includes('\\u');
}

function textOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
