/** A native input of a date and time, or of a time of day. Incomplete entries are kept while a person types. */
import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { type ChangeEvent, type FocusEvent, useState } from 'react';

/** While a person types a year, the browser reports years such as 0002 and 0020. */
const [localMin, localMax] = ['1970-01-01T00:00', '9999-12-31T23:59:59'];

export interface ClockInputProps
  extends Pick<TextInputProps, 'error' | 'disabled' | 'maw' | 'w' | 'flex' | 'description'> {
  readonly type: 'datetime-local' | 'time';
  readonly label: string;
  /** As the browser writes it, such as `2026-11-01T09:30` or `09:30`; null: empty. */
  readonly value: string | null;
  /** Receives complete entries only. */
  readonly onChange: (value: string | null) => void;
  readonly required?: boolean;
}

export function ClockInput({
  type,
  label,
  value,
  onChange,
  required,
  error,
  ...rest
}: ClockInputProps) {
  /** What the input reports while it has the focus. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const shown = typed ?? value ?? '';
  const hasSeconds = shown.length > (type === 'time' ? 'HH:MM' : localMin).length;
  const change = ({ currentTarget: { value, validity } }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(value);
    setIsIncomplete(false);
    if (validity.badInput || validity.rangeUnderflow || validity.rangeOverflow) return;
    if (value !== '' || required !== true) onChange(value === '' ? null : value);
  };
  const leave = ({ currentTarget: { validity } }: FocusEvent<HTMLInputElement>): void => {
    setTyped(null);
    // With a value, the input shows that again.
    setIsIncomplete(validity.badInput && value === null);
  };
  return (
    <TextInput
      type={type}
      label={label}
      {...(type === 'datetime-local' && { min: localMin, max: localMax })}
      step={hasSeconds ? 1 : 60}
      required={required}
      value={shown}
      error={isIncomplete ? incomplete[type] : error}
      onChange={change}
      onBlur={leave}
      rightSection={
        value !== null &&
        required !== true &&
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

const incomplete = {
  'datetime-local': 'Enter a complete date and time.',
  time: 'Enter a complete time.',
} as const;
