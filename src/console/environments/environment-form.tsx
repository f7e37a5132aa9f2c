/** The form that makes an environment. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { ApiProblem, request } from '../api/call.js';
import { monoInput } from '../parts/code/mono-input.js';
import { fieldError, unshownError } from '../parts/form/field-error.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { environmentIdFault, proposeEnvironmentId } from './environment-id.js';

const nameCharsMax = 128;

export interface EnvironmentFormProps {
  readonly onCreated: (environment: Environment) => void;
  readonly onCancel?: () => void;
}

export function EnvironmentForm({ onCreated, onCancel }: EnvironmentFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  /** Null: it follows the name. */
  const [ownId, setOwnId] = useState<string | null>(null);
  const [isProtected, setIsProtected] = useState(false);
  const [wasTried, setWasTried] = useState(false);
  const id = ownId ?? proposeEnvironmentId(name);
  const create = useMutation({
    mutationFn: () =>
      request('POST /environments', { body: { id, name: name.trim(), protected: isProtected } }),
    onSuccess: (environment) => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      onCreated(environment);
    },
  });
  const idFault = environmentIdFault(id);
  const refused = isTaken(create.error) ? create.error.message : fieldError(create.error, 'id');
  const rest = isTaken(create.error) ? null : unshownError(create.error, ['id', 'name']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setWasTried(true);
    if (idFault === null) create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          data-autofocus
          label="Name"
          description="For people."
          placeholder="Staging"
          required
          maxLength={nameCharsMax}
          autoComplete="off"
          value={name}
          error={fieldError(create.error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Id"
          description="For commands, files and addresses: lower-case letters, digits, “.”, “_” and “-”. It cannot be changed later."
          placeholder="staging"
          required
          styles={monoInput}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={id}
          error={(wasTried || ownId !== null) && id !== '' ? (idFault ?? refused) : refused}
          onChange={(event) => {
            create.reset();
            setOwnId(event.currentTarget.value);
          }}
        />
        <Checkbox
          label="Protected"
          description="Only owners may change anything in it, and a sync into it asks to type its name. Meant for production."
          checked={isProtected}
          onChange={(event) => setIsProtected(event.currentTarget.checked)}
        />
        {rest !== null && <ProblemAlert error={rest} />}
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={create.isPending}>
            Create environment
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isTaken(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'environment_exists';
}
