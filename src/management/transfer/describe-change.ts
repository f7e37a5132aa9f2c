/** Describes what an import or sync changes in a content, for people to read before they allow it. */
import { pointersPerLineMax } from '../../contract/limits.js';
import type { SyncedContent } from '../../contract/operations/sync.js';
import type { LineChange } from '../../contract/schemas/changes.js';
import { changedAbout } from '../contents/content-state.js';
import {
  changedLines,
  flagsChange,
  type LinePair,
  mappingChange,
  outlineLine,
} from '../contents/diff/changed-lines.js';
import { firstPointers } from '../contents/diff/diff-pointers.js';
import type { StoredState } from '../store/contents/content-states.js';
import type { ContentAbout } from '../store/contents/contents.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import type { LineDraft } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import type { WantedState } from './content-change.js';

/** `about`: which of the facts beside the revisions change; none for a new content. */
export type DescribedChange = Pick<SyncedContent, 'lines' | 'mapping' | 'flags' | 'about'>;

/** What is stored: the state that is delivered, else the newest. */
export type DescribedBefore = ContentAbout & { readonly state: StoredState | null };

export interface ComparedContent {
  readonly about: ContentAbout;
  readonly state: Pick<WantedState, 'lines' | 'mapping' | 'flags'>;
}

/** How many pointers the whole response may still show. */
export interface PointerBudget {
  left: number;
}

/**
 * What is known without reading a text: which version lines, and whether mapping and flags. Reports of what was done need no more.
 * @param before null: the content does not exist
 */
export function outlineChange(
  before: DescribedBefore | null,
  { about, state }: ComparedContent,
): DescribedChange {
  return {
    lines: changedLines(before?.state ?? null, state).map(outlineLine),
    mapping: mappingChange(before?.state?.mapping ?? null, state.mapping),
    flags: flagsChange(before?.state?.flags ?? [], state.flags),
    about: before === null ? [] : changedAbout(before, about),
  };
}

/**
 * The outline, with the places that change.
 * @param before null: the content does not exist
 * @param texts by digest, those that may not be in the store
 */
export async function describeChange(
  db: Db,
  before: DescribedBefore | null,
  after: ComparedContent,
  texts: ReadonlyMap<string, Uint8Array>,
  budget: PointerBudget,
): Promise<DescribedChange> {
  const readJson = async ({ textDigest }: LineDraft): Promise<Uint8Array> =>
    deliveredJson(texts.get(textDigest) ?? (await readText(db, textDigest)));
  const lines: LineChange[] = [];
  for (const pair of changedLines(before?.state ?? null, after.state)) {
    lines.push(await describeLine(pair, readJson, budget));
  }
  return { ...outlineChange(before, after), lines };
}

async function describeLine(
  pair: LinePair,
  readJson: (line: LineDraft) => Promise<Uint8Array>,
  budget: PointerBudget,
): Promise<LineChange> {
  const { old, line } = pair;
  const outline = outlineLine(pair);
  if (!outline.pointersCut || old === null || line === null || budget.left <= 0) return outline;
  const pointersMax = Math.min(pointersPerLineMax, budget.left);
  const found = firstPointers(await readJson(old), await readJson(line), pointersMax);
  budget.left -= found.pointers.length;
  return { ...outline, ...found };
}
