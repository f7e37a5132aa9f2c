/** A message as it was sent, what was answered, and the way to send it again. */
import { Button, Code, Group, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { CopyButton } from '../parts/copy-button.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime } from '../parts/when.js';
import classes from './delivery-details.module.css';
import { LocalHint } from './local-hint.js';
import { useRefreshWebhooks } from './use-webhooks.js';
import { nextTryWords, outcomeWords } from './webhook-state.js';

export interface DeliveryDetailsProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
}

export function DeliveryDetails({ webhook, delivery }: DeliveryDetailsProps) {
  const { id } = webhook;
  const { eventId, attempts, createdAt, lastAttemptAt, lastError } = delivery;
  const refresh = useRefreshWebhooks();
  const body = useQuery({
    queryKey: ['webhooks', id, 'deliveries', delivery.id, 'body'],
    queryFn: async () =>
      (
        await request('GET /webhooks/:id/deliveries/:deliveryId', {
          params: { id, deliveryId: delivery.id },
        })
      ).body,
    // What was signed does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const retry = useMutation({
    mutationFn: () =>
      request('POST /webhooks/:id/deliveries/:deliveryId/retry', {
        params: { id, deliveryId: delivery.id },
      }),
    onSuccess: () => {
      refresh();
      notifyDone('It is sent again.');
    },
    onError: notifyFailed,
  });
  return (
    <Stack gap="sm">
      <dl className={classes['facts']}>
        <dt>Answer</dt>
        <dd>
          {outcomeWords(delivery)}
          {lastError !== '' &&
            delivery.lastDurationMs !== null &&
            ` It took ${delivery.lastDurationMs} ms.`}
          <LocalHint words={lastError} />
        </dd>
        <dt>Attempts</dt>
        <dd>
          {attempts}
          {lastAttemptAt !== null && `, the last ${exactTime(lastAttemptAt)}`}
        </dd>
        <dt>Next try</dt>
        <dd>{nextTryWords(delivery, webhook.enabled, exactTime)}</dd>
        <dt>Happened</dt>
        <dd>{exactTime(createdAt)}</dd>
        <dt>webhook-id</dt>
        <dd className="mono">{eventId}</dd>
      </dl>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Body, as it is signed and sent
        </Text>
        {body.error !== null ? (
          <ProblemAlert error={body.error} onRetry={() => void body.refetch()} />
        ) : body.data === undefined ? (
          <Skeleton h={60} />
        ) : (
          <ScrollArea.Autosize
            mah={260}
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Body of the message' }}
          >
            <Code block className={classes['body']}>
              {body.data}
            </Code>
          </ScrollArea.Autosize>
        )}
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          disabled={!webhook.enabled}
          title={webhook.enabled ? undefined : 'Switch the webhook on first'}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Send again
        </Button>
        {body.data !== undefined && <CopyButton value={body.data} label="Copy the body" />}
      </Group>
    </Stack>
  );
}
