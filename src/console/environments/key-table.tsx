/** API keys as a table; what does not fit on a small screen stands below the label. */
import { ActionIcon, Badge, Box, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconBan, IconDots, IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { Key } from '../../contract/operations/keys.js';
import { request } from '../api/call.js';
import { notifyDone } from '../parts/notify.js';
import { TypeToConfirm } from '../parts/type-to-confirm.js';
import { When } from '../parts/when.js';
import { type KeyState, keyState } from './key-state.js';

export interface KeyTableProps {
  readonly environment: Environment;
  readonly keys: readonly Key[];
  readonly mayEdit: boolean;
  readonly onEdit: (key: Key) => void;
}

export function KeyTable({ environment, keys, mayEdit, onEdit }: KeyTableProps) {
  return (
    <Table aria-label={`API keys of ${environment.name}`} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Key</Table.Th>
          <Table.Th visibleFrom="md">Created</Table.Th>
          <Table.Th visibleFrom="sm">Last used</Table.Th>
          <Table.Th visibleFrom="sm">Expires</Table.Th>
          <Table.Th>State</Table.Th>
          {mayEdit && (
            <Table.Th w={48}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            environment={environment}
            apiKey={key}
            mayEdit={mayEdit}
            onEdit={onEdit}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface KeyRowProps {
  readonly environment: Environment;
  readonly apiKey: Key;
  readonly mayEdit: boolean;
  readonly onEdit: (key: Key) => void;
}

function KeyRow({ environment, apiKey, mayEdit, onEdit }: KeyRowProps) {
  const state = keyState(apiKey, Date.now());
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500} {...(apiKey.label === '' && { c: 'dimmed' })}>
          {apiKey.label === '' ? 'No label' : apiKey.label}
        </Text>
        <Text size="sm" className="mono" c="dimmed">
          {apiKey.prefix}…
        </Text>
        <Box hiddenFrom="sm">
          <Text size="xs" c="dimmed" span>
            Last used: <When at={apiKey.lastUsedAt} size="xs" span />
          </Text>
          {apiKey.expiresAt !== null && (
            <Text size="xs" c="dimmed">
              {state === 'expired' ? 'Expired: ' : 'Expires: '}
              <When at={apiKey.expiresAt} size="xs" span />
            </Text>
          )}
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <When at={apiKey.createdAt} size="sm" />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={apiKey.lastUsedAt} size="sm" />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={apiKey.expiresAt} size="sm" />
      </Table.Td>
      <Table.Td>
        <StateBadge state={state} />
        {apiKey.revokedAt !== null && (
          <When at={apiKey.revokedAt} size="xs" c="dimmed" mt={2} display="block" />
        )}
      </Table.Td>
      {mayEdit && (
        <Table.Td>
          {state !== 'revoked' && (
            <KeyMenu environment={environment} apiKey={apiKey} onEdit={onEdit} />
          )}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

const colourOf = { active: 'teal', expired: 'orange', revoked: 'gray' } as const;

function StateBadge({ state }: { readonly state: KeyState }) {
  return (
    <Badge variant="dot" color={colourOf[state]}>
      {state}
    </Badge>
  );
}

function KeyMenu({ environment, apiKey, onEdit }: Omit<KeyRowProps, 'mayEdit'>) {
  const queries = useQueryClient();
  const env = environment.id;
  const revoke = useMutation({
    mutationFn: () =>
      request('DELETE /environments/:env/keys/:keyId', { params: { env, keyId: apiKey.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env, 'keys'] });
      notifyDone('Key revoked.');
    },
  });
  const [isAsked, setIsAsked] = useState(false);
  const name = apiKey.label === '' ? `${apiKey.prefix}…` : `“${apiKey.label}” (${apiKey.prefix}…)`;
  const ask = (): void => {
    revoke.reset();
    setIsAsked(true);
  };
  return (
    <>
      <Menu position="bottom-end" withArrow returnFocus>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Actions for key ${name}`}
            loading={revoke.isPending}
          >
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => onEdit(apiKey)}
          >
            Label and expiry
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={ask}>
            Revoke…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsked && (
        <TypeToConfirm
          title="Revoke this key?"
          name={environment.protected ? env : null}
          confirm="Revoke key"
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={() => setIsAsked(false)}
        >
          Clients that send {name} are refused from the next request on, in {environment.name}. This
          cannot be undone; a new key can be created.
        </TypeToConfirm>
      )}
    </>
  );
}
