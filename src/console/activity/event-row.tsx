/** One event of the activity as a row, and what is behind it as a second one once it is asked for. */
import { ActionIcon, Anchor, Badge, Box, Group, Table, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'wouter';
import type { AuditEvent } from '../../contract/operations/audit.js';
import { exactTime } from '../parts/when.js';
import classes from './activity.module.css';
import { EventDetails } from './event-details.js';
import { EventIcon } from './event-icon.js';
import { type KnownPlaces, nameOf, placeOf } from './event-place.js';
import { sentenceOf, tell } from './event-words.js';

export interface EventRowProps {
  readonly event: AuditEvent;
  readonly places: KnownPlaces;
  readonly isOpen: boolean;
  /** It came while one looked. */
  readonly isFresh: boolean;
  readonly onToggle: (id: string) => void;
}

export const columnsOfActivity = 5;

export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, places, isOpen, isFresh, onToggle } = props;
  const { id, at, userName, action, environment, address } = event;
  const plain = tell(event);
  const told = { ...plain, thing: nameOf(event, plain.thing, places) };
  const place = placeOf(event, places);
  const detailsId = `details-${id}`;
  return (
    <>
      <Table.Tr className={classes['row']} data-fresh={isFresh} data-open={isOpen}>
        <Table.Td w={46} pe={0} visibleFrom="sm">
          <EventIcon action={action} isHarsh={told.isHarsh} />
        </Table.Td>
        <Table.Td>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{userName}</b> {told.verb}{' '}
            {told.thing !== '' &&
              (place === null ? (
                <b>{told.thing}</b>
              ) : (
                <Anchor component={Link} href={place} fw={600} underline="always">
                  {told.thing}
                </Anchor>
              ))}{' '}
            {told.rest}
          </Text>
          {told.more !== '' && (
            <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {told.more}
            </Text>
          )}
          <Group gap={6} hiddenFrom="sm" mt={4}>
            <Where environment={environment} />
            <Text size="xs" c="dimmed">
              {address}
            </Text>
          </Group>
        </Table.Td>
        <Table.Td visibleFrom="sm">
          <Where environment={environment} />
        </Table.Td>
        <Table.Td visibleFrom="md">
          <Text size="sm" c="dimmed">
            {address === '' ? 'the server itself' : address}
          </Text>
        </Table.Td>
        <Table.Td w={{ base: 96, sm: 130 }}>
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Text
              component="time"
              dateTime={at}
              title={exactTime(at)}
              size="sm"
              c="dimmed"
              style={{ fontVariantNumeric: 'tabular-nums' }}
            >
              {clock.format(new Date(at))}
            </Text>
            <ActionIcon
              variant="subtle"
              size="lg"
              color="gray"
              aria-label={`Details: ${sentenceOf(userName, told)}`}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onClick={() => onToggle(id)}
            >
              <IconChevronRight size={18} aria-hidden className={classes['chevron']} />
            </ActionIcon>
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr className={classes['details']}>
          <Table.Td colSpan={columnsOfActivity}>
            <Box id={detailsId} p="xs" className={classes['inside']}>
              <EventDetails event={event} />
            </Box>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
});

function Where({ environment }: { readonly environment: string }) {
  if (environment === '') return null;
  return (
    <Badge variant="default" fw={500}>
      {environment}
    </Badge>
  );
}

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
