/** Rolls back to an older revision, or publishes a draft that was saved earlier. */
import { useState } from 'react';
import type { RevisionSummary } from '../../../contract/operations/history/content-history.js';
import { useDraft } from '../../draft/draft-context.js';
import { notifyDone } from '../../parts/notify.js';
import { AddToRelease } from '../../releases/add/add-to-release.js';
import { LastLook } from '../save/last-look.js';
import { NoteInput } from '../save/save-bar.js';
import { usePublish } from '../save/use-publish.js';

export interface RollbackDialogProps {
  readonly target: RevisionSummary;
  readonly onClose: () => void;
}

export function RollbackDialog({ target: { revision }, onClose }: RollbackDialogProps) {
  const { saved, isDirty } = useDraft();
  const { env, id, live, newest } = saved;
  const isDraft = live === null || revision > live;
  const hasDraft = live !== null && newest > live;
  const [note, setNote] = useState('');
  const action = isDraft ? 'publish' : 'rollback';
  const publishing = usePublish(action, revision, note.trim(), ({ live: now }) => {
    notifyDone(
      isDraft
        ? `Revision ${now} is live for all players.`
        : `Rolled back to r${revision} (now r${now}).`,
    );
    onClose();
  });
  const [isAdding, setIsAdding] = useState(false);
  if (isAdding) {
    const changes = async () => [{ kind: 'content', id, revision } as const];
    return <AddToRelease {...{ env, changes, onClose }} what={`${id} r${revision}`} />;
  }
  return (
    <LastLook
      title={isDraft ? `Publish r${revision}` : `Roll back to r${revision}`}
      intro={
        isDraft
          ? 'Players get this revision at once.'
          : `Players get r${revision} again at once, under the new number r${newest + 1}. Every revision stays in the history${hasDraft ? ', including the draft' : ''}.`
      }
      revision={revision}
      label={`r${revision}`}
      failure={
        publishing.error && {
          title: isDraft ? 'It was not published' : 'It was not rolled back',
          error: publishing.error,
        }
      }
      error={publishing.error}
      act={isDraft ? 'content.publish' : 'content.rollback'}
      confirm={isDraft ? 'Publish' : 'Roll back'}
      isReturn={!isDraft}
      isPending={publishing.isPending}
      disabledReason={
        isDirty ? `Save or discard your changes first: they build on r${newest}.` : null
      }
      onConfirm={(digest) => publishing.mutate(digest)}
      onRelease={() => setIsAdding(true)}
      onClose={onClose}
    >
      {!isDraft && <NoteInput label="Note" note={note} onNote={setNote} data-autofocus />}
    </LastLook>
  );
}
