/** The events under the days on which they happened, and the way to older ones. */
import { Button, Center, Table, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { Fragment, useCallback, useEffect, useState } from 'react';
import type { AuditEvent } from '../../contract/operations/audit.js';
import classes from './activity.module.css';
import type { KnownPlaces } from './event-place.js';
import { columnsOfActivity, EventRow } from './event-row.js';

export interface ActivityTableProps {
  readonly events: readonly AuditEvent[];
  readonly fresh: ReadonlySet<string>;
  readonly places: KnownPlaces;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly onOlder: () => void;
}

/** Beyond this many rows, older ones come only when they are asked for. */
const rowsByItself = 600;

export function ActivityTable(props: ActivityTableProps) {
  const { events, fresh, places, hasOlder, isLoadingOlder, onOlder } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setOpen((known) => {
      const next = new Set(known);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const isNear = entry?.isIntersecting === true;
  const goesOn = hasOlder && !isLoadingOlder && events.length < rowsByItself;
  useEffect(() => {
    if (isNear && goesOn) onOlder();
  }, [isNear, goesOn, onOlder]);

  return (
    <>
      <Table verticalSpacing="xs" aria-label="Activity, newest first" layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="sm" aria-hidden />
            <Table.Th>What happened</Table.Th>
            <Table.Th visibleFrom="sm">Environment</Table.Th>
            <Table.Th visibleFrom="md">From</Table.Th>
            <Table.Th ta="right">When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {byDay(events).map(({ day, events: ofDay }) => (
            <Fragment key={day}>
              <Table.Tr className={classes['day']}>
                <Table.Th colSpan={columnsOfActivity} scope="colgroup" py={6}>
                  {day}
                </Table.Th>
              </Table.Tr>
              {ofDay.map((event) => (
                <EventRow
                  key={event.id}
                  event={event}
                  places={places}
                  isOpen={open.has(event.id)}
                  isFresh={fresh.has(event.id)}
                  onToggle={toggle}
                />
              ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
      <Center ref={ref} py="sm">
        {hasOlder ? (
          <Button variant="default" loading={isLoadingOlder} onClick={onOlder}>
            Show older
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            This is where it begins.
          </Text>
        )}
      </Center>
    </>
  );
}

const dayWords = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

interface Day {
  readonly day: string;
  readonly events: AuditEvent[];
}

function byDay(events: readonly AuditEvent[]): Day[] {
  const today = dayWords.format(new Date());
  const days: Day[] = [];
  for (const event of events) {
    const date = dayWords.format(new Date(event.at));
    const day = date === today ? `Today, ${date}` : date;
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
