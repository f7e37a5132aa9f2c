/** The form of a person: a new one, or the role and environments of one that there is. */
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { User } from '../../contract/schemas/user.js';
import { ApiProblem, request } from '../api/call.js';
import { Dialog } from '../parts/dialog.js';
import { fieldFault, otherFault } from '../parts/field-fault.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useSession } from '../session/session.js';
import { type Access, AccessInput } from './access-input.js';

const nameCharsMax = 128;

export interface NewUserFormProps {
  readonly onClose: () => void;
  readonly onCreated: (made: { readonly name: string; readonly token: string }) => void;
}

export function NewUserForm({ onClose, onCreated }: NewUserFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>({ role: 'editor', environments: null });
  const create = useMutation({
    mutationFn: () => request('POST /users', { body: { name: name.trim(), ...sent(access) } }),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: ['users'] });
      onCreated(made);
    },
  });
  const isTaken = create.error instanceof ApiProblem && create.error.code === 'user_exists';
  return (
    <Dialog onClose={onClose} title="New user">
      <form onSubmit={submitting(() => create.mutate())}>
        <Stack>
          <TextInput
            data-autofocus
            label="Name"
            description="By which the history and the activity know them. It cannot be changed later."
            required
            maxLength={nameCharsMax}
            autoComplete="off"
            value={name}
            error={isTaken ? create.error?.message : fieldFault(create.error, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <AccessInput
            value={access}
            onChange={setAccess}
            error={fieldFault(create.error, 'environments')}
          />
          <Rest error={isTaken ? null : create.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending}
              disabled={name.trim() === '' || isNowhere(access)}
            >
              Create user and token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

export interface EditUserFormProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function EditUserForm({ user, onClose }: EditUserFormProps) {
  const queries = useQueryClient();
  const isMe = useSession().id === user.id;
  const { role, environments } = user;
  const [access, setAccess] = useState<Access>({ role, environments });
  const save = useMutation({
    mutationFn: () =>
      request('PATCH /users/:userId', { params: { userId: user.id }, body: sent(access) }),
    onSuccess: () => {
      onClose();
      notifyDone(`Saved: it holds from the next request of ${user.name} on.`);
      void queries.invalidateQueries({ queryKey: ['users'] });
      if (isMe) void queries.invalidateQueries();
    },
  });
  const givesUp = isMe && !(access.role === 'owner' && access.environments === null);
  return (
    <Dialog onClose={onClose} title={`Role of ${user.name}`}>
      <form onSubmit={submitting(() => save.mutate())}>
        <Stack>
          <AccessInput
            value={access}
            onChange={setAccess}
            error={fieldFault(save.error, 'environments')}
          />
          {givesUp && (
            <Alert color="orange" variant="light">
              This is you: you will no longer manage people, and only another owner can undo it.
            </Alert>
          )}
          <Rest error={save.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={isNowhere(access)}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Rest({ error }: { readonly error: unknown }) {
  const rest = otherFault(error, ['name', 'environments']);
  return rest === null ? null : <ProblemAlert error={rest} />;
}

function submitting(submit: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault();
    submit();
  };
}

function isNowhere({ environments }: Access): boolean {
  return environments?.length === 0;
}

function sent({ role, environments }: Access): {
  role: User['role'];
  environments: string[] | null;
} {
  return { role, environments: environments === null ? null : [...environments] };
}
