/** Makes drafts of what a sync or an import would publish, for a release to take. Pure. */
import type { StoredContent } from '../store/contents/content-states.js';
import type { ContentToSave } from '../store/contents/save-contents.js';

/**
 * The same revisions, with what is live and the settings of a content that exists left as they are. A deleted content
 * comes back as a draft.
 * @param stored what is there of it, deleted or not
 * @returns null: its newest revision is what the release takes, or only its settings would have changed
 */
export function draftOf(
  save: ContentToSave,
  stored: StoredContent | undefined,
): ContentToSave | null {
  const before = present(stored);
  if (before === null) return { ...save, live: null, delivered: false };
  if (save.revisions.length === 0) return null;
  const { description, tags, schema, guards, live } = before;
  const about = { description, tags, schema, guards };
  return { ...save, about, live: live?.number ?? null, delivered: false };
}

/** Null: it was never there, or is deleted. */
export function present(stored: StoredContent | undefined): StoredContent | null {
  return stored === undefined || stored.deleted ? null : stored;
}
