/** What can be done with a webhook: edit, switch off and on, replace its secret, delete. */
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { useRefreshWebhooks } from './use-webhooks.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookSecret } from './webhook-secret.js';

export function WebhookMenu({ webhook }: { readonly webhook: Webhook }) {
  const { id, enabled } = webhook;
  const [isEditing, setIsEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [, go] = useLocation();
  const refresh = useRefreshWebhooks();
  const queries = useQueryClient();
  const onError = notifyFailed;
  const turn = useMutation({
    mutationFn: () =>
      request('PATCH /webhooks/:id', { params: { id }, body: { enabled: !enabled } }),
    onSuccess: () => {
      refresh();
      notifyDone(enabled ? 'The webhook is off.' : 'The webhook is on. What waited is sent now.');
    },
    onError,
  });
  const replace = useMutation({
    mutationFn: () => request('POST /webhooks/:id/secret', { params: { id }, body: {} }),
    onSuccess: (replaced) => {
      refresh();
      setSecret(replaced.secret);
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: () => request('DELETE /webhooks/:id', { params: { id } }),
    onSuccess: () => {
      notifyDone('The webhook is deleted.');
      go('/webhooks');
      // Only the list: what was of this one must not be asked for again.
      queries.setQueryData<readonly Webhook[]>(['webhooks'], (known) =>
        known?.filter((other) => other.id !== id),
      );
      void queries.invalidateQueries({ queryKey: ['webhooks'], exact: true });
    },
    onError,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setIsEditing(true)}
      >
        Edit
      </Button>
      <Menu position="bottom-end" withArrow>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={
              enabled ? (
                <IconPlayerPause size={16} aria-hidden />
              ) : (
                <IconPlayerPlay size={16} aria-hidden />
              )
            }
            onClick={() => (enabled ? confirmOff(turn.mutate) : turn.mutate())}
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} aria-hidden />}
            onClick={() => confirmReplace(replace.mutate)}
          >
            Replace the secret
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => confirmDelete(remove.mutate)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && (
        <WebhookForm
          webhook={webhook}
          onClose={() => setIsEditing(false)}
          onSaved={() => {
            setIsEditing(false);
            notifyDone('Saved.');
          }}
        />
      )}
      {secret !== null && (
        <WebhookSecret title="The new secret" secret={secret} onClose={() => setSecret(null)}>
          <Text size="sm">
            For 24 hours messages carry the signatures of both secrets, so that the receiver can be
            changed without a gap.
          </Text>
        </WebhookSecret>
      )}
    </>
  );
}

function confirmOff(onConfirm: () => void): void {
  modals.openConfirmModal({
    title: 'Switch the webhook off?',
    children: (
      <Text size="sm">
        Nothing is sent to it until it is switched on again. What happens meanwhile is not told
        later.
      </Text>
    ),
    labels: { confirm: 'Switch off', cancel: 'Cancel' },
    onConfirm,
  });
}

function confirmReplace(onConfirm: () => void): void {
  modals.openConfirmModal({
    title: 'Replace the secret?',
    children: (
      <Text size="sm">
        A new secret is made and shown once. The present one signs as well for 24 hours, and then no
        more. This cannot be undone.
      </Text>
    ),
    labels: { confirm: 'Replace', cancel: 'Cancel' },
    onConfirm,
  });
}

function confirmDelete(onConfirm: () => void): void {
  modals.openConfirmModal({
    title: 'Delete the webhook?',
    children: (
      <Text size="sm">
        It goes with its log; what still waits is not sent. This cannot be undone. To stop it for a
        while, switch it off instead.
      </Text>
    ),
    labels: { confirm: 'Delete', cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
