/** Decides what bringing a wanted state over a stored content takes: nothing, a publish, or new revisions. Pure. */
import { changedAbout, sameState } from '../contents/content-state.js';
import type { StoredContent } from '../store/contents/content-states.js';
import type { ContentAbout } from '../store/contents/contents.js';
import type { LineDraft } from '../store/contents/revisions.js';
import type { ContentToSave, NewRevision } from '../store/contents/save-contents.js';

/** Lines, mapping and flags of a revision that is yet to be, with the texts in the store (or about to be). */
export interface WantedState {
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  readonly flags: readonly string[];
  readonly segments: readonly string[];
}

export interface WantedContent {
  readonly idLower: string;
  readonly id: string;
  readonly about: ContentAbout;
  /** What shall be delivered; null: see `keepLive`. */
  readonly live: WantedState | null;
  /** What shall be the newest revision without being live; null: whatever there is. */
  readonly draft: WantedState | null;
  /** Without a live state: what is delivered stays so; else it is taken out of delivery. */
  readonly keepLive: boolean;
  readonly note: string;
  readonly synced: NewRevision['synced'];
}

/** Null: it is so already. What is deleted comes back, on top of its history and in the wanted spelling. */
export function contentChange(
  wanted: WantedContent,
  stored: StoredContent | undefined,
): ContentToSave | null {
  const present = stored === undefined || stored.deleted ? null : stored;
  const revisions: NewRevision[] = [];
  let newest = stored?.newest ?? 0;
  let newestState: Pick<WantedState, 'lines' | 'mapping' | 'flags'> | null =
    present?.draft ?? present?.live ?? null;
  const add = (state: WantedState): number => {
    newest += 1;
    newestState = state;
    const { note, synced } = wanted;
    revisions.push({ number: newest, ...picked(state), note, synced });
    return newest;
  };

  const liveBefore = present?.live ?? null;
  let live = wanted.keepLive ? (liveBefore?.number ?? null) : null;
  if (wanted.live !== null) {
    if (liveBefore !== null && sameState(liveBefore, wanted.live)) live = liveBefore.number;
    // Somebody saved just this as a draft: publish that.
    else if (newestState !== null && sameState(newestState, wanted.live)) live = newest;
    else live = add(wanted.live);
  }
  if (wanted.draft !== null && (newestState === null || !sameState(newestState, wanted.draft))) {
    add(wanted.draft);
  }

  const delivered = live !== (liveBefore?.number ?? null);
  const changed = present === null || revisions.length > 0 || delivered;
  if (!changed && changedAbout(present, wanted.about).length === 0) return null;
  const { idLower, about } = wanted;
  return { idLower, id: present?.id ?? wanted.id, about, newest, live, revisions, delivered };
}

function picked({ lines, mapping, flags, segments }: WantedState): WantedState {
  return { lines, mapping, flags, segments };
}
