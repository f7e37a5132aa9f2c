/** The forms of an API key: a new one, or the label and expiry of an existing one. */
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../contract/operations/keys.js';
import { request } from '../api/call.js';
import { GuardedForm } from '../parts/acts/guarded-form.js';
import { monoInput } from '../parts/code/mono-input.js';
import { FormDialog } from '../parts/form/form-dialog.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { notifyDone } from '../parts/notify.js';
import { ExpiryInput } from './expiry-input.js';

const labelCharsMax = 128;

interface Values {
  readonly label: string;
  /** RFC 3339; null: never; undefined: to be chosen. */
  readonly expiresAt: string | null | undefined;
  readonly key: string;
}

/** @param save sends the values; the label is trimmed, the expiry chosen */
function useKeyForm<Result>(
  env: string,
  before: Pick<Key, 'label' | 'expiresAt'>,
  save: (values: Omit<Values, 'expiresAt'> & Pick<Key, 'expiresAt'>) => Promise<Result>,
  onSaved: (result: Result) => void,
) {
  const queries = useQueryClient();
  return useServerForm<Values, Result>({
    initialValues: { label: before.label, expiresAt: before.expiresAt, key: '' },
    validate: { expiresAt: (at) => (at === undefined ? 'Choose a date and a time.' : null) },
    fieldOfCode: { key_exists: 'key' },
    send: ({ label, expiresAt = null, key }) =>
      save({ label: label.trim(), expiresAt, key: key.trim() }),
    onSent: (result) => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      onSaved(result);
    },
  });
}

/** A key with its text, which is shown this once. */
export interface NewKey extends Key {
  readonly key: string;
}

export interface NewKeyFormProps {
  readonly env: string;
  readonly onClose: () => void;
  readonly onCreated: (key: NewKey) => void;
}

export function NewKeyForm({ env, onClose, onCreated }: NewKeyFormProps) {
  const [isOwn, setIsOwn] = useState(false);
  const [purpose, setPurpose] = useState<Key['purpose']>('game');
  const form = useKeyForm(
    env,
    { label: '', expiresAt: null },
    ({ key, ...body }) =>
      request('POST /environments/:env/keys', {
        params: { env },
        body: { ...body, purpose, ...(isOwn && { key }) },
      }),
    onCreated,
  );
  return (
    <FormDialog form={form} onClose={onClose} title="New API key" confirm="Create key">
      <KeyFields form={form} />
      <Checkbox
        label="For events from your own servers"
        description="It only sends events of players, which trusted metrics count, and fetches nothing. Keep it out of games."
        checked={purpose === 'events'}
        onChange={(event) => setPurpose(event.currentTarget.checked ? 'events' : 'game')}
      />
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
          {...form.getInputProps('key')}
        />
      )}
    </FormDialog>
  );
}

export interface EditKeyFormProps {
  readonly env: string;
  readonly apiKey: Key;
  readonly onClose: () => void;
}

export function EditKeyForm({ env, apiKey, onClose }: EditKeyFormProps) {
  const form = useKeyForm(
    env,
    apiKey,
    ({ label, expiresAt }) =>
      request('PATCH /environments/:env/keys/:keyId', {
        params: { env, keyId: apiKey.id },
        body: { label, ...(expiresAt !== apiKey.expiresAt && { expiresAt }) },
      }),
    () => {
      notifyDone('Key saved.');
      onClose();
    },
  );
  const { expiresAt } = form.values;
  // An expiry that has passed is a revocation under another name.
  const endsKey = expiresAt !== apiKey.expiresAt && hasPassed(expiresAt);
  return (
    <GuardedForm
      {...{ env, act: 'key.expire', isFelt: endsKey, form, onClose }}
      title={`Edit key ${apiKey.prefix}…`}
      confirm="Save"
    >
      <KeyFields form={form} />
    </GuardedForm>
  );
}

function KeyFields({ form }: { readonly form: ReturnType<typeof useKeyForm> }) {
  const { values, errors } = form;
  // The API accepts times in the past, and a person may mean one.
  const note = hasPassed(values.expiresAt) && 'This has passed: the key is rejected at once.';
  return (
    <>
      <TextInput
        data-autofocus
        label="Label"
        description="What it is for: the game's client, a build, a tool."
        placeholder="iOS client"
        maxLength={labelCharsMax}
        autoComplete="off"
        {...form.getInputProps('label')}
      />
      <ExpiryInput
        value={values.expiresAt}
        onChange={(at) => form.setFieldValue('expiresAt', at)}
        error={errors['expiresAt'] ?? note}
      />
    </>
  );
}

function hasPassed(at: string | null | undefined): boolean {
  return typeof at === 'string' && Date.parse(at) <= Date.now();
}
