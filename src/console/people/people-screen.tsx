/** Who may do what on this server. Owners manage people and their tokens; others see their own account. */
import { Badge, Box, Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { IconKey, IconPlus, IconSearch, IconTrash, IconUserEdit } from '../icons/icons.js';
import { useCommands } from '../palette/use-commands.js';
import { ActionMenu } from '../parts/data/action-menu.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { TypeToConfirm } from '../parts/form/type-to-confirm.js';
import { notifyDone } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { ShownOnce } from '../parts/shown-once.js';
import { When } from '../parts/time/when.js';
import { useIsOwner, useSession } from '../session/session.js';
import { RoleBadge } from './role.js';
import { EditUserForm, NewUserForm } from './user-form.js';
import { UserTokens } from './user-tokens.js';
import { WhoAmI } from './who-am-i.js';

export function PeopleScreen() {
  return useIsOwner() ? <People /> : <WhoAmI />;
}

/** The dialog that is open, and whom it is about. */
type Opened =
  | { readonly dialog: 'new' }
  | { readonly dialog: 'made'; readonly name: string; readonly token: string }
  | { readonly dialog: 'edit' | 'tokens' | 'delete'; readonly user: User };

function People() {
  const users = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await request('GET /users', {})).users,
  });
  const [opened, setOpened] = useState<Opened | null>(null);
  const onClose = (): void => setOpened(null);
  useCommands([
    { name: 'New user…', keywords: ['create'], run: () => setOpened({ dialog: 'new' }) },
  ]);
  return (
    <Page
      title="People"
      description="Who can sign in, with which tokens, and what each person may do."
      actions={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpened({ dialog: 'new' })}
        >
          New user
        </Button>
      }
    >
      <Loaded query={users} label="Loading the people">
        {(known) => <UserTable users={known} onOpen={setOpened} />}
      </Loaded>
      {opened?.dialog === 'new' && (
        <NewUserForm
          onClose={onClose}
          onCreated={({ name, token }) => setOpened({ dialog: 'made', name, token })}
        />
      )}
      {opened?.dialog === 'made' && (
        <ShownOnce
          title={`${opened.name} can sign in`}
          label="Token"
          secret={opened.token}
          onClose={onClose}
        >
          <Text size="sm">
            Give it to {opened.name}: it signs in to this console, and is the{' '}
            <span className="mono">LOADOUT_TOKEN</span> of the command line.
          </Text>
        </ShownOnce>
      )}
      {opened?.dialog === 'edit' && <EditUserForm user={opened.user} onClose={onClose} />}
      {opened?.dialog === 'tokens' && <UserTokens user={opened.user} onClose={onClose} />}
      {opened?.dialog === 'delete' && <DeleteUser user={opened.user} onClose={onClose} />}
    </Page>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly onOpen: (opened: Opened) => void;
}

function UserTable({ users, onOpen }: UserTableProps) {
  const myId = useSession().id;
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = users.filter(({ name }) => name.toLowerCase().includes(wanted));
  const columns = useMemo(() => columnsOf(myId, onOpen), [myId, onOpen]);
  return (
    <>
      {users.length > 8 && (
        <TextInput
          label="Search"
          placeholder="Name"
          maw={320}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <DataTable
        aria-label="People"
        verticalSpacing="sm"
        columns={columns}
        rows={found}
        keyOf={({ id }) => id}
      />
      <Text size="sm" c="dimmed" role="status">
        {wanted !== '' && found.length === 0 && `No user is called “${search.trim()}”.`}
      </Text>
    </>
  );
}

function columnsOf(myId: string, onOpen: UserTableProps['onOpen']): Column<User>[] {
  return [
    {
      title: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ id, name, environments, origin }) => (
        <>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {id === myId && <Badge variant="default">You</Badge>}
            {origin === 'provider' && <Badge variant="default">Single sign-on</Badge>}
          </Group>
          <Box hiddenFrom="sm">
            <Text size="xs" c="dimmed">
              {environments === null ? 'all environments' : environments.join(', ') || 'none'}
            </Text>
          </Box>
        </>
      ),
    },
    { title: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => <RoleBadge role={role} /> },
    {
      title: 'Environments',
      visibleFrom: 'sm',
      cell: ({ environments }) =>
        environments === null ? 'all' : environments.join(', ') || 'none',
    },
    {
      title: 'Since',
      visibleFrom: 'md',
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <When at={createdAt} size="sm" />,
    },
    {
      title: 'Actions',
      ta: 'right',
      cell: (user) => <UserActions user={user} onOpen={onOpen} />,
    },
  ];
}

interface UserActionsProps {
  readonly user: User;
  readonly onOpen: UserTableProps['onOpen'];
}

function UserActions({ user, onOpen }: UserActionsProps) {
  const open = (dialog: 'edit' | 'tokens' | 'delete') => (): void => onOpen({ dialog, user });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        visibleFrom="xs"
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        aria-label={`Tokens of ${user.name}`}
        onClick={open('tokens')}
      >
        Tokens
      </Button>
      <ActionMenu
        label={`Actions for ${user.name}`}
        groups={[
          {
            actions: [
              { label: 'Tokens', icon: IconKey, hiddenFrom: 'xs', onClick: open('tokens') },
              ...(user.origin === 'provider'
                ? []
                : [{ label: 'Role and environments', icon: IconUserEdit, onClick: open('edit') }]),
              { label: 'Delete…', icon: IconTrash, color: 'red', onClick: open('delete') },
            ],
          },
        ]}
      />
    </Group>
  );
}

interface DeleteUserProps {
  readonly user: User;
  readonly onClose: () => void;
}

function DeleteUser({ user: { id, name, origin }, onClose }: DeleteUserProps) {
  const queries = useQueryClient();
  const isMe = useSession().id === id;
  const remove = useMutation({
    mutationFn: () => request('DELETE /users/:userId', { params: { userId: id } }),
    onSuccess: () => {
      onClose();
      notifyDone(`${name} is deleted.`);
      void queries.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <TypeToConfirm
      title={`Delete ${name}?`}
      name={name}
      confirm="Delete user"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isMe && (
        <Text size="sm" fw={600}>
          This is you: you are signed out at once.
        </Text>
      )}
      All tokens of {name} are rejected from the next request on. History and activity keep what{' '}
      {name} did, under this name. This cannot be undone.
      {origin === 'provider' &&
        ` Whoever is still in a group with a role can sign in again, as a new user: take ${name} out of the groups first.`}
    </TypeToConfirm>
  );
}
