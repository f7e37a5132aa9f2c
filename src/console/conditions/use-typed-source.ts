/** Keeps typed text that is not valid yet beside the last valid source. */
import { useState } from 'react';

/** @returns the text as typed, and the handler of its changes, which passes on valid sources only */
export function useTypedSource(
  source: string,
  isValid: (text: string) => boolean,
  onChange: (source: string) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState({ source, text: source });
  if (typed.source !== source) setTyped({ source, text: source });
  const type = (text: string): void => {
    const next = isValid(text) ? text : source;
    setTyped({ source: next, text });
    if (next !== source) onChange(next);
  };
  return [typed.text, type];
}
