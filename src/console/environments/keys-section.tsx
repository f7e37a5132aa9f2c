/** The API keys of an environment: which there are, how to make one, and how to end one. */
import { Alert, Badge, Button, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { Key } from '../../contract/operations/keys.js';
import { request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ShownOnce } from '../parts/shown-once.js';
import { useMayEdit, useSession } from '../session/session.js';
import { ClientSnippets } from './client-snippets.js';
import { EditKeyForm, NewKeyForm } from './key-form.js';
import { keyState, sortKeys } from './key-state.js';
import { KeyTable } from './key-table.js';

export function useKeys(env: string) {
  return useQuery({
    queryKey: ['environments', env, 'keys'],
    queryFn: async () => (await request('GET /environments/:env/keys', { params: { env } })).keys,
  });
}

export function KeysSection({ environment }: { readonly environment: Environment }) {
  const env = environment.id;
  const { data: keys, error, refetch } = useKeys(env);
  const mayEdit = useMayEdit(environment);
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [edited, setEdited] = useState<Key | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const now = Date.now();
  const sorted = sortKeys(keys ?? [], now);
  const ended = sorted.filter((key) => keyState(key, now) !== 'active').length;
  // With nothing but ended keys, the table shows them: hidden, it would look as if there had never been one.
  const isHiding = !showsEnded && ended < sorted.length;
  const shown = isHiding ? sorted.filter((key) => keyState(key, now) === 'active') : sorted;
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsNew(true)}>
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
          {sorted.length > 0 && <Badge variant="default">{sorted.length - ended} active</Badge>}
        </Group>
        {sorted.length > 0 && create}
      </Group>
      <Text size="sm" c="dimmed">
        Games send a key of this environment with each request. Make one for each client or build,
        so that one of them can be revoked without the others.
      </Text>
      <ReadOnlyReason environment={environment} />
      {error !== null && keys === undefined && (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      )}
      {keys === undefined && error === null && (
        <Skeleton h={120} role="status" aria-label="Loading the keys" />
      )}
      {keys?.length === 0 && (
        <EmptyState icon={<IconKey />} title="No key yet" action={create}>
          {mayEdit
            ? 'Without a key nobody can fetch what is in this environment. Create one; you get requests to paste with it.'
            : 'Without a key nobody can fetch what is in this environment.'}
        </EmptyState>
      )}
      {sorted.length > 0 && (
        <>
          <KeyTable environment={environment} keys={shown} mayEdit={mayEdit} onEdit={setEdited} />
          {ended > 0 && ended < sorted.length && (
            <Switch
              label={`Show expired and revoked keys (${ended})`}
              checked={showsEnded}
              onChange={(event) => setShowsEnded(event.currentTarget.checked)}
            />
          )}
        </>
      )}
      {isNew && (
        <NewKeyForm
          env={env}
          onClose={() => setIsNew(false)}
          onCreated={(key) => {
            setIsNew(false);
            setMade(key);
          }}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={`Your new key for ${environment.name}`}
          label="API key"
          secret={made}
          onClose={() => setMade(null)}
        >
          <Title order={3} size="h5">
            Try it
          </Title>
          <ClientSnippets env={env} apiKey={made} />
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
        ? 'You are a viewer: you see the keys, and cannot create or revoke them.'
        : 'This environment is protected: only owners may create or revoke its keys.'}
    </Alert>
  );
}
