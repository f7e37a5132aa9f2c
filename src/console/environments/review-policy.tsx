/** How many approvals the changes of an environment need, and the dialog that changes it. */
import { Alert, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { counted } from '../parts/counted.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { notifyDone } from '../parts/notify.js';
import { AddToRelease } from '../releases/add/add-to-release.js';

export interface ReviewPolicyProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

const approvalsMax = 5;

export function ReviewPolicy({ environment, onClose }: ReviewPolicyProps) {
  const { id, name, review } = environment;
  const queries = useQueryClient();
  const [wanted, setWanted] = useState(review);
  const [isAdding, setIsAdding] = useState(false);
  // Fewer approvals need as many as any change.
  const isWeaker = wanted < review;
  const saving = useMutation({
    mutationFn: () =>
      request('PATCH /environments/:env', { params: { env: id }, body: { review: wanted } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      notifyDone(describePolicy(name, wanted));
      onClose();
    },
  });
  if (isAdding) {
    const changes = async () => [{ kind: 'environment', edit: { review: wanted } } as const];
    return <AddToRelease env={id} what="fewer approvals" changes={changes} onClose={onClose} />;
  }
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (wanted === review) return;
    if (isWeaker) setIsAdding(true);
    else saving.mutate();
  };
  return (
    <FormDialog
      form={{ submit, isPending: saving.isPending, error: saving.error }}
      title={`Review policy of ${name}`}
      size="lg"
      onClose={onClose}
      confirm={isWeaker ? 'Add to release…' : 'Save'}
      isDisabled={wanted === review}
    >
      <Radio.Group
        label="Before changes reach players"
        value={String(wanted)}
        onChange={(value) => setWanted(Number(value))}
      >
        <Stack gap="xs" mt="xs">
          {Array.from({ length: approvalsMax + 1 }, (_, approvals) => approvals).map(
            (approvals) => (
              <Radio
                key={approvals}
                value={String(approvals)}
                label={approvals === 0 ? 'No review' : counted(approvals, 'approval')}
                description={
                  approvals === 0
                    ? 'People with edit rights publish at once.'
                    : approvals === 1
                      ? 'All changes go live in releases. Authors cannot approve their own.'
                      : undefined
                }
              />
            ),
          )}
        </Stack>
      </Radio.Group>
      {isWeaker && (
        <Alert color="orange" variant="light" p="xs">
          Fewer approvals are a change that needs {counted(review, 'approval')}.
        </Alert>
      )}
      {review === 0 && wanted > 0 && (
        <Text size="sm">
          No one can publish alone from then on. To take it back, a release needs these approvals.
        </Text>
      )}
    </FormDialog>
  );
}

/** A sentence. */
export function describePolicy(name: string, review: number): string {
  return review === 0
    ? `Changes of ${name} need no review.`
    : `Changes of ${name} go live in releases with ${counted(review, 'approval')}.`;
}
