/** The events by day; older ones load as the end comes into view. */
import { Anchor, Badge, Center, Group, Text, ThemeIcon } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
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
} from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { AuditEvent } from '../../contract/operations/audit.js';
import { type Column, DataTable, type Details } from '../parts/data/data-table.js';
import { exactTime } from '../parts/time/when.js';
import { describeEvent, type EventSentence, sentenceOf } from './describe-event.js';
import { EventDetails } from './event-details.js';
import { type KnownPlaces, nameOf, placeOf } from './event-place.js';
import type { Activity } from './use-activity.js';

export interface ActivityTableProps {
  readonly activity: Activity;
  readonly places: KnownPlaces;
}

/** Beyond this many rows, older ones load only on request. */
const rowsByItself = 600;

export function ActivityTable({ activity, places }: ActivityTableProps) {
  const { events, fresh, hasNextPage, isFetchingNextPage, fetchNextPage } = activity;
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const loadsMore = hasNextPage && !isFetchingNextPage && events.length < rowsByItself;
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && loadsMore) void fetchNextPage();
  }, [isNear, loadsMore, fetchNextPage]);
  const columns = useMemo(() => columnsOf(places), [places]);
  const details = useMemo(
    (): Details<AuditEvent> => ({
      label: (event) => `Details: ${sentenceOf(event.userName, describe(event, places))}`,
      show: (event) => <EventDetails event={event} />,
    }),
    [places],
  );
  const today = formatDay.format(new Date());
  return (
    <>
      <DataTable
        aria-label="Activity, newest first"
        columns={columns}
        rows={events}
        rowsAtOnce={Number.POSITIVE_INFINITY}
        keyOf={({ id }) => id}
        sectionOf={({ at }) => {
          const day = formatDay.format(new Date(at));
          return day === today ? `Today, ${day}` : day;
        }}
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

const formatDay = new Intl.DateTimeFormat('en', { dateStyle: 'full' });
const formatClock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

function describe(event: AuditEvent, places: KnownPlaces): EventSentence {
  const sentence = describeEvent(event);
  return { ...sentence, thing: nameOf(event, sentence.thing, places) };
}

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
        <Text component="time" dateTime={at} title={exactTime(at)} size="sm" c="dimmed">
          {formatClock.format(new Date(at))}
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
