/** Chooses the clock of a player: what the game sends as `p.utcOffset`. */
import { Select } from '@mantine/core';
import { formatOffset } from '../../parts/time/wall-time.js';

export interface OffsetSelectProps {
  /** Minutes that it is ahead of UTC; null: not sent. */
  readonly value: number | null;
  readonly onChange: (minutes: number | null) => void;
}

/** In winter, one well-known place each. */
const places: readonly (readonly [minutes: number, place: string])[] = [
  [-720, 'the last place'],
  [-600, 'Honolulu'],
  [-480, 'Los Angeles'],
  [-360, 'Chicago'],
  [-300, 'New York'],
  [-180, 'São Paulo'],
  [0, 'London'],
  [60, 'Berlin'],
  [120, 'Cairo'],
  [180, 'Istanbul'],
  [330, 'Mumbai'],
  [480, 'Shanghai'],
  [540, 'Tokyo'],
  [660, 'Sydney'],
  [840, 'the first place'],
];

const notSent = '';

export function OffsetSelect({ value, onChange }: OffsetSelectProps) {
  const isListed = value === null || places.some(([minutes]) => minutes === value);
  const others = isListed ? [] : [{ value: String(value), label: formatOffset(value) }];
  return (
    <Select
      label="Player's clock"
      data={[
        { value: notSent, label: 'Not sent: UTC' },
        ...others,
        ...places.map(([minutes, place]) => ({
          value: String(minutes),
          label: `${formatOffset(minutes)}, ${place}`,
        })),
      ]}
      value={value === null ? notSent : String(value)}
      onChange={(minutes) =>
        onChange(minutes === null || minutes === notSent ? null : Number(minutes))
      }
      allowDeselect={false}
      searchable
      maw={240}
    />
  );
}
