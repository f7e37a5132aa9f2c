/** The API keys of an environment: list, create, edit and revoke. */
import { Alert, Badge, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { Key } from '../../contract/operations/keys.js';
import { IconKey, IconPlus } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { ShownOnce } from '../parts/shown-once.js';
import { useMayEdit, useSession } from '../session/session.js';
import { ClientSnippets } from './client-snippets.js';
import { useKeys } from './environment-queries.js';
import { EditKeyForm, type NewKey, NewKeyForm } from './key-form.js';
import { keyState, sortKeys } from './key-state.js';
import { KeyTable } from './key-table.js';

export interface KeysSectionProps {
  readonly environment: Environment;
  /** Whether the form of a new key is open. */
  readonly isNew: boolean;
  readonly onNew: (isNew: boolean) => void;
}

export function KeysSection({ environment, isNew, onNew }: KeysSectionProps) {
  const env = environment.id;
  const keys = useKeys(env);
  const mayEdit = useMayEdit(environment);
  const [made, setMade] = useState<NewKey | null>(null);
  const [edited, setEdited] = useState<Key | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const now = Date.now();
  const sorted = sortKeys(keys.data ?? [], now);
  const active = sorted.filter((key) => keyState(key, now) === 'active');
  const endedCount = sorted.length - active.length;
  // If all keys have ended, the table shows them: otherwise it would look as if there had never been one.
  const shown = showsEnded || active.length === 0 ? sorted : active;
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onNew(true)}>
      New key
    </Button>
  );
  return (
    <Stack gap="sm" component="section" aria-labelledby="keys-title">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2} size="h4" id="keys-title">
            API keys
          </Title>
          {sorted.length > 0 && <Badge variant="default">{active.length} active</Badge>}
        </Group>
        {sorted.length > 0 && create}
      </Group>
      <Text size="sm" c="dimmed">
        Games send a key of this environment with each request. Create one for each client or build:
        then one can be revoked without the others.
      </Text>
      <ReadOnlyReason environment={environment} />
      <Loaded query={keys} label="Loading the keys" rowHeight={120}>
        {() =>
          sorted.length === 0 ? (
            <EmptyState icon={<IconKey />} title="No key yet" action={create}>
              Games need a key to fetch content from this environment.
              {mayEdit && ' Create one to get requests to paste.'}
            </EmptyState>
          ) : (
            <KeyTable environment={environment} keys={shown} mayEdit={mayEdit} onEdit={setEdited} />
          )
        }
      </Loaded>
      {endedCount > 0 && active.length > 0 && (
        <Switch
          label={`Show expired and revoked keys (${endedCount})`}
          checked={showsEnded}
          onChange={(event) => setShowsEnded(event.currentTarget.checked)}
        />
      )}
      {isNew && (
        <NewKeyForm
          env={env}
          onClose={() => onNew(false)}
          onCreated={(key) => {
            onNew(false);
            setMade(key);
          }}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={`Your new key for ${environment.name}`}
          label="API key"
          secret={made.key}
          onClose={() => setMade(null)}
        >
          {made.purpose === 'game' && (
            <>
              <Title order={3} size="h5">
                Try it
              </Title>
              <ClientSnippets env={env} apiKey={made.key} />
            </>
          )}
        </ShownOnce>
      )}
      {edited !== null && <EditKeyForm env={env} apiKey={edited} onClose={() => setEdited(null)} />}
    </Stack>
  );
}

function ReadOnlyReason({ environment }: { readonly environment: Environment }) {
  const { role } = useSession();
  if (useMayEdit(environment)) return null;
  return (
    <Alert color="gray" variant="light">
      {role === 'viewer'
        ? 'You are a viewer: you see the keys and cannot create or revoke them.'
        : `${environment.name} is protected: only owners can create or revoke its keys.`}
    </Alert>
  );
}
