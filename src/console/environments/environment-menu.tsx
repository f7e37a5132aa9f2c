/** What owners do with an environment as a whole: rename, protect, delete. */
import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDots, IconLock, IconLockOpen, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { askToConfirm } from '../parts/ask-to-confirm.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { TypeToConfirm } from '../parts/type-to-confirm.js';
import { RenameEnvironment } from './rename-environment.js';

type Asked = 'rename' | 'unprotect' | 'delete' | null;

export function EnvironmentMenu({ environment }: { readonly environment: Environment }) {
  const { id, name, protected: isProtected } = environment;
  const [asked, setAsked] = useState<Asked>(null);
  const queries = useQueryClient();
  const protect = useMutation({
    mutationFn: (wanted: boolean) =>
      request('PATCH /environments/:env', { params: { env: id }, body: { protected: wanted } }),
    onSuccess: ({ protected: now }) => {
      void queries.invalidateQueries({ queryKey: ['environments'] });
      notifyDone(now ? `${name} is protected.` : `${name} is no longer protected.`);
      setAsked(null);
    },
  });
  const askToProtect = (): void => {
    askToConfirm({
      title: `Protect ${name}?`,
      text: 'From then on only owners can change its contents, segments and keys, and what takes something away from players, or changes many contents at once, asks to type its name. Nothing changes for players. An owner can undo it.',
      confirm: 'Protect',
      onConfirm: () => protect.mutate(true, { onError: notifyFailed }),
    });
  };
  return (
    <>
      <Menu position="bottom-end" withArrow returnFocus>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`Actions for ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setAsked('rename')}
          >
            Rename…
          </Menu.Item>
          {isProtected ? (
            <Menu.Item
              leftSection={<IconLockOpen size={16} aria-hidden />}
              onClick={() => setAsked('unprotect')}
            >
              Unprotect…
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={askToProtect}>
              Protect…
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            disabled={isProtected}
            onClick={() => setAsked('delete')}
          >
            Delete…
            {isProtected && <Text size="xs">Unprotect it first.</Text>}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'rename' && (
        <RenameEnvironment environment={environment} onClose={() => setAsked(null)} />
      )}
      {asked === 'unprotect' && (
        <TypeToConfirm
          title={`Unprotect ${name}?`}
          name={id}
          confirm="Unprotect"
          color="orange"
          isPending={protect.isPending}
          error={protect.error}
          onConfirm={() => protect.mutate(false)}
          onClose={() => {
            protect.reset();
            setAsked(null);
          }}
        >
          Every editor can then change what players get from it, and it can be deleted. You can
          protect it again.
        </TypeToConfirm>
      )}
      {asked === 'delete' && (
        <DeleteEnvironment environment={environment} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function DeleteEnvironment({
  environment: { id, name },
  onClose,
}: {
  readonly environment: Environment;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const remove = useMutation({
    mutationFn: () => request('DELETE /environments/:env', { params: { env: id } }),
    onSuccess: () => {
      onClose();
      go('/environments');
      notifyDone(`${name} is deleted.`);
      queries.removeQueries({ queryKey: ['environments', id], type: 'inactive' });
      void queries.invalidateQueries({ queryKey: ['environments'], exact: true });
    },
  });
  return (
    <TypeToConfirm
      title={`Delete ${name}?`}
      name={id}
      confirm="Delete environment"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      All of its contents with their history, its segments, its keys and its sample users are
      removed, and games that send one of its keys are refused at once. This cannot be undone; an
      export (<span className="mono">loadout export --env {id}</span>) keeps a copy.
    </TypeToConfirm>
  );
}
