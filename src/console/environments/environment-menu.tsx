/** What owners do with an environment as a whole: rename, protect, review, delete. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import {
  IconDatabase,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconShieldCheck,
  IconTrash,
  IconUserCheck,
} from '../icons/icons.js';
import { ConfirmAct } from '../parts/acts/confirm-act.js';
import { ActionMenu } from '../parts/data/action-menu.js';
import { askToConfirm } from '../parts/form/ask-to-confirm.js';
import { TypeToConfirm } from '../parts/form/type-to-confirm.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { ConfirmFindings } from './confirm-findings.js';
import { RenameEnvironment, type RenameEnvironmentProps } from './environment-form.js';
import { RequestData } from './request-data.js';
import { ReviewPolicy } from './review-policy.js';

type Asked = 'rename' | 'review' | 'confirm' | 'requests' | 'unprotect' | 'delete' | null;

export function EnvironmentMenu({ environment }: { readonly environment: Environment }) {
  const { id, name, protected: isProtected, review } = environment;
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
      text: 'From then on only owners can change its content, segments and keys. What takes something away from players, or changes many items at once, asks to type its name. Nothing changes for players. An owner can undo it.',
      confirm: 'Protect',
      onConfirm: () => protect.mutate(true, { onError: notifyFailed }),
    });
  };
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        groups={[
          {
            actions: [
              { label: 'Rename…', icon: IconPencil, onClick: () => setAsked('rename') },
              isProtected
                ? { label: 'Unprotect…', icon: IconLockOpen, onClick: () => setAsked('unprotect') }
                : { label: 'Protect…', icon: IconLock, onClick: askToProtect },
              { label: 'Review policy…', icon: IconUserCheck, onClick: () => setAsked('review') },
              {
                ...{ label: 'Confirmation…', icon: IconShieldCheck },
                onClick: () => setAsked('confirm'),
              },
              {
                ...{ label: 'Request data…', icon: IconDatabase },
                onClick: () => setAsked('requests'),
              },
            ],
          },
          {
            actions: [
              {
                label: isProtected ? 'Delete… (unprotect it first)' : 'Delete…',
                icon: IconTrash,
                color: 'red',
                isDisabled: isProtected,
                onClick: () => setAsked('delete'),
              },
            ],
          },
        ]}
      />
      {asked === 'rename' && (
        <RenameEnvironment environment={environment} onClose={() => setAsked(null)} />
      )}
      {asked === 'review' && (
        <ReviewPolicy environment={environment} onClose={() => setAsked(null)} />
      )}
      {asked === 'confirm' && (
        <ConfirmFindings environment={environment} onClose={() => setAsked(null)} />
      )}
      {asked === 'requests' && (
        <RequestData environment={environment} onClose={() => setAsked(null)} />
      )}
      {(asked === 'unprotect' || asked === 'delete') && review > 0 && (
        <WeakenWithRelease env={id} act={asked} onClose={() => setAsked(null)} />
      )}
      {asked === 'unprotect' && review === 0 && (
        <ConfirmAct
          {...{ env: id, act: 'environment.unprotect' }}
          title={`Unprotect ${name}?`}
          confirm="Remove the protection"
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
        </ConfirmAct>
      )}
      {asked === 'delete' && review === 0 && (
        <DeleteEnvironment environment={environment} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface WeakenWithReleaseProps {
  readonly env: string;
  readonly act: 'unprotect' | 'delete';
  readonly onClose: () => void;
}

/** In an environment that asks for approvals, these need them too. */
function WeakenWithRelease({ env, act, onClose }: WeakenWithReleaseProps) {
  const edit = act === 'delete' ? ({ delete: true } as const) : { protected: false };
  const what = act === 'delete' ? 'the deletion of the environment' : 'less protection';
  const changes = async () => [{ kind: 'environment', edit } as const];
  return <AddToRelease {...{ env, what, changes, onClose }} />;
}

function DeleteEnvironment({ environment: { id, name }, onClose }: RenameEnvironmentProps) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const remove = useMutation({
    mutationFn: () => request('DELETE /environments/:env', { params: { env: id } }),
    onSuccess: () => {
      onClose();
      go('/environments');
      notifyDone(`${name} deleted.`);
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
      This removes its content with all history, its segments, keys and sample users. Games that
      send one of its keys are rejected at once. It cannot be undone; an export (
      <span className="mono">loadout export --env {id}</span>) keeps a copy.
    </TypeToConfirm>
  );
}
