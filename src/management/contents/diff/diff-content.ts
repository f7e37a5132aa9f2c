/** Says what differs between two states of a content, for people to read before they sync. */
import { pointersPerLineMax } from '../../../contract/limits.js';
import type { LineDraft } from '../../store/contents/revisions.js';
import { diffPointers, type PointerChange } from './diff-pointers.js';

export interface LineChange {
  readonly appVersion: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Hashes of the delivered JSON; equal when only comments or white space changed. */
  readonly oldHash: string | null;
  readonly newHash: string | null;
  /** Where the JSON changed, of a changed line. */
  readonly pointers: readonly PointerChange[];
  /** There are more than are shown. */
  readonly pointersCut: boolean;
}

export interface ContentDiff {
  readonly lines: readonly LineChange[];
  readonly mapping: 'same' | 'added' | 'changed' | 'removed';
}

export interface DiffedState {
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
}

/** How many pointers the whole answer may still show. */
export interface PointerBudget {
  left: number;
}

/**
 * @param before null: the content is not there yet
 * @param readJson the delivered JSON of a line
 */
export async function diffContent(
  before: DiffedState | null,
  after: DiffedState,
  readJson: (line: LineDraft) => Promise<Uint8Array>,
  budget: PointerBudget,
): Promise<ContentDiff> {
  const lines: LineChange[] = [];
  for (const pair of changedLines(before, after)) {
    lines.push(await lineChange(pair, readJson, budget));
  }
  return { lines, mapping: mappingChange(before?.mapping ?? null, after.mapping) };
}

/** A line before and after; null where it is not there. */
export interface LinePair {
  readonly old: LineDraft | null;
  readonly line: LineDraft | null;
}

/** The lines whose texts differ: those that there are, then those that there are no more. */
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

/** The change without its pointers. */
export function bareChange({ old, line }: LinePair): LineChange {
  return {
    appVersion: line?.version ?? old?.version ?? '',
    change: old === null ? 'added' : line === null ? 'removed' : 'changed',
    oldHash: old?.jsonHash ?? null,
    newHash: line?.jsonHash ?? null,
    pointers: [],
    pointersCut: false,
  };
}

async function lineChange(
  pair: LinePair,
  readJson: (line: LineDraft) => Promise<Uint8Array>,
  budget: PointerBudget,
): Promise<LineChange> {
  const change = bareChange(pair);
  const { old, line } = pair;
  if (old === null || line === null || old.jsonDigest === line.jsonDigest) return change;
  if (budget.left <= 0) return { ...change, pointersCut: true };
  const pointersMax = Math.min(pointersPerLineMax, budget.left);
  const pointers = diffPointers(await readJson(old), await readJson(line), pointersMax + 1);
  const shown = pointers.slice(0, pointersMax);
  budget.left -= shown.length;
  return { ...change, pointers: shown, pointersCut: pointers.length > pointersMax };
}

export function mappingChange(before: string | null, after: string | null): ContentDiff['mapping'] {
  if (before === after) return 'same';
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
