/** What a webhook was sent and what waits: newest first, by state, each to be sent again. */
import {
  Button,
  Center,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconInbox, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { columnsOfDeliveries, DeliveryRow } from './delivery-row.js';
import { type DeliveryStatus, useDeliveries, useRefreshWebhooks } from './use-webhooks.js';

const states = [
  { value: 'all', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
] as const;

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [params, setParams] = useSearchParams();
  const status = statusOf(params.get('state'));
  const asked = useDeliveries(webhook.id, status);
  const [open, setOpen] = useState<string | null>(null);
  const deliveries = asked.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const choose = (chosen: string): void => {
    setParams(chosen === 'all' ? {} : { state: chosen }, { replace: true });
  };
  return (
    <section aria-label="Messages">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          Messages
        </Title>
        <Group gap="xs">
          <SegmentedControl
            aria-label="Messages by state"
            data={[...states]}
            value={status ?? 'all'}
            onChange={choose}
          />
          <RetryFailed webhook={webhook} />
        </Group>
      </Group>
      {asked.error !== null && deliveries.length === 0 ? (
        <ProblemAlert error={asked.error} onRetry={() => void asked.refetch()} />
      ) : asked.isPending ? (
        <Skeleton h={180} aria-label="Loading the messages" />
      ) : deliveries.length === 0 ? (
        <Nothing status={status} />
      ) : (
        <Paper withBorder>
          <Table verticalSpacing="xs" aria-label="Messages, newest first">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>State</Table.Th>
                <Table.Th>Event</Table.Th>
                <Table.Th visibleFrom="sm">Answer</Table.Th>
                <Table.Th visibleFrom="md" ta="right">
                  Attempts
                </Table.Th>
                <Table.Th visibleFrom="sm">When</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Details</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  webhook={webhook}
                  delivery={delivery}
                  isOpen={open === delivery.id}
                  onToggle={() => setOpen(open === delivery.id ? null : delivery.id)}
                />
              ))}
              {asked.hasNextPage && (
                <Table.Tr>
                  <Table.Td colSpan={columnsOfDeliveries}>
                    <Center>
                      <Button
                        variant="default"
                        size="xs"
                        loading={asked.isFetchingNextPage}
                        onClick={() => void asked.fetchNextPage()}
                      >
                        Show older
                      </Button>
                    </Center>
                  </Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        Kept for 30 days, the newest 10,000. Messages go one after the other, in order; one that
        failed four times lets the others pass.
      </Text>
    </section>
  );
}

function statusOf(text: string | null): DeliveryStatus | null {
  return text === 'delivered' || text === 'pending' || text === 'failed' ? text : null;
}

function Nothing({ status }: { readonly status: DeliveryStatus | null }) {
  if (status === null) {
    return (
      <EmptyState icon={<IconInbox />} title="Nothing was sent yet">
        Send a test message, or publish something.
      </EmptyState>
    );
  }
  const words = { delivered: 'was delivered yet', pending: 'waits', failed: 'failed' }[status];
  return <EmptyState icon={<IconInbox />} title={`Nothing ${words}`} />;
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
  const ask = (): void => {
    modals.openConfirmModal({
      title: 'Send all failed messages again?',
      children: (
        <Text size="sm">
          Oldest first, as if they were new: for a receiver that is back after a long time. It knows
          messages that it had before by their webhook-id.
        </Text>
      ),
      labels: { confirm: 'Send again', cancel: 'Cancel' },
      onConfirm: retry.mutate,
    });
  };
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
