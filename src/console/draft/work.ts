/** What is typed on top of which saved state, and how the two go on when somebody else saves. */
import type { LoadedContent } from './content-query.js';
import type { ContentState } from './draft.js';
import { changedParts, partsOf, sameState, stateOf } from './state-parts.js';

export interface DraftWork {
  readonly base: LoadedContent;
  readonly state: ContentState;
  /** What somebody else saved since `base`, where it touches what is typed or has to be looked at; null: nothing. */
  readonly theirs: LoadedContent | null;
  /** The same pair as one thing, which a verdict is about. */
  readonly asked: { readonly base: LoadedContent; readonly state: ContentState };
}

export function begin(base: LoadedContent, state: ContentState): DraftWork {
  return made(base, state, null);
}

/** Whether anything differs from what is saved; of a new content, nothing is saved. */
export function isDirty({ base, state }: DraftWork): boolean {
  return base.newest === 0 || !sameState(base, state);
}

export function change(work: DraftWork, part: Partial<ContentState>): DraftWork {
  const state = { ...work.state, ...part };
  const { base, theirs } = work;
  // Typed back to what was saved: then nothing stands against what they saved.
  if (theirs !== null && sameState(base, state)) return begin(theirs, stateOf(theirs));
  return made(base, state, theirs);
}

/** @param isGone the content was deleted: what is typed would make it anew */
export function meet(work: DraftWork, latest: LoadedContent, isGone: boolean): DraftWork {
  const { base, state } = work;
  if (isGone) {
    return base.newest === 0 ? work : made({ ...base, newest: 0, live: null }, state, null);
  }
  if (latest === base || latest.newest === 0) return work;
  // A cached answer that is older than what was saved here.
  if (latest.newest < base.newest && latest.updatedAt <= base.updatedAt) return work;
  if (!isDirty(work)) return begin(latest, stateOf(latest));
  const typed = partsOf(state);
  const saved = partsOf(latest);
  const isKnown = changedParts(base, latest).every((name) => typed.get(name) === saved.get(name));
  // They saved nothing, or what is typed here as well: it may have been this very page.
  if (isKnown) return made(latest, state, null);
  return made(base, state, latest);
}

function made(base: LoadedContent, state: ContentState, theirs: LoadedContent | null): DraftWork {
  return { base, state, theirs, asked: { base, state } };
}
