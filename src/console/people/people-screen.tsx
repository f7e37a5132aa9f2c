/** Who may do what on this server. Owners manage people and their tokens; others see who they are. */
import { Button, Skeleton, Table, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { ShownOnce } from '../parts/shown-once.js';
import { useIsOwner } from '../session/session.js';
import { EditUserForm, NewUserForm } from './user-form.js';
import { UserRow } from './user-row.js';
import { UserTokens } from './user-tokens.js';
import { WhoAmI } from './who-am-i.js';

// A page of a table that a browser draws without a wait; the rest is found by searching.
const rowsMax = 200;

export function PeopleScreen() {
  return useIsOwner() ? <People /> : <WhoAmI />;
}

function People() {
  const users = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await request('GET /users', {})).users,
  });
  const [isNew, setIsNew] = useState(false);
  const [made, setMade] = useState<{ readonly name: string; readonly token: string } | null>(null);
  const [edited, setEdited] = useState<User | null>(null);
  const [holder, setHolder] = useState<User | null>(null);
  return (
    <Page
      title="People"
      description="Who signs in here, each with tokens of their own, and what they may do."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsNew(true)}>
          New user
        </Button>
      }
    >
      {users.error !== null && users.data === undefined && (
        <ProblemAlert error={users.error} onRetry={() => void users.refetch()} />
      )}
      {users.data === undefined && users.error === null && (
        <Skeleton h={160} role="status" aria-label="Loading the people" />
      )}
      {users.data !== undefined && (
        <UserTable users={users.data} onEdit={setEdited} onTokens={setHolder} />
      )}
      {isNew && (
        <NewUserForm
          onClose={() => setIsNew(false)}
          onCreated={(user) => {
            setIsNew(false);
            setMade(user);
          }}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={`${made.name} can sign in`}
          label="Token"
          secret={made.token}
          onClose={() => setMade(null)}
        >
          <Text size="sm">
            Hand it to {made.name}: it signs in to this console, and is the{' '}
            <span className="mono">LOADOUT_TOKEN</span> of the command line.
          </Text>
        </ShownOnce>
      )}
      {edited !== null && <EditUserForm user={edited} onClose={() => setEdited(null)} />}
      {holder !== null && <UserTokens user={holder} onClose={() => setHolder(null)} />}
    </Page>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly onEdit: (user: User) => void;
  readonly onTokens: (user: User) => void;
}

function UserTable({ users, onEdit, onTokens }: UserTableProps) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = users.filter(({ name }) => name.toLowerCase().includes(wanted));
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
      <Table aria-label="People" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th visibleFrom="sm">Environments</Table.Th>
            <Table.Th visibleFrom="md">Since</Table.Th>
            <Table.Th ta="right">Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.slice(0, rowsMax).map((user) => (
            <UserRow key={user.id} user={user} onEdit={onEdit} onTokens={onTokens} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" role="status">
        {wanted !== '' && found.length === 0 && `Nobody here is called “${search.trim()}”.`}
        {found.length > rowsMax &&
          `The first ${rowsMax} of ${found.length} are shown; search for the others.`}
      </Text>
    </>
  );
}
