/** Saves a draft, and says what there is then. */
import { useCallback } from 'react';
import { notifyDone } from '../../parts/notify.js';
import { useEditing } from '../editing.js';
import { useSaveState } from './save-state.js';

export function useSaveDraft(note: string, onSaved: () => void): { readonly run: () => void } {
  const { save, saved } = useEditing();
  const { draftReason } = useSaveState();
  const run = useCallback(() => {
    if (draftReason !== null) return;
    void save({ publish: false, note }).then((answer) => {
      if (answer === null) return;
      onSaved();
      notifyDone(
        answer.revision === answer.live
          ? `Saved. Revision ${answer.revision} stays live.`
          : `Saved as draft r${answer.revision}. Players still get ${saved.live === null ? 'nothing' : `r${saved.live}`}.`,
      );
    });
  }, [draftReason, save, note, onSaved, saved.live]);
  return { run };
}
