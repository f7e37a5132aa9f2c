/** The forms of a user: a new one, or the role and environments of an existing one. */
import { Alert, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { notifyDone } from '../parts/notify.js';
import { useSession } from '../session/session.js';
import { type Access, AccessInput } from './access-input.js';

const nameCharsMax = 128;

export interface NewUserFormProps {
  readonly onClose: () => void;
  readonly onCreated: (made: { readonly name: string; readonly token: string }) => void;
}

export function NewUserForm({ onClose, onCreated }: NewUserFormProps) {
  const queries = useQueryClient();
  const form = useServerForm({
    initialValues: { name: '', role: 'editor', environments: null } as Access & { name: string },
    fieldOfCode: { user_exists: 'name' },
    send: ({ name, ...access }) =>
      request('POST /users', { body: { name: name.trim(), ...accessBody(access) } }),
    onSent: (made) => {
      void queries.invalidateQueries({ queryKey: ['users'] });
      onCreated(made);
    },
  });
  const { name, ...access } = form.values;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="New user"
      confirm="Create user and token"
      isDisabled={name.trim() === '' || access.environments?.length === 0}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="Shown in history and activity. It cannot be changed later."
        required
        maxLength={nameCharsMax}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <AccessInput
        value={access}
        onChange={form.setValues}
        error={form.errors['environments'] ?? null}
      />
    </FormDialog>
  );
}

export interface EditUserFormProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function EditUserForm({ user, onClose }: EditUserFormProps) {
  const queries = useQueryClient();
  const isMe = useSession().id === user.id;
  const form = useServerForm<Access, unknown>({
    initialValues: { role: user.role, environments: user.environments },
    send: (access) =>
      request('PATCH /users/:userId', { params: { userId: user.id }, body: accessBody(access) }),
    onSent: () => {
      onClose();
      notifyDone(`Saved: it applies from the next request of ${user.name} on.`);
      void queries.invalidateQueries({ queryKey: ['users'] });
      if (isMe) void queries.invalidateQueries();
    },
  });
  const { role, environments } = form.values;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Role of ${user.name}`}
      confirm="Save"
      isDisabled={environments?.length === 0}
    >
      <AccessInput
        value={form.values}
        onChange={form.setValues}
        error={form.errors['environments'] ?? null}
      />
      {isMe && !(role === 'owner' && environments === null) && (
        <Alert color="orange" variant="light">
          This is you: you will no longer manage people, and only another owner can undo it.
        </Alert>
      )}
    </FormDialog>
  );
}

function accessBody({ role, environments }: Access) {
  return { role, environments: environments === null ? null : [...environments] };
}
