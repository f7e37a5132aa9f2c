/** The tokens of a user: each is made and revoked alone, for instance one per machine. */
import { ActionIcon, Badge, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Token, User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { IconTrash } from '../icons/icons.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { Dialog } from '../parts/dialog.js';
import { askToConfirm } from '../parts/form/ask-to-confirm.js';
import { useServerForm } from '../parts/form/use-server-form.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ShownOnce } from '../parts/shown-once.js';
import { When } from '../parts/time/when.js';
import { useSession } from '../session/session.js';

const labelCharsMax = 128;

export interface UserTokensProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function UserTokens({ user, onClose }: UserTokensProps) {
  const [made, setMade] = useState<string | null>(null);
  const tokens = useQuery({
    queryKey: ['users', user.id, 'tokens'],
    queryFn: async () =>
      (await request('GET /users/:userId/tokens', { params: { userId: user.id } })).tokens,
  });
  const columns = useMemo(() => columnsOf(user), [user]);
  if (made !== null) {
    return (
      <ShownOnce
        title={`Another token of ${user.name}`}
        label="Token"
        secret={made}
        onClose={() => setMade(null)}
      />
    );
  }
  return (
    <Dialog onClose={onClose} size="lg" title={`Tokens of ${user.name}`}>
      <Stack>
        <Text size="sm" c="dimmed">
          A token signs in to this console and to the command line as {user.name}. Give each machine
          and script its own, so that you can revoke one alone.
        </Text>
        <Loaded query={tokens} label="Loading the tokens" rowHeight={80}>
          {(known) =>
            known.length === 0 ? (
              <Text size="sm">No token: {user.name} cannot sign in until you make one.</Text>
            ) : (
              <DataTable
                aria-label={`Tokens of ${user.name}`}
                columns={columns}
                rows={known}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
        <NewToken user={user} onMade={setMade} />
      </Stack>
    </Dialog>
  );
}

function columnsOf(user: User): Column<Token>[] {
  return [
    { title: 'Token', cell: (token) => <TokenName token={token} /> },
    {
      title: 'Created',
      visibleFrom: 'sm',
      cell: ({ createdAt }) => <When at={createdAt} size="sm" />,
    },
    { title: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} size="sm" /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      w: 48,
      cell: (token) =>
        token.source === 'environment' ? null : <RevokeToken user={user} token={token} />,
    },
  ];
}

function TokenName({ token: { id, label, prefix, source, createdAt } }: { readonly token: Token }) {
  const isMine = useSession().token.id === id;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500} {...(label === '' && { c: 'dimmed' })}>
          {label === '' ? 'No label' : label}
        </Text>
        {isMine && <Badge variant="default">In use here</Badge>}
      </Group>
      <Text size="sm" c="dimmed" className="mono">
        {prefix}…
      </Text>
      {source === 'environment' && (
        <Text size="xs" c="dimmed">
          LOADOUT_ADMIN_TOKEN of the server
        </Text>
      )}
      <Box hiddenFrom="sm">
        <Text size="xs" c="dimmed">
          Created <When at={createdAt} size="xs" span />
        </Text>
      </Box>
    </>
  );
}

interface RevokeTokenProps {
  readonly user: User;
  readonly token: Token;
}

function RevokeToken({ user, token: { id, label, prefix } }: RevokeTokenProps) {
  const queries = useQueryClient();
  const isMine = useSession().token.id === id;
  const name = label === '' ? `${prefix}…` : `“${label}” (${prefix}…)`;
  const revoke = useMutation({
    mutationFn: () =>
      request('DELETE /users/:userId/tokens/:tokenId', {
        params: { userId: user.id, tokenId: id },
      }),
    onSuccess: () => {
      notifyDone('Token revoked.');
      void queries.invalidateQueries({ queryKey: ['users', user.id, 'tokens'] });
    },
    onError: notifyFailed,
  });
  const ask = (): void =>
    askToConfirm({
      title: 'Revoke this token?',
      text: `The server rejects ${name} from the next request on, and ends the sessions that it signed in. This cannot be undone; you can make a new token.${isMine ? ' You are signed in with this very token: you are signed out at once.' : ''}`,
      confirm: 'Revoke token',
      color: 'red',
      onConfirm: () => revoke.mutate(),
    });
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={`Revoke token ${name}`}
      loading={revoke.isPending}
      onClick={ask}
    >
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  );
}

interface NewTokenProps {
  readonly user: User;
  readonly onMade: (token: string) => void;
}

function NewToken({ user, onMade }: NewTokenProps) {
  const queries = useQueryClient();
  const form = useServerForm({
    initialValues: { label: '' },
    send: ({ label }) =>
      request('POST /users/:userId/tokens', {
        params: { userId: user.id },
        body: { label: label.trim() },
      }),
    onSent: ({ token }) => {
      void queries.invalidateQueries({ queryKey: ['users', user.id, 'tokens'] });
      onMade(token);
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            data-autofocus
            label="Label of a new token"
            placeholder="Laptop, build server"
            maxLength={labelCharsMax}
            autoComplete="off"
            flex={1}
            miw={180}
            {...form.getInputProps('label')}
          />
          <Button type="submit" loading={form.isPending}>
            Make token
          </Button>
        </Group>
        {form.error !== null && <ProblemAlert error={form.error} />}
      </Stack>
    </form>
  );
}
