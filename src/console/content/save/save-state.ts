/** Whether the draft may be saved and published now, and if not, why. */
import { useEditing } from '../editing.js';

export interface SaveState {
  /** Why no draft may be saved; null: it may. */
  readonly draftReason: string | null;
  /** Why nothing may be published; null: it may. */
  readonly publishReason: string | null;
  /** What there is to say when both may be done, or nothing has to be. */
  readonly summary: string;
}

export function useSaveState(): SaveState {
  const { saved, state, isDirty, isSaving, readOnlyReason, theirs, verdict } = useEditing();
  const { newest, live, author } = saved;
  const errors = verdict?.state === state ? verdict.errors.length : 0;
  const isAllLive = !isDirty && newest === live;
  const summary = isAllLive
    ? `Everything is live, as revision ${live}.`
    : isDirty
      ? newest === 0
        ? 'Not saved yet.'
        : 'Unsaved changes.'
      : `Draft r${newest} by ${author} is saved and not live.`;
  const inTheWay =
    readOnlyReason ??
    (isSaving ? 'Saving…' : null) ??
    (theirs === null ? null : `${theirs.author} saved revision ${theirs.newest} meanwhile.`) ??
    (isDirty && errors > 0
      ? `${errors} ${errors === 1 ? 'error' : 'errors'} to mend first.`
      : null);
  return {
    draftReason: inTheWay ?? (isDirty ? null : 'Nothing to save.'),
    publishReason: inTheWay ?? (isAllLive ? 'Nothing to publish.' : null),
    summary,
  };
}
