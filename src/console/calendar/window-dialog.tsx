/** A window of the calendar in detail: when it is open, what it conflicts with, and what can be done from here. */
import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { CalendarWindow } from '../../contract/operations/calendar.js';
import { Dialog } from '../parts/dialog.js';
import { pathOf } from '../parts/environments.js';
import { msPerDay } from '../parts/time/wall-time.js';
import type { WindowLine } from './calendar-rows.js';
import {
  describeConflicts,
  describeRepeats,
  describeShift,
  describeState,
  describeTimes,
} from './describe-entry.js';
import { previewPath } from './preview-path.js';

export interface WindowDialogProps {
  readonly env: string;
  readonly line: WindowLine;
  readonly onMove: (entry: CalendarWindow, deltaMs: number) => void;
  readonly onClose: () => void;
}

const occurrencesShown = 5;
const shifts = [-7 * msPerDay, -msPerDay, msPerDay, 7 * msPerDay];

export function WindowDialog({ env, line, onMove, onClose }: WindowDialogProps) {
  const { entry, bars, conflicts } = line;
  const now = Date.now();
  const repeats = describeRepeats(entry);
  const next = bars.find(({ endMs }) => endMs > now) ?? bars[0];
  const previewMs = next !== undefined && Number.isFinite(next.startMs) ? next.startMs : now;
  return (
    <Dialog title={`${entry.segment} in ${entry.content}`} onClose={onClose} size="lg">
      <Stack>
        <Text size="sm">
          {repeats === null
            ? describeTimes(entry, entry.local, now)
            : `${repeats} Within: ${describeTimes(entry, entry.local, now)}.`}{' '}
          It is {describeState(entry)}.
        </Text>
        {repeats !== null && (
          <List size="sm">
            {bars.slice(0, occurrencesShown).map(({ key, occurrence }) => (
              <List.Item key={key}>{describeTimes(occurrence, entry.local, now)}</List.Item>
            ))}
          </List>
        )}
        {conflicts.length > 0 && (
          <Alert color="red" variant="light" title="Conflicts">
            {describeConflicts(conflicts)}
          </Alert>
        )}
        <Group gap="xs">
          {shifts.map((deltaMs) => (
            <Button
              key={deltaMs}
              size="compact-sm"
              variant="default"
              onClick={() => onMove(entry, deltaMs)}
            >
              {describeShift(deltaMs)}
            </Button>
          ))}
        </Group>
        <Group gap="md">
          <Anchor
            component={Link}
            size="sm"
            href={`${pathOf.content(env, entry.content, 'mapping')}?rule=${entry.rule}`}
          >
            Open the rule
          </Anchor>
          <Anchor
            component={Link}
            size="sm"
            href={previewPath(env, { content: entry.content, atMs: previewMs, utcOffset: null })}
          >
            Preview as it opens
          </Anchor>
        </Group>
      </Stack>
    </Dialog>
  );
}
