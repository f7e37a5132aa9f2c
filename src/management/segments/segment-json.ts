/** Saved segments as JSON text: the condition byte for byte, and where it is used. */
import type { ValidationIssue } from '../../contract/problems.js';
import { rawObject } from '../http/body/raw-json.js';
import { toIso } from '../to-iso.js';
import type { SavedSegment } from './save-segment.js';
import type { PlacedUse } from './segment-places.js';
import type { ShownSegment } from './shown-segment.js';

/** JSON text of `segmentSchema`. */
export function segmentJson(segment: ShownSegment, uses: readonly PlacedUse[]): Uint8Array {
  const shown = uses.map(({ content, revision, live, newest, rules }) => {
    return { content, revision, live, newest, rules };
  });
  return withUses(segment, uses, { uses: shown });
}

/** JSON text of `savedSegmentSchema`. */
export function savedSegmentJson(
  { segment, uses, reaches }: SavedSegment,
  warnings: readonly ValidationIssue[],
  sequence: number,
): Uint8Array {
  return withUses(segment, uses, { reaches, warnings, sequence });
}

/** @param uses a content may be twice among them: with its newest revision and its live one */
function withUses(
  segment: ShownSegment,
  uses: readonly { readonly content: string }[],
  more: Readonly<Record<string, unknown>>,
): Uint8Array {
  const { name, description, condition, createdAtMs, updatedAtMs } = segment;
  const { revision, live, newest } = segment;
  const usedBy = [...new Set(uses.map(({ content }) => content))];
  const times = { createdAt: toIso(createdAtMs), updatedAt: toIso(updatedAtMs) };
  const plain = { name, description, usedBy, revision, live, newest, ...times, ...more };
  return rawObject(plain, { when: condition });
}
