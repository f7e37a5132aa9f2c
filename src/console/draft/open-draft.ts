/** What the editor begins with: the saved state, or what this tab had kept of an earlier visit. */
import { useEffect, useState } from 'react';
import { notifyFailed } from '../parts/notify.js';
import { fetchRevision, type LoadedContent } from './content-query.js';
import type { ContentState } from './draft.js';
import { takeFirstText } from './first-text.js';
import { type DraftPlace, type KeptDraft, readKept } from './kept-draft.js';
import { partsOf, stateOf, stateOfParts } from './state-parts.js';

export interface Opened {
  readonly base: LoadedContent;
  readonly state: ContentState;
  /** When what is brought back was typed; null: nothing was. */
  readonly keptAt: number | null;
}

/** Null until it is known. @param latest null: not there yet */
export function useOpened(place: DraftPlace, latest: LoadedContent | null): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  const isDone = opened !== null || latest === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once, on what the server had then.
  useEffect(() => {
    if (isDone) return;
    let isLeft = false;
    void openDraft(place, latest).then((result) => {
      if (!isLeft) setOpened(result);
    });
    return () => {
      isLeft = true;
    };
  }, [isDone]);
  return opened;
}

/** A file never takes the place of what a person typed and did not save. */
const keptInstead =
  'The file was not taken: this browser has unsaved edits of that id, which are shown instead. Discard them first.';

async function openDraft(place: DraftPlace, latest: LoadedContent): Promise<Opened> {
  const first = latest.newest === 0 ? takeFirstText(place.env, place.id) : null;
  const kept = await readKept(place).catch(() => null);
  if (first !== null && kept === null) {
    const lines = [{ appVersion: '0.0.0', text: first }];
    return { base: latest, state: { ...stateOf(latest), lines }, keptAt: null };
  }
  if (first !== null) notifyFailed(new Error(keptInstead));
  if (kept === null) return { base: latest, state: stateOf(latest), keptAt: null };
  const base = await baseOf(place, latest, kept);
  return { base, state: restored(base, kept), keptAt: kept.at };
}

/** The revision that the kept draft was begun on, so that what others saved since is seen as theirs. */
async function baseOf(
  { env, id }: DraftPlace,
  latest: LoadedContent,
  kept: KeptDraft,
): Promise<LoadedContent> {
  if (kept.newest === latest.newest || kept.newest === 0) return latest;
  try {
    const { number, lines, mapping } = await fetchRevision(env, id, kept.newest);
    return { ...latest, ...kept.about, newest: number, lines, mapping };
  } catch {
    // It is kept no longer: what was typed goes on top of what there is.
    return latest;
  }
}

function restored(base: LoadedContent, kept: KeptDraft): ContentState {
  const parts = new Map(partsOf(base));
  for (const [name, text] of kept.parts) {
    if (text === null) parts.delete(name);
    else parts.set(name, text);
  }
  const state = stateOfParts(parts);
  return state.lines.length === 0 ? { ...state, lines: base.lines } : state;
}
