/** A line of text that is taken over as it is typed, and may be handed in from outside meanwhile. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';

export interface TextFieldProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  /** It has just been made: what it holds is a proposal to type over. */
  readonly isNew?: boolean;
}

const pauseMs = 200;

export function TextField({ value, onText, isNew = false, ...input }: TextFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const tell = useRef(onText);
  const waiting = useRef<string | null>(null);
  useEffect(() => {
    tell.current = onText;
  });
  useEffect(() => {
    if (!isNew) return;
    field.current?.focus();
    field.current?.select();
  }, [isNew]);
  const flush = useCallback((): void => {
    const text = waiting.current;
    waiting.current = null;
    if (text !== null) tell.current(text);
  }, []);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      flush();
      setTyped(null);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, flush]);
  // What was typed a moment ago must not go with the field.
  useEffect(() => flush, [flush]);
  return (
    <TextInput
      {...input}
      ref={field}
      value={typed ?? value}
      onChange={(event) => {
        waiting.current = event.currentTarget.value;
        setTyped(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        // Shortcuts save what is seen, not what was seen a moment ago.
        if (event.key === 'Enter' || event.ctrlKey || event.metaKey) flush();
      }}
      onBlur={() => {
        flush();
        setTyped(null);
      }}
    />
  );
}
