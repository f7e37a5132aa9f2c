/** From when until when a rule is open: edited in local time, stored as RFC 3339. */
import { Group, Input, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { InstantInput } from '../../parts/time/instant-input.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';
import { instantMs } from './time-window.js';
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
        <Bound name="from" label="From" whenEmpty="no start" value={rule.from} />
        <Bound name="until" label="Until" whenEmpty="no end" value={rule.until} />
      </Group>
    </Stack>
  );
}

interface BoundProps {
  readonly name: 'from' | 'until';
  readonly label: string;
  readonly whenEmpty: string;
  readonly value: string | null;
}

function Bound({ name, label, whenEmpty, value }: BoundProps) {
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
  return (
    <InstantInput
      label={label}
      whenEmpty={whenEmpty}
      value={value}
      onChange={(instant) => {
        // The same moment keeps its spelling.
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
