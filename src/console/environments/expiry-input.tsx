/** Chooses when a key expires. */
import { Select, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { InstantInput } from '../parts/time/instant-input.js';

const dayMs = 86_400_000;

const choices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
  { value: 'moment', label: 'At a date and time' },
];

export interface ExpiryInputProps {
  /** RFC 3339; null: never; undefined: to be chosen. */
  readonly value: string | null | undefined;
  readonly onChange: (expiresAt: string | null | undefined) => void;
  readonly error: ReactNode;
}

export function ExpiryInput({ value, onChange, error }: ExpiryInputProps) {
  const [chosen, setChosen] = useState(value === null ? 'never' : 'moment');
  const isMoment = chosen === 'moment';
  const choose = (choice: string | null): void => {
    if (choice === null) return;
    setChosen(choice);
    if (choice === 'never') onChange(null);
    else if (choice !== 'moment') onChange(inDays(Number(choice)));
    // From "In 30 days", the date begins there.
    else onChange(value ?? inDays(30));
  };
  return (
    <Stack gap="xs">
      <Select
        label="Expires"
        description="From then on the key is rejected."
        data={choices}
        value={chosen}
        allowDeselect={false}
        error={isMoment ? null : error}
        onChange={choose}
      />
      {isMoment && (
        <InstantInput
          label="Date and time"
          value={value ?? null}
          error={error}
          onChange={(instant) => onChange(instant ?? undefined)}
        />
      )}
    </Stack>
  );
}

/** To the minute, as an input of a date and time shows it. */
function inDays(days: number): string {
  const at = new Date(Date.now() + days * dayMs);
  at.setSeconds(0, 0);
  return at.toISOString();
}
