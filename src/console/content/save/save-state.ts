/** Whether the draft may be saved and published now, and if not, why. */
import { useEditing } from '../../draft/editing.js';
import { isOnlyForDrafts } from '../../draft/faults.js';

export interface SaveState {
  /** Why no draft may be saved; null: it may. */
  readonly draftReason: string | null;
  /** Why nothing may be published; null: it may. */
  readonly publishReason: string | null;
  /** What is wrong with what is typed, or with the saved draft; null: nothing. */
  readonly faultReason: string | null;
  /** What there is to say when both may be done, or nothing has to be. */
  readonly summary: string;
}

export function useSaveState(): SaveState {
  const { saved, state, isDirty, isSaving, readOnlyReason, theirs, verdict } = useEditing();
  const { newest, live, author } = saved;
  const errors = verdict?.state === state ? verdict.errors : [];
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
    (theirs === null ? null : `${theirs.author} saved revision ${theirs.newest} meanwhile.`);
  // What breaks the schema only is saved as a draft all the same.
  const ofDraft = isDirty ? errors.filter((fault) => !isOnlyForDrafts(fault)).length : 0;
  const ofPublish = isAllLive ? 0 : errors.length;
  const draftFault = ofDraft === 0 ? null : `Fix ${counted(ofDraft)} first.`;
  const publishFault = ofPublish === 0 ? null : `Fix ${counted(ofPublish)} to publish.`;
  return {
    draftReason: inTheWay ?? draftFault ?? (isDirty ? null : 'Nothing to save.'),
    publishReason: inTheWay ?? publishFault ?? (isAllLive ? 'Nothing to publish.' : null),
    faultReason: draftFault ?? publishFault,
    summary,
  };
}

function counted(errors: number): string {
  return errors === 1 ? '1 error' : `${errors} errors`;
}
