/** A person in the table, and what can be done about them. */
import { ActionIcon, Badge, Box, Button, Group, Menu, Table, Text } from '@mantine/core';
import { IconDots, IconKey, IconTrash, IconUserEdit } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../contract/schemas/user.js';
import { request } from '../api/call.js';
import { notifyDone } from '../parts/notify.js';
import { TypeToConfirm } from '../parts/type-to-confirm.js';
import { When } from '../parts/when.js';
import { useSession } from '../session/session.js';
import { RoleBadge } from './role-badge.js';

export interface UserRowProps {
  readonly user: User;
  readonly onEdit: (user: User) => void;
  readonly onTokens: (user: User) => void;
}

export function UserRow({ user, onEdit, onTokens }: UserRowProps) {
  const { id, name, role, environments, createdAt } = user;
  const isMe = useSession().id === id;
  const [isDeleting, setIsDeleting] = useState(false);
  const where = environments === null ? 'all' : environments.join(', ') || 'none';
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {isMe && <Badge variant="default">You</Badge>}
        </Group>
        <Box hiddenFrom="sm">
          <Text size="xs" c="dimmed">
            {environments === null ? 'all environments' : where}
          </Text>
        </Box>
      </Table.Td>
      <Table.Td>
        <RoleBadge role={role} />
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{where}</Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <When at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            visibleFrom="xs"
            variant="default"
            leftSection={<IconKey size={16} aria-hidden />}
            aria-label={`Tokens of ${name}`}
            onClick={() => onTokens(user)}
          >
            Tokens
          </Button>
          <Menu position="bottom-end" withArrow returnFocus>
            <Menu.Target>
              <ActionIcon variant="default" size={36} aria-label={`Actions for ${name}`}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                hiddenFrom="xs"
                leftSection={<IconKey size={16} aria-hidden />}
                onClick={() => onTokens(user)}
              >
                Tokens
              </Menu.Item>
              <Menu.Item
                leftSection={<IconUserEdit size={16} aria-hidden />}
                onClick={() => onEdit(user)}
              >
                Role and environments
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setIsDeleting(true)}
              >
                Delete…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
        {isDeleting && <DeleteUser user={user} isMe={isMe} onClose={() => setIsDeleting(false)} />}
      </Table.Td>
    </Table.Tr>
  );
}

interface DeleteUserProps {
  readonly user: User;
  readonly isMe: boolean;
  readonly onClose: () => void;
}

function DeleteUser({ user, isMe, onClose }: DeleteUserProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => request('DELETE /users/:userId', { params: { userId: user.id } }),
    onSuccess: () => {
      onClose();
      notifyDone(`${user.name} is deleted.`);
      void queries.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <TypeToConfirm
      title={`Delete ${user.name}?`}
      name={user.name}
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
      All tokens of {user.name} are refused from the next request on. What {user.name} did stays in
      the history and in the activity, under this name. It cannot be undone.
    </TypeToConfirm>
  );
}
