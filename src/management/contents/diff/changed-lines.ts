/** Which version lines differ between two states of a content, as far as their digests show. */
import type { LineChange, MappingChange } from '../../../contract/schemas/changes.js';
import type { LineDraft } from '../../store/contents/revisions.js';
import { sameFlags } from '../content-state.js';

export interface DiffedState {
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  readonly flags: readonly string[];
}

/** A version line before and after; null where it does not exist. */
export interface LinePair {
  readonly old: LineDraft | null;
  readonly line: LineDraft | null;
}

/**
 * The version lines whose texts differ: those of the new state first, then the removed ones.
 * @param before null: the content does not exist yet
 */
export function changedLines(before: DiffedState | null, after: DiffedState): LinePair[] {
  const pairs: LinePair[] = [];
  const oldLines = new Map((before?.lines ?? []).map((line) => [line.version, line]));
  for (const line of after.lines) {
    const old = oldLines.get(line.version) ?? null;
    oldLines.delete(line.version);
    if (old?.textDigest !== line.textDigest) pairs.push({ old, line });
  }
  for (const old of oldLines.values()) pairs.push({ old, line: null });
  return pairs;
}

/** The change without its pointers: `pointersCut` says whether the JSON differs. */
export function outlineLine({ old, line }: LinePair): LineChange {
  return {
    appVersion: line?.version ?? old?.version ?? '',
    change: old === null ? 'added' : line === null ? 'removed' : 'changed',
    oldHash: old?.jsonHash ?? null,
    newHash: line?.jsonHash ?? null,
    pointers: [],
    pointersCut: old !== null && line !== null && old.jsonDigest !== line.jsonDigest,
  };
}

/** Of the flags before and after. */
export function flagsChange(before: readonly string[], after: readonly string[]): MappingChange {
  if (sameFlags(before, after)) return 'same';
  if (before.length === 0) return 'added';
  return after.length === 0 ? 'removed' : 'changed';
}

/** Of the digests of two mappings; null: there is none. */
export function mappingChange(before: string | null, after: string | null): MappingChange {
  if (before === after) return 'same';
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
