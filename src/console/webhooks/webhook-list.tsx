/** All webhooks as a table: where they lead, of what they tell, whether that arrives. */
import { Anchor, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { When } from '../parts/when.js';
import { useLastDelivery } from './use-webhooks.js';
import { environmentsWords, eventsWords } from './webhook-events.js';
import { DeliveryState, outcomeWords, WebhookState } from './webhook-state.js';

export function WebhookList({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" aria-label="Webhooks">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Webhook</Table.Th>
            <Table.Th visibleFrom="md">Told of</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th visibleFrom="sm">Last message</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Row({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, events, environments, enabled, disabledReason, failingSince } =
    webhook;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component={Link}
          href={`/webhooks/${encodeURIComponent(id)}`}
          fw={600}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {description === '' ? url : description}
        </Anchor>
        {description !== '' && (
          <Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        )}
        <Group hiddenFrom="sm" mt={6}>
          <LastMessage id={id} />
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md" maw={320}>
        <Text size="sm">{eventsWords(events)}</Text>
        <Text size="xs" c="dimmed">
          in {environmentsWords(environments)}
        </Text>
      </Table.Td>
      <Table.Td maw={200}>
        <WebhookState webhook={webhook} />
        {!enabled && (
          <Text size="xs" c="dimmed" mt={2}>
            {disabledReason}
          </Text>
        )}
        {enabled && failingSince !== null && (
          <Group gap={4} mt={2}>
            <Text size="xs" c="dimmed">
              since
            </Text>
            <When at={failingSince} size="xs" c="dimmed" />
          </Group>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastMessage id={id} />
      </Table.Td>
    </Table.Tr>
  );
}

function LastMessage({ id }: { readonly id: string }) {
  const { data } = useLastDelivery(id);
  if (data === undefined) return <Text size="sm">…</Text>;
  if (data === null) {
    return (
      <Text size="sm" c="dimmed">
        nothing sent yet
      </Text>
    );
  }
  return (
    <div>
      <Group gap="xs">
        <DeliveryState status={data.status} />
        <When at={data.lastAttemptAt ?? data.createdAt} size="sm" c="dimmed" />
      </Group>
      <Text size="xs" c="dimmed" mt={2} lineClamp={2}>
        {data.event}: {outcomeWords(data)}
      </Text>
    </div>
  );
}
