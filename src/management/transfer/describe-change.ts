/** Words what an import or sync changes in a content, for people to read before they let it. */
import {
  bareChange,
  type ContentDiff,
  changedLines,
  diffContent,
  mappingChange,
  type PointerBudget,
} from '../contents/diff/diff-content.js';
import type { StoredState } from '../store/contents/content-states.js';
import type { ContentAbout } from '../store/contents/contents.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import type { LineDraft } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { changedAbout, type WantedState } from './content-change.js';

export interface DescribedChange extends ContentDiff {
  /** Which of the facts beside the revisions change; none of a content that is new. */
  readonly about: readonly ('description' | 'tags' | 'schema')[];
}

/** What is there: the state that is delivered, else the newest. */
export type DescribedBefore = ContentAbout & { readonly state: StoredState | null };

export interface ComparedContent {
  readonly about: ContentAbout;
  readonly state: Pick<WantedState, 'lines' | 'mapping'>;
}

/** What is known without reading a text: which lines, whether the mapping. What was done needs no more. */
export function outlineChange(
  before: DescribedBefore | null,
  { about, state }: ComparedContent,
): DescribedChange {
  const lines = changedLines(before?.state ?? null, state).map((pair) => ({
    ...bareChange(pair),
    pointersCut: pair.old !== null && pair.line !== null && !sameJson(pair.old, pair.line),
  }));
  const mapping = mappingChange(before?.state?.mapping ?? null, state.mapping);
  return { lines, mapping, about: before === null ? [] : changedAbout(before, about) };
}

function sameJson(a: LineDraft, b: LineDraft): boolean {
  return a.jsonDigest === b.jsonDigest;
}

/**
 * @param before null: the content is not there
 * @param texts by digest, those that the store may not have
 * @param budget how many changed places the whole answer may still show
 */
export async function describeChange(
  db: Db,
  before: DescribedBefore | null,
  after: ComparedContent,
  texts: ReadonlyMap<string, Uint8Array>,
  budget: PointerBudget,
): Promise<DescribedChange> {
  const readJson = async ({ textDigest }: { readonly textDigest: string }): Promise<Uint8Array> =>
    deliveredJson(texts.get(textDigest) ?? (await readText(db, textDigest)));
  const diff = await diffContent(before?.state ?? null, after.state, readJson, budget);
  return { ...diff, about: before === null ? [] : changedAbout(before, after.about) };
}
