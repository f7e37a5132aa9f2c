/** The calendar of an environment: windows of rules and releases in time, where they conflict, and what players will get then. */
import { ActionIcon, Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useParams } from 'wouter';
import type { Calendar, CalendarWindow } from '../../contract/operations/calendar.js';
import { IconCalendarTime, IconChevronLeft, IconChevronRight } from '../icons/icons.js';
import { Loaded } from '../parts/data/loaded.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { useCalendar } from './calendar-query.js';
import { rowsOf, type WindowLine } from './calendar-rows.js';
import { ConflictList } from './conflict-list.js';
import { Legend } from './legend.js';
import { MomentForm } from './moment-form.js';
import { MoveDialog } from './move-dialog.js';
import { describeRange, type Scale, scaleFrom, shifted, type Zoom, zooms } from './time-scale.js';
import { Timeline } from './timeline.js';
import { WindowDialog } from './window-dialog.js';

interface Move {
  readonly entry: CalendarWindow;
  readonly deltaMs: number;
}

export function CalendarScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const [scale, setScale] = useState<Scale>(() => scaleFrom('month', Date.now()));
  const [shown, setShown] = useState<WindowLine | null>(null);
  const [move, setMove] = useState<Move | null>(null);
  const query = useCalendar(env, scale);
  const ask = (entry: CalendarWindow, deltaMs: number): void => {
    setShown(null);
    setMove({ entry, deltaMs });
  };
  return (
    <Page
      title="Calendar"
      description="When targeting rules open and close, and when releases go live."
    >
      <Toolbar scale={scale} onScale={setScale} />
      <Loaded query={query} label="Loading the calendar" rows={3} rowHeight={72}>
        {(calendar) => (
          <Board env={env} calendar={calendar} scale={scale} onOpen={setShown} onMove={ask} />
        )}
      </Loaded>
      {shown !== null && (
        <WindowDialog env={env} line={shown} onMove={ask} onClose={() => setShown(null)} />
      )}
      {move !== null && <MoveDialog env={env} {...move} onClose={() => setMove(null)} />}
    </Page>
  );
}

interface ToolbarProps {
  readonly scale: Scale;
  readonly onScale: (scale: Scale) => void;
}

const zoomLabels: Readonly<Record<Zoom, string>> = {
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
};

function Toolbar({ scale, onScale }: ToolbarProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Earlier"
          onClick={() => onScale(shifted(scale, -1))}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <Button
          variant="default"
          size="sm"
          onClick={() => onScale(scaleFrom(scale.zoom, Date.now()))}
        >
          Today
        </Button>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Later"
          onClick={() => onScale(shifted(scale, 1))}
        >
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
        <Text fw={600} role="status">
          {describeRange(scale)}
        </Text>
      </Group>
      <SegmentedControl
        aria-label="Zoom"
        value={scale.zoom}
        onChange={(zoom) => onScale(scaleFrom(zoom as Zoom, scale.fromMs))}
        data={zooms.map((zoom) => ({ value: zoom, label: zoomLabels[zoom] }))}
      />
    </Group>
  );
}

interface BoardProps {
  readonly env: string;
  readonly calendar: Calendar;
  readonly scale: Scale;
  readonly onOpen: (line: WindowLine) => void;
  readonly onMove: (entry: CalendarWindow, deltaMs: number) => void;
}

function Board({ env, calendar, scale, onOpen, onMove }: BoardProps) {
  const rows = useMemo(() => rowsOf(calendar), [calendar]);
  const contents = rows.flatMap(({ content }) => content ?? []);
  const [focused, setFocused] = useState<string | null>(null);
  const { entries, occurrences, conflicts } = calendar.truncated;
  return (
    <Stack>
      {(entries || occurrences || conflicts) && (
        <Alert color="yellow" variant="light" role="status" p="xs">
          There is more than one response holds. A shorter range shows the rest.
        </Alert>
      )}
      {rows.length === 0 ? (
        <EmptyState icon={<IconCalendarTime aria-hidden />} title="Nothing is due in this range">
          Rules with a time window and scheduled releases appear here. A rule gets its window under
          Targeting of a content item.
        </EmptyState>
      ) : (
        <>
          <Timeline
            {...{ env, rows, scale, focused, onOpen, onMove }}
            onFocused={() => setFocused(null)}
          />
          <Legend />
          <ConflictList env={env} calendar={calendar} onShow={(id) => setFocused(id)} />
        </>
      )}
      <MomentForm env={env} contents={contents} />
    </Stack>
  );
}
