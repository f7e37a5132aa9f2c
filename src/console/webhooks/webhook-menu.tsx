/** Actions on a webhook: edit, switch off and on, replace its secret, delete. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '../icons/icons.js';
import { ActionMenu } from '../parts/data/action-menu.js';
import { askToConfirm } from '../parts/form/ask-to-confirm.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { useRefreshWebhooks, useSwitchWebhook } from './use-webhooks.js';
import { WebhookSecret } from './verify-help.js';
import { WebhookForm } from './webhook-form.js';

export function WebhookMenu({ webhook }: { readonly webhook: Webhook }) {
  const { id, enabled, format } = webhook;
  const [isEditing, setIsEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [, go] = useLocation();
  const refresh = useRefreshWebhooks();
  const queries = useQueryClient();
  const turn = useSwitchWebhook(id);
  const replace = useMutation({
    mutationFn: () => request('POST /webhooks/:id/secret', { params: { id }, body: {} }),
    onSuccess: (replaced) => {
      refresh();
      setSecret(replaced.secret);
    },
    onError: notifyFailed,
  });
  const remove = useMutation({
    mutationFn: () => request('DELETE /webhooks/:id', { params: { id } }),
    onSuccess: () => {
      notifyDone('The webhook is deleted.');
      go('/webhooks');
      // Only the list is requested again: the queries of this webhook would find nothing.
      queries.setQueryData<readonly Webhook[]>(['webhooks'], (known) =>
        known?.filter((other) => other.id !== id),
      );
      void queries.invalidateQueries({ queryKey: ['webhooks'], exact: true });
    },
    onError: notifyFailed,
  });
  const askToSwitchOff = (): void =>
    askToConfirm({
      title: 'Switch the webhook off?',
      text: 'Nothing is sent until it is switched on again. Events that happen meanwhile are not sent later.',
      confirm: 'Switch off',
      onConfirm: () => turn.mutate(false),
    });
  const askToReplace = (): void =>
    askToConfirm({
      title: 'Replace the secret?',
      text: 'A new secret is made and shown once. For 24 hours, messages are signed with the present one as well. This cannot be undone.',
      confirm: 'Replace',
      onConfirm: replace.mutate,
    });
  const askToDelete = (): void =>
    askToConfirm({
      title: 'Delete the webhook?',
      text: 'Its log is deleted with it, and waiting messages are not sent. This cannot be undone. To pause the webhook, switch it off instead.',
      confirm: 'Delete',
      color: 'red',
      onConfirm: remove.mutate,
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
      <ActionMenu
        label="More actions"
        groups={[
          {
            actions: [
              enabled
                ? { label: 'Switch off', icon: IconPlayerPause, onClick: askToSwitchOff }
                : { label: 'Switch on', icon: IconPlayerPlay, onClick: () => turn.mutate(true) },
              ...(format === 'loadout'
                ? [{ label: 'Replace the secret', icon: IconKey, onClick: askToReplace }]
                : []),
            ],
          },
          { actions: [{ label: 'Delete', icon: IconTrash, color: 'red', onClick: askToDelete }] },
        ]}
      />
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
            For 24 hours, messages carry the signatures of both secrets, so that you can change the
            receiver without losing a message.
          </Text>
        </WebhookSecret>
      )}
    </>
  );
}
