/** The conflicts of the calendar in words, each with the way to what conflicts. */
import { Anchor, Group, List, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Calendar, CalendarConflict } from '../../contract/operations/calendar.js';
import { pathOf } from '../parts/environments.js';
import { formatInstant } from '../parts/time/wall-time.js';

export interface ConflictListProps {
  readonly env: string;
  readonly calendar: Calendar;
  /** Shows an entry on the time line. */
  readonly onShow: (id: string) => void;
}

const listedMax = 50;

export function ConflictList({ env, calendar, onShow }: ConflictListProps) {
  const { conflicts, entries } = calendar;
  const nameOf = (id: string): string => {
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) return id;
    return entry.kind === 'window' ? entry.segment : `#${entry.release}`;
  };
  return (
    <section aria-labelledby="calendar-conflicts">
      <Title order={2} size="h5" id="calendar-conflicts" mb="xs">
        Conflicts {conflicts.length > 0 && `(${conflicts.length})`}
      </Title>
      {conflicts.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing touches the same values of the same players at the same time.
        </Text>
      ) : (
        <List size="sm" spacing="xs">
          {conflicts.slice(0, listedMax).map((conflict) => (
            <List.Item key={`${conflict.a} ${conflict.b} ${conflict.content}`}>
              <Anchor
                component={Link}
                href={pathOf.content(env, conflict.content, 'mapping')}
                size="sm"
              >
                {conflict.content}
              </Anchor>
              , {describeWhen(conflict)}: {conflict.reason}
              <Group gap="xs">
                {[conflict.a, conflict.b].map((id) => (
                  <Anchor
                    key={id}
                    component="button"
                    type="button"
                    size="sm"
                    onClick={() => onShow(id)}
                  >
                    Show {nameOf(id)}
                  </Anchor>
                ))}
              </Group>
            </List.Item>
          ))}
        </List>
      )}
      {conflicts.length > listedMax && (
        <Text size="sm">The first {listedMax} are listed. A shorter range shows the rest.</Text>
      )}
    </section>
  );
}

function describeWhen({ when: { from, until } }: CalendarConflict): string {
  const now = Date.now();
  const point = (time: string | null, absent: string): string =>
    time === null ? absent : formatInstant(Date.parse(time), now);
  return `${point(from, 'always')} – ${point(until, 'no end')}`;
}
