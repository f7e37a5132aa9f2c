/** An input of one value that completes frequent values of requests, where there are any. */
import { Autocomplete, TextInput } from '@mantine/core';
import { type FrequentValue, renderValue } from './value-options.js';

export interface SuggestedInputProps {
  readonly name: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly disabled: boolean;
  /** Completions, of `frequent`. */
  readonly offered: readonly string[];
  readonly frequent: readonly FrequentValue[];
  readonly placeholder?: string | undefined;
  readonly mono?: boolean | undefined;
  /** A number. */
  readonly isDecimal?: boolean;
  readonly error?: string | undefined;
}

export function SuggestedInput(props: SuggestedInputProps) {
  const { name, value, onText, disabled, offered, frequent } = props;
  const { placeholder = '', mono = false, isDecimal = false, error } = props;
  const shared = {
    ...{ 'aria-label': name, value, placeholder, error, readOnly: disabled },
    classNames: mono ? { input: 'mono' } : {},
    ...(isDecimal && { inputMode: 'decimal' as const }),
  };
  if (offered.length === 0) {
    return <TextInput {...shared} onChange={(event) => onText(event.currentTarget.value)} />;
  }
  return (
    <Autocomplete
      {...shared}
      data={[...offered]}
      renderOption={renderValue(frequent)}
      onChange={onText}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
