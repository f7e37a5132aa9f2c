/** Confirms a change of a segment that reaches players: shows the content and the sample users that it affects. */
import { Text, TextInput } from '@mantine/core';
import { confirmSuffix } from '../findings/confirmation-words.js';
import { GuardedForm } from '../parts/acts/guarded-form.js';
import { PlanEffect } from './plan-effect.js';
import { noteCharsMax } from './segment-api.js';
import type { PendingSave, SegmentSaving } from './use-save-segment.js';

export interface SaveConfirmProps {
  readonly env: string;
  readonly name: string;
  readonly saving: SegmentSaving;
  readonly pending: PendingSave;
  readonly note: string;
  readonly onNote: (note: string) => void;
}

export function SaveConfirm({ env, name, saving, pending, note, onNote }: SaveConfirmProps) {
  const { isSaving, cancel, confirm } = saving;
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    confirm();
  };
  return (
    <GuardedForm
      {...{ env, act: 'segment.save' }}
      form={{ submit, isPending: isSaving, error: null }}
      onClose={cancel}
      title={`Save ${name}?`}
      size="lg"
      cancel="Continue editing"
      confirm="Save and deliver"
      confirmSuffix={confirmSuffix(pending.plan.confirmation)}
      focus="confirm"
      focusName="opening"
    >
      <Text size="sm">
        Live content uses this segment. Saving changes at once what players get. To undo it, roll
        back in the segment’s history.
      </Text>
      <PlanEffect plan={pending.plan} users={pending.users} />
      <TextInput
        label="Note"
        description="Reason for this change; the history shows it."
        value={note}
        maxLength={noteCharsMax}
        onChange={(event) => onNote(event.currentTarget.value)}
      />
    </GuardedForm>
  );
}
