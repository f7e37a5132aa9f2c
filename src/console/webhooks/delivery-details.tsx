/** A message as it was sent, the response, and a way to send it again. */
import { Button, Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { IconRefresh } from '../icons/icons.js';
import { CopyButton } from '../parts/copy-button.js';
import { Facts } from '../parts/data/facts.js';
import { Loaded } from '../parts/data/loaded.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { exactTime } from '../parts/time/formats.js';
import classes from './delivery-details.module.css';
import { describeNextTry, describeOutcome, LocalHint } from './delivery-state.js';
import { useRefreshWebhooks } from './use-webhooks.js';

export interface DeliveryDetailsProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
}

export function DeliveryDetails({ webhook: { id, enabled }, delivery }: DeliveryDetailsProps) {
  const { eventId, attempts, createdAt, lastAttemptAt, lastError, lastDurationMs } = delivery;
  const params = { id, deliveryId: delivery.id };
  const refresh = useRefreshWebhooks();
  const body = useQuery({
    queryKey: ['webhooks', id, 'deliveries', delivery.id, 'body'],
    queryFn: async () =>
      (await request('GET /webhooks/:id/deliveries/:deliveryId', { params })).body,
    // A signed message does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const retry = useMutation({
    mutationFn: () => request('POST /webhooks/:id/deliveries/:deliveryId/retry', { params }),
    onSuccess: () => {
      refresh();
      notifyDone('The message is sent again.');
    },
    onError: notifyFailed,
  });
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          Response: (
            <>
              {describeOutcome(delivery)}
              {lastError !== '' && lastDurationMs !== null && ` It took ${lastDurationMs} ms.`}
              <LocalHint error={lastError} />
            </>
          ),
          Attempts: `${attempts}${lastAttemptAt === null ? '' : `, the last ${exactTime(lastAttemptAt)}`}`,
          'Next try': describeNextTry(delivery, enabled, exactTime),
          Happened: exactTime(createdAt),
          'webhook-id': <span className="mono">{eventId}</span>,
        }}
      />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Body, as it is signed and sent
        </Text>
        <Loaded query={body} label="Loading the body" rowHeight={60}>
          {(text) => (
            <ScrollArea.Autosize
              mah={260}
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Body of the message' }}
            >
              <Code block className={classes['body']}>
                {text}
              </Code>
            </ScrollArea.Autosize>
          )}
        </Loaded>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          disabled={!enabled}
          title={enabled ? undefined : 'Switch the webhook on first'}
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
