/** Chooses when a key expires. */
import { Select, Stack, TextInput } from '@mantine/core';
import { type ExpiryChoice, expiresAt, localMoment } from './expiry.js';

const choices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
  { value: 'moment', label: 'At a date and time' },
];

export interface ExpiryInputProps {
  readonly value: ExpiryChoice;
  readonly onChange: (choice: ExpiryChoice) => void;
  readonly error: string | null;
}

export function ExpiryInput({ value, onChange, error }: ExpiryInputProps) {
  const chosen = value.kind === 'days' ? String(value.days) : value.kind;
  const isMoment = value.kind === 'moment';
  return (
    <Stack gap="xs">
      <Select
        label="Expires"
        description="From then on the key is refused."
        data={choices}
        value={chosen}
        allowDeselect={false}
        error={isMoment ? null : error}
        onChange={(next) => {
          if (next === 'never') onChange({ kind: 'never' });
          else if (next === 'moment') onChange({ kind: 'moment', local: proposed(value) });
          else if (next !== null) onChange({ kind: 'days', days: Number(next) });
        }}
      />
      {isMoment && (
        <TextInput
          label="Date and time, in your time zone"
          type="datetime-local"
          required
          value={value.local}
          error={error}
          onChange={(event) => onChange({ kind: 'moment', local: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

/** Somebody who goes from "in 30 days" to a date begins there. */
function proposed(before: ExpiryChoice): string {
  const from: ExpiryChoice = before.kind === 'days' ? before : { kind: 'days', days: 30 };
  return localMoment(expiresAt(from, Date.now()) ?? new Date().toISOString());
}
