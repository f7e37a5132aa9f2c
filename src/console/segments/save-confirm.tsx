/** Confirms a change of a segment that reaches players: shows the content and the sample users that it affects. */
import { Text, TextInput } from '@mantine/core';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useTypedName } from '../parts/form/typed-name.js';
import { useGuard } from '../parts/guard.js';
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
  const guard = useGuard(env);
  const { isRight, field } = useTypedName(guard.typed, { reason: `${guard.name} is protected.` });
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (isRight) confirm();
  };
  return (
    <FormDialog
      form={{ submit, isPending: isSaving, error: null }}
      onClose={cancel}
      title={`Save ${name}?`}
      size="lg"
      cancel="Continue editing"
      confirm={guard.isProtected ? `Save and deliver to ${guard.name}` : 'Save and deliver'}
      color={guard.color}
      isDisabled={!isRight}
      focus={guard.typed === null ? 'confirm' : undefined}
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
      {field}
    </FormDialog>
  );
}
