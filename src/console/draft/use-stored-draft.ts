/** Stores the typed state of this tab until it is saved, and asks before the tab is closed over it. */
import { useEffect, useRef, useState } from 'react';
import type { EarlierState } from './old-edits.js';
import { changesOf, isLong, sameState } from './state-parts.js';
import { type DraftPlace, removeStored, writeStored } from './stored-draft.js';
import type { TypedEdit } from './use-validation.js';

const pauseMs = 500;
// Writing a megabyte blocks the page for some milliseconds: too long between two words.
const longPauseMs = 2_000;

/**
 * @param earlier what an earlier visit left: it keeps its time, however often it is stored again
 * @returns whether the browser could not store it
 */
export function useStoredDraft(
  place: DraftPlace,
  edit: TypedEdit,
  isDirty: boolean,
  earlier: EarlierState | null,
): boolean {
  const [isUnstored, setIsUnstored] = useState(false);
  const isTyped = isDirty && !sameState(edit.base, edit.state);
  const write = useRef<() => void>(() => {});

  useEffect(() => {
    if (!isTyped) {
      write.current = () => {};
      setIsUnstored(false);
      void removeStored(place);
      return;
    }
    write.current = () => {
      write.current = () => {};
      const { newest, description, tags, schema, guards } = edit.base;
      const before = earlier && {
        at: earlier.at,
        parts: changesOf(edit.base, earlier.state),
      };
      const isSame = earlier !== null && sameState(earlier.state, edit.state);
      void writeStored(place, {
        at: isSame ? earlier.at : Date.now(),
        newest,
        about: { description, tags, schema, guards },
        parts: changesOf(edit.base, edit.state),
        ...(before !== null && !isSame && { earlier: before }),
      }).then((isStored) => setIsUnstored(!isStored));
    };
    const timer = setTimeout(() => write.current(), isLong(edit.state) ? longPauseMs : pauseMs);
    return () => clearTimeout(timer);
  }, [place, edit, isTyped, earlier]);

  useEffect(() => {
    const flush = (): void => write.current();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);

  useEffect(() => {
    if (!isTyped) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isTyped]);

  return isUnstored;
}
