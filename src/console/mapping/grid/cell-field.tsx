/** The field of a cell that is edited, by the type of its value. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import type { TypedValue } from './typed-value.js';

export interface CellFieldProps {
  readonly value: TypedValue;
  readonly onText: (text: string) => void;
  /** For screen readers. */
  readonly label: string;
  /** Id of the issue that is shown. */
  readonly describedBy: string | undefined;
  readonly field: RefObject<HTMLElement | null>;
}

export function CellField({ value, onText, label, describedBy, field }: CellFieldProps) {
  const shared = {
    'aria-label': label,
    'aria-describedby': describedBy,
    size: 'xs',
    value: value.text,
    ref: (element: HTMLElement | null): void => {
      field.current = element;
    },
  } as const;
  switch (value.kind) {
    case 'boolean':
      return (
        <NativeSelect
          {...shared}
          data={['true', 'false']}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'json':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={10}
          onChange={(event) => onText(event.currentTarget.value)}
          classNames={{ input: 'mono' }}
          spellCheck={false}
        />
      );
    case 'text':
    case 'number':
    case 'null':
      return (
        <TextInput
          {...shared}
          readOnly={value.kind === 'null'}
          onChange={(event) => onText(event.currentTarget.value)}
          classNames={{ input: 'mono' }}
          inputMode={value.kind === 'number' ? 'decimal' : 'text'}
          autoComplete="off"
          spellCheck={false}
        />
      );
  }
}
