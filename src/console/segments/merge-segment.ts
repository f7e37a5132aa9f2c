/** Merges two edits of one segment: its condition by JSON place, its description by lines (D108). Pure. */
import type { Decide } from '../../content/merge/merge-tree.js';
import { mapVersions, type Versions } from '../../content/merge/versions.js';
import { formatCondition } from '../conditions/condition-query.js';
import { sameTokens } from '../conditions/same-tokens.js';
import { mergeNamedText, type PartMerge } from '../draft/merge-content.js';
import type { SegmentState } from './segment-draft.js';

const condition = 'condition';
const description = 'description';

/** The parts that either side changed since the base. A condition that was only formatted has not changed. */
export function mergeSegments(states: Versions<SegmentState>): PartMerge[] {
  const { base, theirs, mine } = mapVersions(states, ({ when }) => when);
  const original = (when: string): string => (sameTokens(base, when) ? base : when);
  const conditions = { base, theirs: original(theirs), mine: original(mine) };
  const descriptions = mapVersions(states, (state) => state.description);
  return [
    mergeNamedText(condition, mapVersions(conditions, formatCondition), 'any'),
    mergeNamedText(description, descriptions, 'lines'),
  ].filter((part) => part !== null);
}

/** The saved state with what is typed merged into it. */
export function mergedSegment(
  theirs: SegmentState,
  parts: readonly PartMerge[],
  decide: Decide,
): SegmentState {
  const merged = (name: string): string | null =>
    parts.find((part) => part.name === name)?.merged(decide) ?? null;
  return {
    when: merged(condition) ?? theirs.when,
    description: merged(description) ?? theirs.description,
  };
}
