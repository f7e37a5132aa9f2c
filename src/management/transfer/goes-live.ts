/** What a sync or an import makes live, as running experiments see it. */
import type { StoredContent } from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import type { GoesLive } from '../store/experiments/live-rules.js';
import type { Segment } from '../store/segments/segments.js';

/** What becomes of a content. */
export interface ContentChange {
  /** What is there, deleted or not. */
  readonly before: StoredContent | undefined;
  /** Null: it is removed. */
  readonly save: ContentToSave | null;
}

/** @param texts of mappings that the store may not have yet, by digest */
export function goesLiveOf(
  changes: readonly ContentChange[],
  segments: readonly Pick<Segment, 'name' | 'condition'>[],
  texts: ReadonlyMap<string, Uint8Array> = new Map(),
): GoesLive {
  const mappings = new Map<string, string | null>();
  for (const { before, save } of changes) {
    if (save?.delivered === true) mappings.set(save.idLower, mappingOf(before, save));
    else if (save === null && before !== undefined) mappings.set(before.idLower, null);
  }
  const conditions = new Map(segments.map(({ name, condition }) => [name, condition]));
  return { mappings, conditions, texts };
}

/** Of a new revision, or of what is the newest draft now. */
function mappingOf(
  before: StoredContent | undefined,
  { live, revisions }: ContentToSave,
): string | null {
  if (live === null) return null;
  const added = revisions.find(({ number }) => number === live);
  const kept = [before?.draft, before?.live].find((state) => state?.number === live);
  return added?.mapping ?? kept?.mapping ?? null;
}
