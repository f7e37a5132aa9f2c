/** Whether the draft can be saved and published, and if not, why. */
import { ApiProblem, ServerAway } from '../../api/call.js';
import { useDraft } from '../../draft/draft-context.js';
import { isOnlyForDrafts } from '../../draft/issue-place.js';
import { counted } from '../../parts/counted.js';
import { usePublishReason } from '../../session/edit-rights.js';

export interface SaveState {
  /** Why no draft can be saved; null: it can. */
  readonly draftReason: string | null;
  /** Why nothing can be published or put into a release; null: it can. */
  readonly publishReason: string | null;
  /** Why it cannot go live at once, but only in a release; null: it can. */
  readonly directReason: string | null;
  /** What is wrong with the typed state, or with the saved draft; null: nothing. */
  readonly issueReason: string | null;
  /** What to show when nothing is wrong. */
  readonly summary: string;
}

export function useSaveState(): SaveState {
  const { saved, state, isDirty, isSaving, readOnlyReason, theirs, validation } = useDraft();
  const { newest, live, env } = saved;
  const directReason = usePublishReason(env);
  const errors = validation?.state === state ? validation.errors : [];
  const isAllLive = !isDirty && newest === live;
  const blocked =
    readOnlyReason ??
    (isSaving ? 'Saving…' : null) ??
    (theirs === null ? null : `${theirs.author} saved r${theirs.newest} while you were editing.`);
  // A draft may break its schema.
  const ofDraft = isDirty ? errors.filter((issue) => !isOnlyForDrafts(issue)).length : 0;
  const ofPublish = isAllLive ? 0 : errors.length;
  const draftIssue = ofDraft === 0 ? null : `Fix ${counted(ofDraft, 'error')} first.`;
  const publishIssue = ofPublish === 0 ? null : `Fix ${counted(ofPublish, 'error')} to publish.`;
  return {
    draftReason: blocked ?? draftIssue ?? (isDirty ? null : 'Nothing to save.'),
    publishReason: blocked ?? publishIssue ?? (isAllLive ? 'Nothing to publish.' : null),
    directReason,
    issueReason: draftIssue ?? publishIssue,
    summary: isAllLive
      ? `No unpublished changes (r${live} is live).`
      : !isDirty
        ? `Draft r${newest} saved, not published.`
        : newest === 0
          ? 'Not saved yet.'
          : 'Unsaved changes.',
  };
}

/** How to report a save that failed. Null: the page shows conflicts, findings and ended sessions elsewhere. */
export function saveFailure(
  error: Error | null,
): { readonly title: string; readonly error: Error } | null {
  if (error instanceof ServerAway) {
    const message = 'Your edits are kept in this tab. Save again when the server is back.';
    return { title: 'The server did not respond to the save', error: new Error(message) };
  }
  if (error === null) return null;
  const isShownElsewhere =
    error instanceof ApiProblem &&
    (error.status === 401 || error.code === 'revision_conflict' || error.confirmation !== null);
  return isShownElsewhere ? null : { title: 'It was not saved', error };
}
