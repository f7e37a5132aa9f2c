/**
 * The draft as a state machine. Pure: `draft-provider.tsx` connects it to requests and to the browser's storage.
 *
 * ```
 *   clean --edited--> edited --received a save by another user--> conflict
 *     ^                  |                                           |
 *     +-saved, discarded-+<------------------merged------------------+
 * ```
 * In any phase, `received` with `isGone` makes it `deleted`: a save then creates the content item again.
 */
import type { LoadedContent } from './content-query.js';
import type { ContentState } from './draft.js';
import type { EarlierState } from './old-edits.js';
import { changedParts, mergeStates, partsOf, sameState, stateOf } from './state-parts.js';

export interface DraftMachine {
  /** What the typed state builds on. */
  readonly base: LoadedContent;
  /** As typed. */
  readonly state: ContentState;
  /** What another user saved since `base`, if it needs a decision; null: nothing. */
  readonly theirs: LoadedContent | null;
  readonly isGone: boolean;
  /** When the recovered edits were typed, milliseconds since the epoch; null: none, or dismissed. */
  readonly recoveredAt: number | null;
  /** The oldest state that was recovered and never saved since; null: none was. */
  readonly earlier: EarlierState | null;
}

export type DraftPhase = 'clean' | 'edited' | 'conflict' | 'deleted';

export type DraftEvent =
  | { readonly type: 'edited'; readonly part: Partial<ContentState> }
  | { readonly type: 'text edited'; readonly appVersion: string; readonly text: string }
  | { readonly type: 'received'; readonly latest: LoadedContent; readonly isGone: boolean }
  /** `saved`: what the server holds afterwards; null: it could not be read. */
  | { readonly type: 'saved'; readonly sent: ContentState; readonly saved: LoadedContent | null }
  | { readonly type: 'merged'; readonly theirs: LoadedContent; readonly state: ContentState }
  | { readonly type: 'discarded' }
  | { readonly type: 'recovery dismissed' };

export function startDraft(
  base: LoadedContent,
  state: ContentState = stateOf(base),
  recoveredAt: number | null = null,
  earlier: EarlierState | null = null,
): DraftMachine {
  return { base, state, theirs: null, isGone: false, recoveredAt, earlier };
}

export function phaseOf({ base, state, theirs, isGone }: DraftMachine): DraftPhase {
  if (isGone) return 'deleted';
  if (theirs !== null) return 'conflict';
  return hasEdits(base, state) ? 'edited' : 'clean';
}

/** Whether anything differs from what is saved. Nothing of a new content item is saved. */
function hasEdits(base: LoadedContent, state: ContentState): boolean {
  return base.newest === 0 || !sameState(base, state);
}

export function nextDraft(draft: DraftMachine, event: DraftEvent): DraftMachine {
  const { base, state, theirs } = draft;
  switch (event.type) {
    case 'edited':
      return edit(draft, event.part);
    case 'text edited': {
      const { appVersion, text } = event;
      const lines = state.lines.map((line) =>
        line.appVersion === appVersion ? { appVersion, text } : line,
      );
      return edit(draft, { lines });
    }
    case 'received':
      return receive({ ...draft, isGone: event.isGone }, event.latest);
    case 'saved': {
      const { sent, saved } = event;
      if (saved === null) return { ...draft, recoveredAt: null };
      // Edits made while the save was under way stay.
      return startDraft(saved, mergeStates(sent, state, stateOf(saved)));
    }
    case 'merged':
      return { ...draft, base: event.theirs, state: event.state, theirs: null };
    case 'discarded':
      return { ...startDraft(theirs ?? base), isGone: draft.isGone };
    case 'recovery dismissed':
      return { ...draft, recoveredAt: null };
  }
}

function edit(draft: DraftMachine, part: Partial<ContentState>): DraftMachine {
  const state = { ...draft.state, ...part };
  const { base, theirs } = draft;
  // Nothing typed is left, so nothing conflicts with what they saved.
  if (theirs !== null && sameState(base, state)) {
    return { ...draft, base: theirs, state: stateOf(theirs), theirs: null };
  }
  return { ...draft, state };
}

function receive(draft: DraftMachine, latest: LoadedContent): DraftMachine {
  const { base, state, isGone } = draft;
  if (isGone) {
    return base.newest === 0
      ? draft
      : { ...draft, base: { ...base, newest: 0, live: null }, theirs: null };
  }
  if (latest === base || latest.newest === 0) return draft;
  // A cached response that is older than what was saved here.
  if (latest.newest < base.newest && latest.updatedAt <= base.updatedAt) return draft;
  if (!hasEdits(base, state)) return startDraft(latest);
  const typed = partsOf(state);
  const saved = partsOf(latest);
  const isKnown = changedParts(base, latest).every((name) => typed.get(name) === saved.get(name));
  // Their changes are typed here as well, perhaps because this very page saved them.
  return isKnown ? { ...draft, base: latest, theirs: null } : { ...draft, theirs: latest };
}
