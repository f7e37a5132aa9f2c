/** Counts the flags that an environment lists once an import or sync is done, from what its plan has read anyway. */
import type { StoredContent } from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';

export interface FlagChange {
  /** What is there, deleted or not. */
  readonly before: StoredContent | undefined;
  /** Null: it is removed. */
  readonly save: ContentToSave | null;
}

/** @param stored every content of the environment */
export function countFlagsAfter(
  stored: Iterable<StoredContent>,
  changes: readonly FlagChange[],
): number {
  let total = 0;
  for (const content of stored) total += content.live?.flags.length ?? 0;
  for (const { before, save } of changes) {
    total += liveFlags(before, save) - (before?.live?.flags.length ?? 0);
  }
  return total;
}

function liveFlags(before: StoredContent | undefined, save: ContentToSave | null): number {
  const states = [before?.live, before?.draft, ...(save?.revisions ?? [])];
  const live = save?.live ?? null;
  return live === null ? 0 : (states.find((state) => state?.number === live)?.flags.length ?? 0);
}
