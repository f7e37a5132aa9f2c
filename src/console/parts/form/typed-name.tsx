/** A field for the name that confirms a dangerous change; no field if no name is required (D68). */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export interface TypedName {
  /** The change is confirmed. */
  readonly isRight: boolean;
  readonly field: ReactNode;
}

export interface TypedNameOptions {
  /** A sentence before the request. */
  readonly reason?: string;
  readonly isDisabled?: boolean;
  /** When the field takes the focus: as its dialog opens, as it appears in one that is open already, or never. */
  readonly focus?: 'opening' | 'appearing' | 'never';
}

/** @param name the text to type; null: none */
export function useTypedName(name: string | null, options: TypedNameOptions = {}): TypedName {
  const { reason = '', isDisabled = false, focus = 'opening' } = options;
  const [typed, setTyped] = useState('');
  if (name === null) return { isRight: true, field: null };
  const field = (
    <TextInput
      data-autofocus={focus === 'opening' || undefined}
      autoFocus={focus === 'appearing'}
      label={
        <>
          {reason} Type <span className="mono">{name}</span> to confirm
        </>
      }
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      value={typed}
      disabled={isDisabled}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
  return { isRight: typed.trim() === name, field };
}
