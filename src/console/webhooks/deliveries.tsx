/** The messages of a webhook: newest first, by state, each with its details and a way to send it again. */
import { Box, Button, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { IconInbox, IconRefresh } from '../icons/icons.js';
import { type Column, DataTable, type Details } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { askToConfirm } from '../parts/form/ask-to-confirm.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { When } from '../parts/time/when.js';
import { DeliveryDetails } from './delivery-details.js';
import { DeliveryState, describeNextTry, describeOutcome } from './delivery-state.js';
import { type DeliveryStatus, useDeliveries, useRefreshWebhooks } from './use-webhooks.js';

const states: readonly { value: DeliveryStatus | 'all'; label: string; none: string }[] = [
  { value: 'all', label: 'All', none: 'No messages yet' },
  { value: 'delivered', label: 'Delivered', none: 'Nothing was delivered yet' },
  { value: 'pending', label: 'Waiting', none: 'Nothing waits' },
  { value: 'failed', label: 'Failed', none: 'Nothing failed' },
];

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [params, setParams] = useSearchParams();
  const chosen = states.find(({ value }) => value === params.get('state'));
  const state = chosen?.value ?? 'all';
  const status = state === 'all' ? null : state;
  const deliveries = useDeliveries(webhook.id, status);
  const columns = useMemo(() => columnsOf(webhook.enabled), [webhook.enabled]);
  const details = useMemo(() => detailsOf(webhook), [webhook]);
  return (
    <section aria-label="Messages">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          Messages
        </Title>
        <Group gap="xs">
          <SegmentedControl
            aria-label="Messages by state"
            data={states.map(({ value, label }) => ({ value, label }))}
            value={state}
            onChange={(next) => setParams(next === 'all' ? {} : { state: next }, { replace: true })}
          />
          <RetryFailed webhook={webhook} />
        </Group>
      </Group>
      <Loaded query={deliveries} label="Loading the messages" rowHeight={180}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries);
          if (rows.length === 0) {
            return (
              <EmptyState icon={<IconInbox />} title={(chosen ?? states[0])?.none ?? ''}>
                {status === null ? 'Send a test message, or publish something.' : undefined}
              </EmptyState>
            );
          }
          return (
            <Paper withBorder>
              <DataTable
                aria-label="Messages, newest first"
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                details={details}
                older={deliveries}
              />
            </Paper>
          );
        }}
      </Loaded>
      <Text size="xs" c="dimmed" mt="xs">
        The newest 10,000 messages are kept for 30 days. Messages are sent one after the other, in
        order. A message that failed four times no longer holds up the others.
      </Text>
    </section>
  );
}

function columnsOf(isOn: boolean): Column<WebhookDelivery>[] {
  return [
    { title: 'State', cell: ({ status }) => <DeliveryState status={status} /> },
    {
      title: 'Event',
      cell: (delivery) => (
        <>
          <Text size="sm" className="mono">
            {delivery.event}
          </Text>
          <Box hiddenFrom="sm">
            <Outcome delivery={delivery} isOn={isOn} />
            <When at={delivery.createdAt} size="xs" c="dimmed" />
          </Box>
        </>
      ),
    },
    {
      title: 'Response',
      visibleFrom: 'sm',
      cell: (delivery) => <Outcome delivery={delivery} isOn={isOn} />,
    },
    { title: 'Attempts', visibleFrom: 'md', ta: 'right', cell: ({ attempts }) => attempts },
    {
      title: 'When',
      visibleFrom: 'sm',
      cell: ({ createdAt }) => <When at={createdAt} size="sm" c="dimmed" />,
    },
  ];
}

function detailsOf(webhook: Webhook): Details<WebhookDelivery> {
  return {
    label: ({ event, status }) =>
      `Details of ${event}, ${status === 'pending' ? 'waiting' : status}`,
    show: (delivery) => <DeliveryDetails webhook={webhook} delivery={delivery} />,
  };
}

interface OutcomeProps {
  readonly delivery: WebhookDelivery;
  readonly isOn: boolean;
}

function Outcome({ delivery, isOn }: OutcomeProps) {
  return (
    <>
      <Text size="sm">{describeOutcome(delivery)}</Text>
      {delivery.status === 'pending' && (
        <Text size="xs" c="dimmed">
          next try {describeNextTry(delivery, isOn, (at) => timeAgo(at, Date.now()))}
        </Text>
      )}
    </>
  );
}

function RetryFailed({ webhook: { id, enabled } }: { readonly webhook: Webhook }) {
  const refresh = useRefreshWebhooks();
  const retry = useMutation({
    mutationFn: () => request('POST /webhooks/:id/deliveries/retry', { params: { id } }),
    onSuccess: ({ deliveries }) => {
      refresh();
      notifyDone(
        deliveries === 0
          ? 'No message has failed: there is nothing to send again.'
          : `${deliveries} ${deliveries === 1 ? 'message is' : 'messages are'} sent again.`,
      );
    },
    onError: notifyFailed,
  });
  const ask = (): void =>
    askToConfirm({
      title: 'Send all failed messages again?',
      text: 'For a receiver that was away for a long time. Messages are sent oldest first, with the webhook-id that they had, so the receiver can recognise what it has already processed.',
      confirm: 'Send again',
      onConfirm: retry.mutate,
    });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      disabled={!enabled}
      title={enabled ? undefined : 'Switch the webhook on first'}
      loading={retry.isPending}
      onClick={ask}
    >
      Retry all failed
    </Button>
  );
}
