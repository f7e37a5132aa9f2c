/** Publishes what is typed, or the saved draft. */
import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/call.js';
import { useDraft } from '../../draft/draft-context.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { LastLook } from './last-look.js';
import { NoteInput } from './save-bar.js';
import { saveFailure, useSaveState } from './save-state.js';
import { usePublish } from './use-publish.js';

export interface PublishDialogProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onClose: () => void;
  readonly onRelease: () => void;
  readonly onConflict: () => void;
  readonly onPublished: () => void;
}

export function PublishDialog(props: PublishDialogProps) {
  const { note, onNote, onClose, onRelease, onConflict, onPublished } = props;
  const { saved, isDirty, save, saveError, isSaving, theirs } = useDraft();
  const { id, newest, live } = saved;
  const { publishReason } = useSaveState();
  const guard = useGuard(saved.env);
  const done = (published: { readonly live: number | null }): void => {
    notifyDone(`Revision ${published.live} is live for all players.`);
    onPublished();
  };
  const publishing = usePublish('publish', newest, '', done);
  const publish = (confirm?: string): void => {
    if (publishReason !== null || publishing.isPending) return;
    if (!isDirty) publishing.mutate(confirm);
    else void save({ publish: true, note, confirm }).then((saved) => saved !== null && done(saved));
  };
  // An earlier save may have failed for what was typed then.
  const [earlier] = useState(saveError);
  const error = !isDirty ? publishing.error : saveError === earlier ? null : saveError;
  const isConflict = error instanceof ApiProblem && error.code === 'revision_conflict';
  useEffect(() => {
    if (isConflict && theirs !== null) onConflict();
  }, [isConflict, theirs, onConflict]);
  return (
    <LastLook
      title={isDirty ? `Publish to ${guard.name}` : `Publish draft r${newest} to ${guard.name}`}
      intro={
        live === null
          ? `Players of ${guard.name} get ${id} for the first time: nothing of it is live yet.`
          : `Players of ${guard.name} get it at once, instead of r${live}. You can roll back with one click.`
      }
      revision={isDirty ? null : newest}
      label={isDirty ? 'As typed' : `Draft r${newest}`}
      failure={saveFailure(error)}
      error={error}
      act="content.publish"
      confirm="Publish"
      isPending={isSaving || publishing.isPending}
      disabledReason={publishReason}
      onConfirm={publish}
      onRelease={onRelease}
      onClose={onClose}
    >
      {isDirty && <NoteInput label="Note" note={note} onNote={onNote} data-autofocus />}
    </LastLook>
  );
}
