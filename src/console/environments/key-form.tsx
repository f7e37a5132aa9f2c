/** The form of an API key: a new one, or the label and expiry of an existing one. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Key } from '../../contract/operations/keys.js';
import { ApiProblem, request } from '../api/call.js';
import { monoInput } from '../parts/code/mono-input.js';
import { Dialog } from '../parts/dialog.js';
import { fieldError, unshownError } from '../parts/form/field-error.js';
import { useGuard } from '../parts/guard.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useTypedName } from '../parts/typed-name.js';
import { ExpiryInput } from './expiry-input.js';

const labelCharsMax = 128;

/** What the form holds. */
type Entered = Pick<Key, 'label' | 'expiresAt'>;

export interface NewKeyFormProps {
  readonly env: string;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}

export function NewKeyForm({ env, onClose, onCreated }: NewKeyFormProps) {
  const queries = useQueryClient();
  const [isOwn, setIsOwn] = useState(false);
  const [own, setOwn] = useState('');
  const create = useMutation({
    mutationFn: (entered: Entered) =>
      request('POST /environments/:env/keys', {
        params: { env },
        body: { ...entered, ...(isOwn && { key: own.trim() }) },
      }),
    onSuccess: ({ key }) => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      onCreated(key);
    },
  });
  const { error } = create;
  const taken = error instanceof ApiProblem && error.code === 'key_exists' ? error.message : null;
  return (
    <KeyDialog
      env={env}
      title="New API key"
      confirm="Create key"
      before={{ label: '', expiresAt: null }}
      save={create}
      error={taken === null ? unshownError(error, ['label', 'expiresAt', 'key']) : null}
      onClose={onClose}
    >
      <Checkbox
        label="Use my own key"
        description="For set-ups by script that know the key beforehand. Otherwise a random one is generated."
        checked={isOwn}
        onChange={(event) => setIsOwn(event.currentTarget.checked)}
      />
      {isOwn && (
        <TextInput
          label="Key"
          description="22 to 128 of A-Z a-z 0-9 _ -, at least 128 random bits."
          styles={monoInput}
          required
          minLength={22}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          value={own}
          error={taken ?? fieldError(error, 'key')}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
      )}
    </KeyDialog>
  );
}

export interface EditKeyFormProps {
  readonly env: string;
  readonly apiKey: Key;
  readonly onClose: () => void;
}

export function EditKeyForm({ env, apiKey, onClose }: EditKeyFormProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: ({ label, expiresAt }: Entered) =>
      request('PATCH /environments/:env/keys/:keyId', {
        params: { env, keyId: apiKey.id },
        body: { label, ...(expiresAt !== apiKey.expiresAt && { expiresAt }) },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      notifyDone('Key saved.');
      onClose();
    },
  });
  return (
    <KeyDialog
      env={env}
      title={`Edit key ${apiKey.prefix}…`}
      confirm="Save"
      before={apiKey}
      isLive
      save={save}
      error={unshownError(save.error, ['label', 'expiresAt'])}
      onClose={onClose}
    />
  );
}

interface KeyDialogProps {
  readonly env: string;
  readonly title: string;
  readonly confirm: string;
  readonly before: Entered;
  /** Clients may be using the key: in a protected environment, an expiry that has passed takes its name typed. */
  readonly isLive?: boolean;
  readonly save: UseMutationResult<unknown, Error, Entered>;
  /** What no input shows. */
  readonly error: unknown;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function KeyDialog(props: KeyDialogProps) {
  const { env, before, save, error, onClose } = props;
  const [label, setLabel] = useState(before.label);
  const [expiresAt, setExpiresAt] = useState<string | null | undefined>(before.expiresAt);
  const note = noteOnExpiry(expiresAt);
  // An expiry that has passed is a revocation under another name.
  const endsKey = props.isLive === true && expiresAt !== before.expiresAt && note === passedNote;
  const guard = useGuard(env);
  const { isRight, field } = useTypedName(endsKey ? guard.typed : null, {
    reason: `${guard.name} is protected.`,
    focus: 'never',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (expiresAt !== undefined && isRight) save.mutate({ label: label.trim(), expiresAt });
  };
  return (
    <Dialog onClose={onClose} title={props.title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="Label"
            description="What it is for: the game's client, a build, a tool."
            placeholder="iOS client"
            maxLength={labelCharsMax}
            autoComplete="off"
            value={label}
            error={fieldError(save.error, 'label')}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <ExpiryInput
            value={expiresAt}
            onChange={setExpiresAt}
            error={fieldError(save.error, 'expiresAt') ?? note}
          />
          {props.children}
          {field}
          {error !== null && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!isRight}>
              {props.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const passedNote = 'This has passed: the key is rejected at once.';

/** The API accepts moments of the past, and a person may mean one. */
function noteOnExpiry(expiresAt: string | null | undefined): string | null {
  if (expiresAt === undefined) return 'Choose a date and a time.';
  return expiresAt === null || Date.parse(expiresAt) > Date.now() ? null : passedNote;
}
