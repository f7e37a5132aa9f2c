/** A text input that emits what is typed after a pause, and takes new values from outside. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';

export interface TextFieldProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly value: string;
  readonly onText: (text: string) => void;
  /** It was just created: its text is a proposal to type over. */
  readonly isNew?: boolean;
}

const pauseMs = 200;

export function TextField({ value, onText, isNew = false, ...input }: TextFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const emit = useRef(onText);
  const waiting = useRef<string | null>(null);
  useEffect(() => {
    emit.current = onText;
  });
  useEffect(() => {
    if (!isNew) return;
    field.current?.focus();
    field.current?.select();
  }, [isNew]);
  const flush = useCallback((): void => {
    const text = waiting.current;
    waiting.current = null;
    if (text !== null) emit.current(text);
  }, []);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      flush();
      setTyped(null);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, flush]);
  // The last keystrokes must not be lost when the field is removed.
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
        // Shortcuts must save what is visible.
        if (event.key === 'Enter' || event.ctrlKey || event.metaKey) flush();
      }}
      onBlur={() => {
        flush();
        setTyped(null);
      }}
    />
  );
}
