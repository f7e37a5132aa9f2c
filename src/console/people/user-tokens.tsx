/** The tokens of a person: each can be made and revoked alone, say one for each machine. */
import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Group,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Token, User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { askToConfirm } from '../parts/ask-to-confirm.js';
import { Dialog } from '../parts/dialog.js';
import { fieldFault, otherFault } from '../parts/field-fault.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ShownOnce } from '../parts/shown-once.js';
import { When } from '../parts/when.js';
import { useSession } from '../session/session.js';

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
  if (made !== null) {
    return (
      <ShownOnce
        title={`A further token of ${user.name}`}
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
          A token signs in to this console and to the command line, as {user.name}. Give each
          machine and script its own, so that one can be revoked alone.
        </Text>
        {tokens.error !== null && tokens.data === undefined && (
          <ProblemAlert error={tokens.error} onRetry={() => void tokens.refetch()} />
        )}
        {tokens.data === undefined && tokens.error === null && (
          <Skeleton h={80} role="status" aria-label="Loading the tokens" />
        )}
        {tokens.data?.length === 0 && (
          <Text size="sm">No token: {user.name} cannot sign in until you make one.</Text>
        )}
        {tokens.data !== undefined && tokens.data.length > 0 && (
          <TokenTable user={user} tokens={tokens.data} />
        )}
        <NewToken user={user} onMade={setMade} />
      </Stack>
    </Dialog>
  );
}

function TokenTable({ user, tokens }: { readonly user: User; readonly tokens: readonly Token[] }) {
  return (
    <Table aria-label={`Tokens of ${user.name}`} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Token</Table.Th>
          <Table.Th visibleFrom="sm">Created</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th w={48}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} user={user} token={token} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function TokenRow({ user, token }: { readonly user: User; readonly token: Token }) {
  const queries = useQueryClient();
  const isMine = useSession().token.id === token.id;
  const isGiven = token.source === 'environment';
  const name = token.label === '' ? `${token.prefix}…` : `“${token.label}” (${token.prefix}…)`;
  const revoke = useMutation({
    mutationFn: () =>
      request('DELETE /users/:userId/tokens/:tokenId', {
        params: { userId: user.id, tokenId: token.id },
      }),
    onSuccess: () => {
      notifyDone('Token revoked.');
      void queries.invalidateQueries({ queryKey: ['users', user.id, 'tokens'] });
    },
    onError: notifyFailed,
  });
  const ask = (): void => {
    askToConfirm({
      title: 'Revoke this token?',
      text: `Whoever sends ${name} is refused from the next request on, and sessions that it signed in end. This cannot be undone; a new token can be made.${isMine ? ' You are signed in with this very token: you are signed out at once.' : ''}`,
      confirm: 'Revoke token',
      color: 'red',
      onConfirm: () => revoke.mutate(),
    });
  };
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={500} {...(token.label === '' && { c: 'dimmed' })}>
            {token.label === '' ? 'No label' : token.label}
          </Text>
          {isMine && <Badge variant="default">In use here</Badge>}
        </Group>
        <Text size="sm" c="dimmed" className="mono">
          {token.prefix}…
        </Text>
        {isGiven && (
          <Text size="xs" c="dimmed">
            LOADOUT_ADMIN_TOKEN of the server
          </Text>
        )}
        <Box hiddenFrom="sm">
          <Text size="xs" c="dimmed">
            Created <When at={token.createdAt} size="xs" span />
          </Text>
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={token.createdAt} size="sm" />
      </Table.Td>
      <Table.Td>
        <When at={token.lastUsedAt} size="sm" />
      </Table.Td>
      <Table.Td>
        {!isGiven && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Revoke token ${name}`}
            loading={revoke.isPending}
            onClick={ask}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface NewTokenProps {
  readonly user: User;
  readonly onMade: (token: string) => void;
}

function NewToken({ user, onMade }: NewTokenProps) {
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const create = useMutation({
    mutationFn: () =>
      request('POST /users/:userId/tokens', {
        params: { userId: user.id },
        body: { label: label.trim() },
      }),
    onSuccess: ({ token }) => {
      void queries.invalidateQueries({ queryKey: ['users', user.id, 'tokens'] });
      onMade(token);
    },
  });
  const rest = otherFault(create.error, ['label']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            data-autofocus
            label="Label of a new token"
            placeholder="Laptop, build server"
            maxLength={128}
            autoComplete="off"
            flex={1}
            miw={180}
            value={label}
            error={fieldFault(create.error, 'label')}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Make token
          </Button>
        </Group>
        {rest !== null && <ProblemAlert error={rest} />}
      </Stack>
    </form>
  );
}
