/** Says what differs between two states of a content, for people to read before they sync. */
import { pointersPerLineMax } from '../limits.js';
import type { RevisionLine } from '../store/revisions.js';
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

interface DiffedState {
  readonly lines: readonly RevisionLine[];
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
  readJson: (line: RevisionLine) => Promise<Uint8Array>,
  budget: PointerBudget,
): Promise<ContentDiff> {
  const lines: LineChange[] = [];
  const oldLines = new Map((before?.lines ?? []).map((line) => [line.version, line]));
  for (const line of after.lines) {
    const old = oldLines.get(line.version);
    oldLines.delete(line.version);
    if (old?.textDigest !== line.textDigest) {
      lines.push(await lineChange(old ?? null, line, readJson, budget));
    }
  }
  for (const old of oldLines.values()) {
    lines.push(bareChange(old.version, 'removed', old.hash, null));
  }
  return { lines, mapping: mappingChange(before?.mapping ?? null, after.mapping) };
}

async function lineChange(
  old: RevisionLine | null,
  line: RevisionLine,
  readJson: (line: RevisionLine) => Promise<Uint8Array>,
  budget: PointerBudget,
): Promise<LineChange> {
  if (old === null) return bareChange(line.version, 'added', null, line.hash);
  const change = bareChange(line.version, 'changed', old.hash, line.hash);
  if (old.jsonDigest === line.jsonDigest) return change;
  if (budget.left <= 0) return { ...change, pointersCut: true };
  const pointersMax = Math.min(pointersPerLineMax, budget.left);
  const pointers = diffPointers(await readJson(old), await readJson(line), pointersMax + 1);
  const shown = pointers.slice(0, pointersMax);
  budget.left -= shown.length;
  return { ...change, pointers: shown, pointersCut: pointers.length > pointersMax };
}

function bareChange(
  appVersion: string,
  change: LineChange['change'],
  oldHash: string | null,
  newHash: string | null,
): LineChange {
  return { appVersion, change, oldHash, newHash, pointers: [], pointersCut: false };
}

function mappingChange(before: string | null, after: string | null): ContentDiff['mapping'] {
  if (before === after) return 'same';
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}
