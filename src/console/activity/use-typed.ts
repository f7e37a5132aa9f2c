/** Typed text that becomes a filter after a pause; a filter that changes elsewhere replaces the text. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const typedMs = 350;

/** @returns the text, what takes typed text, and what takes text that is a filter already */
export function useTyped(
  value: string,
  onChange: (value: string) => void,
): readonly [string, (typed: string) => void, (known: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const emit = useDebouncedCallback((wanted: string) => onChange(wanted), typedMs);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  return [
    typed,
    (next) => {
      setTyped(next);
      emit(next.trim());
    },
    (next) => {
      emit.cancel();
      setTyped(next);
      setKnown(next);
    },
  ];
}
