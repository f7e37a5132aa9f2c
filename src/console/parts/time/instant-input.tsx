/** An input of a point in time, in the time zone of the browser. */

import { ClockInput, type ClockInputProps } from './clock-input.js';
import { browserZone } from './formats.js';
import { fromLocal, toLocal } from './local-time.js';

export interface InstantInputProps
  extends Pick<ClockInputProps, 'error' | 'disabled' | 'maw' | 'flex'> {
  readonly label: string;
  readonly description?: string;
  /** RFC 3339; null: empty. */
  readonly value: string | null;
  /** Receives RFC 3339 in UTC, to the second; null: empty. */
  readonly onChange: (instant: string | null) => void;
  /** What empty means, such as "no end". Absent: a value is required. */
  readonly whenEmpty?: string | undefined;
}

export function InstantInput(props: InstantInputProps) {
  const { description, value, onChange, whenEmpty, ...rest } = props;
  const zone = browserZone();
  const hint = `Your time, ${zone}${value === null ? '' : `; stored as ${value}`}`;
  const empty = value === null && whenEmpty !== undefined ? `; empty: ${whenEmpty}` : '';
  return (
    <ClockInput
      type="datetime-local"
      description={[description, `${hint}${empty}.`].filter(Boolean).join(' ')}
      value={toLocal(value)}
      onChange={(local) => onChange(local === null ? null : fromLocal(local))}
      required={whenEmpty === undefined}
      {...rest}
    />
  );
}
