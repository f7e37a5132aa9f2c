/** The form of an API key: a new one, or the label and expiry of one that there is. */
import { Button, Checkbox, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Key } from '../../contract/operations/keys.js';
import { ApiProblem, request } from '../api/call.js';
import { monoInput } from '../parts/code/mono-input.js';
import { Dialog } from '../parts/dialog.js';
import { fieldError, unshownError } from '../parts/form/field-error.js';
import { useGuard } from '../parts/guard.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useTypedName } from '../parts/typed-name.js';
import { type ExpiryChoice, expiresAt, localMoment } from './expiry.js';
import { ExpiryInput } from './expiry-input.js';

const labelCharsMax = 128;
const inputs = ['label', 'expiresAt', 'key'];

export interface NewKeyFormProps {
  readonly env: string;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}

export function NewKeyForm({ env, onClose, onCreated }: NewKeyFormProps) {
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState<ExpiryChoice>({ kind: 'never' });
  const [isOwn, setIsOwn] = useState(false);
  const [own, setOwn] = useState('');
  const create = useMutation({
    mutationFn: (until: string | null) =>
      request('POST /environments/:env/keys', {
        params: { env },
        body: { label: label.trim(), expiresAt: until, ...(isOwn && { key: own.trim() }) },
      }),
    onSuccess: ({ key }) => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      onCreated(key);
    },
  });
  const until = expiresAt(expiry, Date.now());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (until !== undefined) create.mutate(until);
  };
  return (
    <Dialog onClose={onClose} title="New API key">
      <form onSubmit={submit}>
        <Stack>
          <LabelInput value={label} onLabel={setLabel} error={fieldError(create.error, 'label')} />
          <ExpiryInput
            value={expiry}
            onChange={setExpiry}
            error={fieldError(create.error, 'expiresAt') ?? passed(until)}
          />
          <Checkbox
            label="I bring a key of my own"
            description="For set-ups by script, where the key is known before. Otherwise a random one is made."
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
              error={fieldError(create.error, 'key') ?? keyTaken(create.error)}
              onChange={(event) => setOwn(event.currentTarget.value)}
            />
          )}
          <FormError error={create.error} isShownAbove={keyTaken(create.error) !== null} />
          <Buttons confirm="Create key" isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export interface EditKeyFormProps {
  readonly env: string;
  readonly apiKey: Key;
  readonly onClose: () => void;
}

export function EditKeyForm({ env, apiKey, onClose }: EditKeyFormProps) {
  const queries = useQueryClient();
  const [label, setLabel] = useState(apiKey.label);
  const [expiry, setExpiry] = useState<ExpiryChoice>(() => choiceOf(apiKey.expiresAt));
  const [isExpiryTouched, setIsExpiryTouched] = useState(false);
  const until = isExpiryTouched ? expiresAt(expiry, Date.now()) : apiKey.expiresAt;
  const save = useMutation({
    mutationFn: (expires: string | null) =>
      request('PATCH /environments/:env/keys/:keyId', {
        params: { env, keyId: apiKey.id },
        // An input has no seconds: what was not touched is not sent, so that it stays to the second.
        body: { label: label.trim(), ...(isExpiryTouched && { expiresAt: expires }) },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      notifyDone('Key saved.');
      onClose();
    },
  });
  // An expiry that has passed is a revocation under another name.
  const hasPassed = isExpiryTouched && typeof until === 'string' && Date.parse(until) <= Date.now();
  const guard = useGuard(env);
  const reason = `${guard.name} is protected.`;
  const { isRight, field } = useTypedName(hasPassed ? guard.typed : null, {
    reason,
    focus: 'never',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (until !== undefined && isRight) save.mutate(until);
  };
  return (
    <Dialog onClose={onClose} title={`Edit key ${apiKey.prefix}…`}>
      <form onSubmit={submit}>
        <Stack>
          <LabelInput value={label} onLabel={setLabel} error={fieldError(save.error, 'label')} />
          <ExpiryInput
            value={expiry}
            onChange={(choice) => {
              setExpiry(choice);
              setIsExpiryTouched(true);
            }}
            error={fieldError(save.error, 'expiresAt') ?? passed(until)}
          />
          {field}
          <FormError error={save.error} isShownAbove={false} />
          <Buttons
            confirm="Save"
            isPending={save.isPending}
            isDisabled={!isRight}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function LabelInput({
  onLabel,
  ...input
}: Pick<TextInputProps, 'value' | 'error'> & { readonly onLabel: (label: string) => void }) {
  return (
    <TextInput
      data-autofocus
      label="Label"
      description="What it is for, so that you can tell it from others: the game's client, a build, a tool."
      placeholder="iOS client"
      maxLength={labelCharsMax}
      autoComplete="off"
      onChange={(event) => onLabel(event.currentTarget.value)}
      {...input}
    />
  );
}

function FormError({
  error,
  isShownAbove,
}: {
  readonly error: unknown;
  readonly isShownAbove: boolean;
}) {
  const rest = isShownAbove ? null : unshownError(error, inputs);
  return rest === null ? null : <ProblemAlert error={rest} />;
}

function Buttons({
  confirm,
  isPending,
  isDisabled = false,
  onClose,
}: {
  readonly confirm: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending} disabled={isDisabled}>
        {confirm}
      </Button>
    </Group>
  );
}

function choiceOf(until: string | null): ExpiryChoice {
  return until === null ? { kind: 'never' } : { kind: 'moment', local: localMoment(until) };
}

/** The API takes moments of the past; people who choose one may mean it, and are told. */
function passed(until: string | null | undefined): string | null {
  if (until === undefined) return 'Choose a date and a time.';
  if (until === null || Date.parse(until) > Date.now()) return null;
  return 'This has passed: the key is refused at once.';
}

function keyTaken(error: unknown): string | null {
  return error instanceof ApiProblem && error.code === 'key_exists' ? error.message : null;
}
