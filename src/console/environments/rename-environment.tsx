/** Changes the name of an environment; its id stays. */
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { Dialog } from '../parts/dialog.js';
import { fieldError, unshownError } from '../parts/form/field-error.js';
import { ProblemAlert } from '../parts/problem-alert.js';

export interface RenameEnvironmentProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

export function RenameEnvironment({ environment, onClose }: RenameEnvironmentProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(environment.name);
  const rename = useMutation({
    mutationFn: () =>
      request('PATCH /environments/:env', {
        params: { env: environment.id },
        body: { name: name.trim() },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate();
  };
  const rest = unshownError(rename.error, ['name']);
  return (
    <Dialog onClose={onClose} title={`Rename ${environment.name}`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="Name"
            description={`For people. The id stays ${environment.id}.`}
            required
            maxLength={128}
            autoComplete="off"
            value={name}
            error={fieldError(rename.error, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {rest !== null && <ProblemAlert error={rest} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
