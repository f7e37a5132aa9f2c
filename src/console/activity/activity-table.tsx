/** The events by day; older ones load as the end comes into view. */
import { Anchor, Badge, Center, Group, Text, ThemeIcon } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { AuditEvent } from '../../contract/operations/audit.js';
import {
  IconArrowsExchange,
  IconDatabase,
  IconFileCode,
  IconKey,
  IconLogin2,
  IconStack2,
  IconUser,
  IconUsersGroup,
  IconWebhook,
} from '../icons/icons.js';
import { type Column, DataTable, type Details } from '../parts/data/data-table.js';
import { exactTime, formatClock, formatFullDay, zoneAbbreviation } from '../parts/time/formats.js';
import { ChangedItems } from './changed-items.js';
import { describeEvent, type EventSentence, sentenceOf } from './describe-event.js';
import { EventDetails } from './event-details.js';
import { type KnownPlaces, nameOf, placeOf } from './event-place.js';
import type { Activity } from './use-activity.js';

export interface ActivityTableProps {
  readonly activity: Activity;
  readonly places: KnownPlaces;
  /** Network addresses are for owners. */
  readonly hasAddresses: boolean;
}

/** Beyond this many rows, older ones load only on request. */
const rowsByItself = 600;

export function ActivityTable({ activity, places, hasAddresses }: ActivityTableProps) {
  const { events, fresh, hasNextPage, isFetchingNextPage, fetchNextPage } = activity;
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const loadsMore = hasNextPage && !isFetchingNextPage && events.length < rowsByItself;
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && loadsMore) void fetchNextPage();
  }, [isNear, loadsMore, fetchNextPage]);
  const columns = useMemo(
    () => columnsOf(places).filter(({ title }) => hasAddresses || title !== 'From'),
    [places, hasAddresses],
  );
  const details = useMemo(
    (): Details<AuditEvent> => ({
      label: (event) => `Details: ${sentenceOf(event.userName, describe(event, places))}`,
      show: (event) => <EventDetails event={event} />,
    }),
    [places],
  );
  return (
    <>
      <DataTable
        aria-label="Activity, newest first"
        columns={columns}
        rows={events}
        rowsAtOnce={Number.POSITIVE_INFINITY}
        keyOf={({ id }) => id}
        sectionOf={({ at }) => headingOf(new Date(at))}
        isNew={({ id }) => fresh.has(id)}
        details={details}
        older={activity}
      />
      <Center ref={ref} py="sm">
        {!hasNextPage && (
          <Text size="sm" c="dimmed">
            The beginning of the activity.
          </Text>
        )}
      </Center>
    </>
  );
}

/** All times below are in one zone, which stands in the heading. */
function headingOf(at: Date): string {
  const day = formatFullDay(at);
  const prefix = day === formatFullDay(new Date()) ? 'Today, ' : '';
  return `${prefix}${day} (${zoneAbbreviation(at)})`;
}

function describe(event: AuditEvent, places: KnownPlaces): EventSentence {
  const sentence = describeEvent(event);
  return { ...sentence, thing: nameOf(event, sentence.thing, places) };
}

const oneLine = { style: { whiteSpace: 'nowrap' } } as const;

function columnsOf(places: KnownPlaces): Column<AuditEvent>[] {
  return [
    {
      title: 'Kind',
      isTitleHidden: true,
      visibleFrom: 'sm',
      w: 46,
      cell: (event) => <EventIcon action={event.action} {...describeEvent(event)} />,
    },
    { title: 'What happened', cell: (event) => <Sentence event={event} places={places} /> },
    {
      title: 'Environment',
      visibleFrom: 'sm',
      cell: ({ environment }) => <EnvironmentBadge environment={environment} />,
    },
    {
      title: 'From',
      visibleFrom: 'md',
      cell: ({ address }) => (
        <Text size="sm" c="dimmed">
          {address === '' ? 'the server itself' : address}
        </Text>
      ),
    },
    {
      title: 'When',
      ta: 'right',
      cell: ({ at }) => (
        <Text
          component="time"
          dateTime={at}
          title={exactTime(at)}
          size="sm"
          c="dimmed"
          {...oneLine}
        >
          {formatClock(new Date(at))}
        </Text>
      ),
    },
  ];
}

function Sentence({ event, places }: { readonly event: AuditEvent; readonly places: KnownPlaces }) {
  const { verb, thing, rest, more } = describe(event, places);
  const place = placeOf(event, places);
  return (
    <>
      <Text size="sm">
        <b>{event.userName}</b> {verb}{' '}
        {place === null || thing === '' ? (
          <b>{thing}</b>
        ) : (
          <Anchor component={Link} href={place} fw={600} underline="always">
            {thing}
          </Anchor>
        )}{' '}
        {rest}
      </Text>
      <ChangedItems event={event} isLinked={places.environments.has(event.environment)} />
      {more !== '' && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {more}
        </Text>
      )}
      <Group gap={6} hiddenFrom="sm" mt={4}>
        <EnvironmentBadge environment={event.environment} />
        <Text size="xs" c="dimmed">
          {event.address}
        </Text>
      </Group>
    </>
  );
}

function EnvironmentBadge({ environment }: Pick<AuditEvent, 'environment'>) {
  if (environment === '') return null;
  return (
    <Badge variant="default" fw={500}>
      {environment}
    </Badge>
  );
}

const icons: Readonly<Record<string, typeof IconKey>> = {
  content: IconFileCode,
  segment: IconUsersGroup,
  'sample-user': IconUser,
  key: IconKey,
  environment: IconStack2,
  user: IconUser,
  token: IconKey,
  session: IconLogin2,
  webhook: IconWebhook,
};

function EventIcon({ action, isHarsh }: { readonly action: string; readonly isHarsh: boolean }) {
  const isMove = action === 'environment.sync' || action === 'environment.import';
  const Icon = isMove ? IconArrowsExchange : (icons[action.split('.')[0] ?? ''] ?? IconDatabase);
  return (
    <ThemeIcon variant="light" size={30} radius="xl" color={isHarsh ? 'red' : 'ink'} aria-hidden>
      <Icon size={17} />
    </ThemeIcon>
  );
}
