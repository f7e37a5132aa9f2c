/** What is typed into a field while it may be no value yet: the text gets it as soon as it is one. */
import { type KeyboardEvent, useState } from 'react';

export interface Typed {
  readonly value: string;
  /** Why what is typed is no value; null: the text has it. */
  readonly issue: string | null;
  readonly onType: (value: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface TypedValue {
  readonly source: string;
  /** How the field shows the value when the text has it. */
  readonly shown: string;
}

export interface TypedOptions {
  /** What the text has now, as it is typed. */
  readonly shown: string;
  readonly read: (typed: string) => TypedValue | { readonly issue: string };
  readonly onSource: (source: string) => void;
}

export function useTyped({ shown, read, onSource }: TypedOptions): Typed {
  const [typed, setTyped] = useState({ value: shown, issue: null as string | null, shown });
  // The text changed elsewhere, such as by an undo.
  const now = typed.shown === shown ? typed : { value: shown, issue: null, shown };
  return {
    value: now.value,
    issue: now.issue,
    onType: (value) => {
      const result = read(value);
      if ('issue' in result) {
        setTyped({ value, issue: result.issue, shown });
        return;
      }
      setTyped({ value, issue: null, shown: result.shown });
      if (result.shown !== shown) onSource(result.source);
    },
    onKeyDown: (event) => {
      if (now.issue === null) return;
      // What was never in the text is not undone there.
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z')
        event.stopPropagation();
      if (event.key !== 'Escape') return;
      event.preventDefault();
      setTyped({ value: shown, issue: null, shown });
    },
  };
}
