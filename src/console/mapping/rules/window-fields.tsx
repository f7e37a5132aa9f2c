/** From when until when a rule is open, in the local time of whoever looks; kept as RFC 3339. */
import { Group, Input, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { NamedDatePicker } from '../../parts/named-date-picker.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';
import { fromLocal, instantMs, localZone, toLocal } from './time-window.js';
import { describeWindow, WindowBadge } from './window-badge.js';

export function WindowFields() {
  const { rule } = useRule();
  const labelId = useId();
  return (
    <Stack gap={6} role="group" aria-labelledby={labelId}>
      <Group gap="xs">
        <Input.Label component="div" id={labelId}>
          When
        </Input.Label>
        <WindowBadge from={rule.from} until={rule.until} />
        <Text size="xs" c="dimmed">
          {describeWindow(rule.from, rule.until, Date.now())}
        </Text>
      </Group>
      <Group gap="md" align="flex-start">
        <Bound name="from" label="From" placeholder="Since always" value={rule.from} />
        <Bound
          name="until"
          label="Until (not included)"
          placeholder="Without end"
          value={rule.until}
        />
      </Group>
    </Stack>
  );
}

interface BoundProps {
  readonly name: 'from' | 'until';
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | null;
}

function Bound({ name, label, placeholder, value }: BoundProps) {
  const { set, readOnly } = useRule();
  const error = useFieldError(name);
  if (value !== null && instantMs(value) === null) {
    return (
      <TextField
        label={label}
        description="RFC 3339, such as 2026-11-01T00:00:00Z; empty for no bound."
        value={value}
        onText={(text) => set(name, text === '' ? null : JSON.stringify(text))}
        error={error}
        readOnly={readOnly}
      />
    );
  }
  const local = toLocal(value);
  return (
    <NamedDatePicker
      label={label}
      description={`Your time, ${localZone()}${value === null ? '' : `; kept as ${value}`}`}
      placeholder={placeholder}
      value={local}
      valueFormat={local?.endsWith(':00') === false ? 'D MMM YYYY HH:mm:ss' : 'D MMM YYYY HH:mm'}
      withSeconds={local?.endsWith(':00') === false}
      onChange={(picked) => {
        const instant = picked === null ? null : fromLocal(picked);
        // The same moment keeps the spelling that it has.
        if (instantMs(instant) === instantMs(value)) return;
        set(name, instant === null ? null : JSON.stringify(instant));
      }}
      error={error}
      disabled={readOnly}
      maw={320}
      flex="1 1 240px"
    />
  );
}
