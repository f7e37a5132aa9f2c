/** What the editor starts with: the saved state, or what this tab stored on an earlier visit. */
import { useEffect, useState } from 'react';
import { notifyFailed } from '../parts/notify.js';
import { fetchRevision, type LoadedContent } from './content-query.js';
import { type DraftMachine, startDraft } from './draft-machine.js';
import { stateOf, withParts } from './state-parts.js';
import { type DraftPlace, readStored, type StoredDraft } from './stored-draft.js';

/** Null until it is known. @param latest null: not there yet */
export function useRecoveredDraft(
  place: DraftPlace,
  latest: LoadedContent | null,
): DraftMachine | null {
  const [opened, setOpened] = useState<DraftMachine | null>(null);
  const isDone = opened !== null || latest === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once, on what the server had then.
  useEffect(() => {
    if (isDone) return;
    let isLeft = false;
    void recoverDraft(place, latest).then((draft) => {
      if (!isLeft) setOpened(draft);
    });
    return () => {
      isLeft = true;
    };
  }, [isDone]);
  return opened;
}

const firstTexts = new Map<string, string>();

const firstTextKey = (env: string, id: string): string => JSON.stringify([env, id.toLowerCase()]);

/** Passes the text of a file to the editor of a new content item, which then treats it as typed. */
export function beginWithText(env: string, id: string, text: string): void {
  firstTexts.set(firstTextKey(env, id), text);
}

/** A file never replaces unsaved edits. */
const fileIgnored =
  'The file was not used: this browser has unsaved edits of that id, which are shown instead. Discard them first.';

async function recoverDraft(place: DraftPlace, latest: LoadedContent): Promise<DraftMachine> {
  const key = firstTextKey(place.env, place.id);
  const first = latest.newest === 0 ? firstTexts.get(key) : undefined;
  firstTexts.delete(key);
  const stored = await readStored(place);
  if (stored !== null) {
    if (first !== undefined) notifyFailed(new Error(fileIgnored));
    const base = await baseOf(place, latest, stored);
    const { at, parts } = stored.earlier ?? stored;
    const earlier = { at, state: withParts(base, parts) };
    return startDraft(base, withParts(base, stored.parts), stored.at, earlier);
  }
  if (first === undefined) return startDraft(latest);
  return startDraft(latest, { ...stateOf(latest), lines: [{ appVersion: '0.0.0', text: first }] });
}

/** The revision that the stored draft builds on, so that later saves of other users are recognized. */
async function baseOf(
  { env, id }: DraftPlace,
  latest: LoadedContent,
  stored: StoredDraft,
): Promise<LoadedContent> {
  if (stored.newest === latest.newest || stored.newest === 0) return latest;
  try {
    const { number, lines, mapping, flags } = await fetchRevision(env, id, stored.newest);
    return { ...latest, ...stored.about, newest: number, lines, mapping, flags };
  } catch {
    // Retention removed it: the edits go on top of the newest revision.
    return latest;
  }
}
