/** An input of a point in time, in the time zone of the browser. */
import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, type FocusEvent, useState } from 'react';
import { fromLocal, toLocal } from './local-time.js';

/** While a person types a year, the browser reports years such as 0002 and 0020. */
const [localMin, localMax] = ['1970-01-01T00:00', '9999-12-31T23:59:59'];

export interface InstantInputProps
  extends Pick<TextInputProps, 'error' | 'disabled' | 'maw' | 'flex'> {
  readonly label: string;
  readonly description?: string;
  /** RFC 3339; null: empty. */
  readonly value: string | null;
  /** Receives RFC 3339 in UTC, to the second; null: empty. */
  readonly onChange: (instant: string | null) => void;
  /** What empty means, such as "no end". Absent: a value is required. */
  readonly whenEmpty?: string;
}

export function InstantInput({
  label,
  description,
  value,
  onChange,
  whenEmpty,
  error,
  ...rest
}: InstantInputProps) {
  /** What the input reports while it has the focus: incomplete entries are no instants. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const local = typed ?? toLocal(value) ?? '';
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hint = `Your time, ${zone}${value === null ? '' : `; stored as ${value}`}`;
  const empty = value === null && whenEmpty !== undefined ? `; empty: ${whenEmpty}` : '';
  const change = ({ currentTarget: { value, validity } }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(value);
    setIsIncomplete(false);
    if (validity.badInput || validity.rangeUnderflow || validity.rangeOverflow) return;
    onChange(fromLocal(value));
  };
  const leave = ({ currentTarget: { validity } }: FocusEvent<HTMLInputElement>): void => {
    setTyped(null);
    // With a value, the input shows that again.
    setIsIncomplete(validity.badInput && value === null);
  };
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={[description, `${hint}${empty}.`].filter(Boolean).join(' ')}
      min={localMin}
      max={localMax}
      step={local.length > localMin.length ? 1 : 60}
      required={whenEmpty === undefined}
      value={local}
      error={isIncomplete ? 'Enter a complete date and time.' : error}
      onChange={change}
      onBlur={leave}
      rightSection={
        value !== null &&
        whenEmpty !== undefined &&
        rest.disabled !== true && (
          <CloseButton
            size="sm"
            aria-label={`Clear ${label}`}
            onClick={() => {
              setTyped(null);
              onChange(null);
            }}
          />
        )
      }
      {...rest}
    />
  );
}
