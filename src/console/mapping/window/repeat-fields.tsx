/** How a rule repeats: days, times and weeks, with what that means in a sentence and the next occurrences. */
import { Box, Chip, Group, Input, List, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { repeatPlusDaysMax, repeatWeeksMax } from '../../../content/mapping/mapping-limits.js';
import { occurrences, weekdays } from '../../../content/mapping/window.js';
import { ClockInput } from '../../parts/time/clock-input.js';
import { formatOffset } from '../../parts/time/wall-time.js';
import { describeIssue, issuesElsewhere } from '../mapping-issues.js';
import { setRuleMember } from '../rules/rule-edits.js';
import { useFieldError, useRule } from '../rules/rule-handle.js';
import { dayAfter, dayNames, describeRepeat } from './describe-repeat.js';
import { readWindowSource } from './read-window.js';
import { changeRepeat, plusDaysMin, type RepeatFields } from './repeat-source.js';
import { type Clock, startOfToday, zoneOf } from './window-clock.js';
import { formatSpan, latestMs } from './window-state.js';

export interface RepeatFieldsetProps {
  readonly fields: RepeatFields;
  readonly clock: Clock;
}

export function RepeatFieldset({ fields, clock }: RepeatFieldsetProps) {
  const { rule, edit, readOnly } = useRule();
  const change = (changed: Partial<RepeatFields>): void =>
    edit((mapping, index) => {
      const next = changeRepeat(mapping, index, fields, changed);
      // Weeks are counted from the week of the beginning.
      if ((changed.everyWeeks ?? 1) === 1 || rule.from !== null) return next;
      return setRuleMember(next, index, 'from', JSON.stringify(startOfToday(clock, Date.now())));
    });
  const field = { disabled: readOnly, w: 150 };
  return (
    <Stack gap="xs" pl="md">
      <Days fields={fields} onChange={(days) => change({ days })} />
      <Group gap="sm" align="flex-start">
        <ClockInput
          {...field}
          type="time"
          label="Opens at"
          value={fields.from}
          onChange={(from) => change({ from: from ?? '' })}
          required
          error={useFieldError('repeat.from')}
        />
        <ClockInput
          {...field}
          type="time"
          label="Closes at"
          value={fields.until}
          onChange={(until) => change({ until: until ?? '' })}
          required
          error={useFieldError('repeat.until')}
        />
        <Select
          {...field}
          w={230}
          label="Closes on"
          data={endDays(fields)}
          value={String(fields.plusDays)}
          allowDeselect={false}
          onChange={(days) => change({ plusDays: Number(days) })}
          error={useFieldError('repeat.plusDays')}
        />
        <NumberInput
          {...field}
          label="Every … weeks"
          value={fields.everyWeeks}
          min={1}
          max={repeatWeeksMax}
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(weeks) => {
            if (typeof weeks === 'number') change({ everyWeeks: weeks });
          }}
          error={useFieldError('repeat.everyWeeks')}
        />
      </Group>
      <RepeatIssues shownBy={shown} />
      <Meaning fields={fields} clock={clock} />
    </Stack>
  );
}

interface DaysProps {
  readonly fields: RepeatFields;
  readonly onChange: (days: RepeatFields['days']) => void;
}

function Days({ fields, onChange }: DaysProps) {
  const { readOnly } = useRule();
  const labelId = useId();
  const error = useFieldError('repeat.days');
  return (
    <Box role="group" aria-labelledby={labelId}>
      <Input.Label component="div" id={labelId}>
        Opens on
      </Input.Label>
      <Chip.Group
        multiple
        value={[...fields.days]}
        onChange={(chosen) => onChange(weekdays.filter((day) => chosen.includes(day)))}
      >
        <Group gap={6}>
          {weekdays.map((day) => (
            <Chip key={day} value={day} size="sm" disabled={readOnly}>
              {dayNames[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error !== null && <Input.Error mt={4}>{error}</Input.Error>}
    </Box>
  );
}

/** The days on which an occurrence can end. */
function endDays({ days, from, until }: RepeatFields): { value: string; label: string }[] {
  const least = plusDaysMin(from, until);
  const [only] = days;
  return Array.from({ length: repeatPlusDaysMax + 1 - least }, (_, at) => {
    const plusDays = at + least;
    const name =
      only === undefined || days.length > 1 ? '' : `${dayNames[dayAfter(only, plusDays)]}, `;
    return {
      value: String(plusDays),
      label: name + (dayWords[plusDays] ?? `${plusDays} days later`),
    };
  });
}

const dayWords = ['the same day', 'the next day'];

const shown = ['days', 'from', 'until', 'plusDays', 'everyWeeks'].map((name) => `repeat.${name}`);

/** Of the repeat itself, and of its members that no field shows. */
export function RepeatIssues({ shownBy }: { readonly shownBy: readonly string[] }) {
  const { errors } = useRule();
  const others = issuesElsewhere(errors, shownBy).filter(
    ({ path }) => path === 'repeat' || path.startsWith('repeat.'),
  );
  if (others.length === 0) return null;
  return (
    <div role="status">
      {others.map((issue) => (
        <Input.Error key={`${issue.path} ${issue.message}`}>{describeIssue(issue)}</Input.Error>
      ))}
    </div>
  );
}

const occurrencesShown = 3;

function Meaning({ fields, clock }: RepeatFieldsetProps) {
  const { rule } = useRule();
  const window = readWindowSource(rule);
  if (window === null) return null;
  const now = Date.now();
  const next = occurrences(
    window,
    0,
    now - latestMs(window),
    Number.POSITIVE_INFINITY,
    occurrencesShown,
  );
  const words = clock === 'local' ? "player's local time" : formatOffset(zoneOf(rule) ?? 0);
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {describeRepeat(fields, words)}
      </Text>
      <Text size="sm">{next.length === 0 ? 'It does not open again.' : 'Next:'}</Text>
      <List size="sm">
        {next.map((span) => (
          <List.Item key={span.startMs}>{formatSpan(window, span, now)}</List.Item>
        ))}
      </List>
    </div>
  );
}
