/** Saves a draft, and says what there is then. */
import { useCallback } from 'react';
import { useEditing } from '../../draft/editing.js';
import { isOnlyForDrafts } from '../../draft/faults.js';
import { notifyDone } from '../../parts/notify.js';
import { useSaveState } from './save-state.js';

export function useSaveDraft(note: string, onSaved: () => void): { readonly run: () => void } {
  const { save, saved } = useEditing();
  const { draftReason } = useSaveState();
  const run = useCallback(() => {
    if (draftReason !== null) return;
    void save({ publish: false, note }).then((answer) => {
      if (answer === null) return;
      onSaved();
      const faults = answer.warnings.filter(isOnlyForDrafts).length;
      const toFix =
        faults === 0 ? '' : ` Fix ${faults === 1 ? '1 error' : `${faults} errors`} to publish.`;
      notifyDone(
        answer.revision === answer.live
          ? `Saved. Revision ${answer.revision} stays live.`
          : `Saved as draft r${answer.revision}. Players still get ${saved.live === null ? 'nothing' : `r${saved.live}`}.${toFix}`,
      );
    });
  }, [draftReason, save, note, onSaved, saved.live]);
  return { run };
}
