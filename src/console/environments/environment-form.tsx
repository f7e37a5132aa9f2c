/** The forms of an environment: a new one, or the name of an existing one. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { monoInput } from '../parts/code/mono-input.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { environmentIdError, proposeEnvironmentId } from './environment-id.js';

const nameCharsMax = 128;

export interface EnvironmentFormProps {
  readonly onCreated: (environment: Environment) => void;
  readonly onCancel?: () => void;
}

export function EnvironmentForm({ onCreated, onCancel }: EnvironmentFormProps) {
  const queries = useQueryClient();
  /** Otherwise the id follows the name. */
  const [isOwnId, setIsOwnId] = useState(false);
  const form = useServerForm({
    initialValues: { name: '', id: '', protected: false },
    validate: { id: environmentIdError },
    fieldOfCode: { environment_exists: 'id' },
    send: (values) =>
      request('POST /environments', { body: { ...values, name: values.name.trim() } }),
    onSent: (environment) => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      onCreated(environment);
    },
  });
  const { id } = form.values;
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <TextInput
          data-autofocus
          label="Name"
          description="For people."
          placeholder="Staging"
          required
          maxLength={nameCharsMax}
          autoComplete="off"
          {...form.getInputProps('name')}
          onChange={({ currentTarget: { value } }) => {
            form.setFieldValue('name', value);
            if (!isOwnId) form.setFieldValue('id', proposeEnvironmentId(value));
          }}
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
          error={form.errors['id'] ?? (isOwnId && id !== '' && environmentIdError(id))}
          onChange={(event) => {
            setIsOwnId(true);
            form.setFieldValue('id', event.currentTarget.value);
          }}
        />
        <Checkbox
          label="Protected"
          description="Only owners can change it, and a sync into it asks to type its name. For production."
          {...form.getInputProps('protected', { type: 'checkbox' })}
        />
        {form.error !== null && <ProblemAlert error={form.error} />}
        <Group justify="flex-end">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={form.isPending}>
            Create environment
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export interface RenameEnvironmentProps {
  readonly environment: Environment;
  readonly onClose: () => void;
}

export function RenameEnvironment({ environment, onClose }: RenameEnvironmentProps) {
  const queries = useQueryClient();
  const form = useServerForm({
    initialValues: { name: environment.name },
    send: ({ name }) =>
      request('PATCH /environments/:env', {
        params: { env: environment.id },
        body: { name: name.trim() },
      }),
    onSent: () => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Rename ${environment.name}`}
      confirm="Rename"
      isDisabled={form.values.name.trim() === ''}
    >
      <TextInput
        data-autofocus
        label="Name"
        description={`For people. The id stays ${environment.id}.`}
        required
        maxLength={nameCharsMax}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
