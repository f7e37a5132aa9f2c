/** One message as a row, and what is behind it as a second one once it is asked for. */
import { ActionIcon, Box, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook } from '../../contract/operations/webhooks.js';
import { timeAgo, When } from '../parts/when.js';
import { DeliveryDetails } from './delivery-details.js';
import { DeliveryState, nextTryWords, outcomeWords } from './webhook-state.js';

export interface DeliveryRowProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export const columnsOfDeliveries = 6;

export function DeliveryRow({ webhook, delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { id, event, status, attempts, createdAt } = delivery;
  const next =
    status === 'pending'
      ? nextTryWords(delivery, webhook.enabled, (at) => timeAgo(at, Date.now()))
      : null;
  const detailsId = `details-${id}`;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <DeliveryState status={status} />
        </Table.Td>
        <Table.Td>
          <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
            {event}
          </Text>
          <Box hiddenFrom="sm">
            <Outcome delivery={delivery} next={next} />
            <When at={createdAt} size="xs" c="dimmed" />
          </Box>
        </Table.Td>
        <Table.Td visibleFrom="sm">
          <Outcome delivery={delivery} next={next} />
        </Table.Td>
        <Table.Td visibleFrom="md" ta="right">
          {attempts}
        </Table.Td>
        <Table.Td visibleFrom="sm">
          <When at={createdAt} size="sm" c="dimmed" />
        </Table.Td>
        <Table.Td ta="right" w={50}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Details of ${event}, ${status === 'pending' ? 'waiting' : status}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={onToggle}
          >
            {isOpen ? (
              <IconChevronDown size={18} aria-hidden />
            ) : (
              <IconChevronRight size={18} aria-hidden />
            )}
          </ActionIcon>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr bg="var(--mantine-color-default-hover)">
          <Table.Td colSpan={columnsOfDeliveries}>
            <Box id={detailsId} p="xs" w={0} miw="100%">
              <DeliveryDetails webhook={webhook} delivery={delivery} />
            </Box>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

interface OutcomeProps {
  readonly delivery: WebhookDelivery;
  readonly next: string | null;
}

function Outcome({ delivery, next }: OutcomeProps) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {outcomeWords(delivery)}
      </Text>
      {next !== null && (
        <Text size="xs" c="dimmed">
          next try {next}
        </Text>
      )}
    </>
  );
}
