/** Whether an environment has findings confirmed before they reach players, and the dialog that changes it. */
import { Alert, Checkbox, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { GuardedForm } from '../parts/acts/guarded-form.js';
import { counted } from '../parts/counted.js';
import { notifyDone } from '../parts/notify.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { describeConfirm } from '../releases/words/change-words.js';

export interface ConfirmFindingsProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

export function ConfirmFindings({ environment, onClose }: ConfirmFindingsProps) {
  const { id, name, review, confirm } = environment;
  const queries = useQueryClient();
  const [wanted, setWanted] = useState(confirm);
  const [isAdding, setIsAdding] = useState(false);
  // Less of it needs as many approvals as any change.
  const needsRelease = confirm && !wanted && review > 0;
  const saving = useMutation({
    mutationFn: () =>
      request('PATCH /environments/:env', { params: { env: id }, body: { confirm: wanted } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      notifyDone(`${name}: ${describeConfirm(wanted)}.`);
      onClose();
    },
  });
  if (isAdding) {
    const changes = async () => [{ kind: 'environment', edit: { confirm: wanted } } as const];
    return <AddToRelease env={id} what={describeConfirm(wanted)} {...{ changes, onClose }} />;
  }
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (needsRelease) setIsAdding(true);
    else if (wanted !== confirm) saving.mutate();
  };
  return (
    <GuardedForm
      {...{ env: id, act: needsRelease ? null : 'environment.confirm', isFelt: confirm && !wanted }}
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title={`Confirmation in ${name}`}
      size="lg"
      onClose={onClose}
      confirm={needsRelease ? 'Add to release…' : 'Save'}
      isDisabled={wanted === confirm}
    >
      <Checkbox
        data-autofocus
        label="Reject what was not confirmed"
        description="Scripts and tokens too must confirm values of another type, numbers that move by more than ten times, and what guards warn of."
        checked={wanted}
        onChange={(event) => setWanted(event.currentTarget.checked)}
      />
      <Text size="sm">
        This console always asks before players get such values. Guards that block or need a second
        person apply everywhere.
      </Text>
      {needsRelease && (
        <Alert color="orange" variant="light" p="xs">
          To take it back is a change that needs {counted(review, 'approval')}.
        </Alert>
      )}
    </GuardedForm>
  );
}
