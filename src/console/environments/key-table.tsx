/** API keys as a table; what does not fit on a small screen stands below the label. */
import { Badge, Box, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { Key } from '../../contract/operations/keys.js';
import { request } from '../api/call.js';
import { IconBan, IconPencil } from '../icons/icons.js';
import { ConfirmAct } from '../parts/acts/confirm-act.js';
import { ActionMenu } from '../parts/data/action-menu.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { notifyDone } from '../parts/notify.js';
import { When } from '../parts/time/when.js';
import { keyState } from './key-state.js';

export interface KeyTableProps {
  readonly environment: Environment;
  readonly keys: readonly Key[];
  readonly mayEdit: boolean;
  readonly onEdit: (key: Key) => void;
}

const columns: readonly Column<Key>[] = [
  { title: 'Key', cell: (key) => <NameCell apiKey={key} /> },
  {
    title: 'Created',
    visibleFrom: 'md',
    cell: ({ createdAt }) => <When at={createdAt} size="sm" />,
  },
  {
    title: 'Last used',
    visibleFrom: 'sm',
    cell: ({ lastUsedAt }) => <When at={lastUsedAt} size="sm" />,
  },
  {
    title: 'Expires',
    visibleFrom: 'sm',
    cell: ({ expiresAt }) => <When at={expiresAt} size="sm" />,
  },
  { title: 'State', cell: (key) => <StateCell apiKey={key} /> },
];

export function KeyTable({ environment, keys, mayEdit, onEdit }: KeyTableProps) {
  const shown = useMemo((): readonly Column<Key>[] => {
    if (!mayEdit) return columns;
    const cell = (key: Key) =>
      key.revokedAt === null && <KeyMenu environment={environment} apiKey={key} onEdit={onEdit} />;
    return [...columns, { title: 'Actions', isTitleHidden: true, w: 48, cell }];
  }, [environment, mayEdit, onEdit]);
  return (
    <DataTable
      aria-label={`API keys of ${environment.name}`}
      columns={shown}
      rows={keys}
      keyOf={({ id }) => id}
    />
  );
}

function NameCell({ apiKey }: { readonly apiKey: Key }) {
  const isExpired = keyState(apiKey, Date.now()) === 'expired';
  return (
    <Box style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={500} {...(apiKey.label === '' && { c: 'dimmed' })}>
        {apiKey.label === '' ? 'No label' : apiKey.label}
      </Text>
      <Text size="sm" className="mono" c="dimmed">
        {apiKey.prefix}…
      </Text>
      {apiKey.purpose === 'events' && (
        <Badge variant="default" size="sm">
          Events only
        </Badge>
      )}
      <Box hiddenFrom="sm">
        <Text size="xs" c="dimmed" span>
          Last used: <When at={apiKey.lastUsedAt} size="xs" span />
        </Text>
        {apiKey.expiresAt !== null && (
          <Text size="xs" c="dimmed">
            {isExpired ? 'Expired: ' : 'Expires: '}
            <When at={apiKey.expiresAt} size="xs" span />
          </Text>
        )}
      </Box>
    </Box>
  );
}

const colourOf = { active: 'teal', expired: 'orange', revoked: 'gray' } as const;

function StateCell({ apiKey }: { readonly apiKey: Key }) {
  const state = keyState(apiKey, Date.now());
  return (
    <>
      <Badge variant="dot" color={colourOf[state]}>
        {state}
      </Badge>
      {apiKey.revokedAt !== null && (
        <When at={apiKey.revokedAt} size="xs" c="dimmed" mt={2} display="block" />
      )}
    </>
  );
}

interface KeyMenuProps extends Pick<KeyTableProps, 'environment' | 'onEdit'> {
  readonly apiKey: Key;
}

function KeyMenu({ environment, apiKey, onEdit }: KeyMenuProps) {
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
  return (
    <>
      <ActionMenu
        label={`Actions for key ${name}`}
        groups={[
          {
            actions: [
              { label: 'Label and expiry', icon: IconPencil, onClick: () => onEdit(apiKey) },
              {
                label: 'Revoke…',
                icon: IconBan,
                color: 'red',
                onClick: () => {
                  revoke.reset();
                  setIsAsked(true);
                },
              },
            ],
          },
        ]}
      />
      {isAsked && (
        <ConfirmAct
          {...{ env, act: 'key.revoke' }}
          title="Revoke this key?"
          color="red"
          confirm="Revoke key"
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={() => setIsAsked(false)}
        >
          Clients that send {name} are rejected from the next request on, in {environment.name}.
          This cannot be undone; a new key can be created.
        </ConfirmAct>
      )}
    </>
  );
}
