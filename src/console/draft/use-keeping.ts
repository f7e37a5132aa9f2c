/** Keeps what is typed in this tab while it is not saved, and asks before the tab is closed over it. */
import { useEffect, useRef, useState } from 'react';
import { type DraftPlace, keptDraftOf, removeKept, writeKept } from './kept-draft.js';
import { sameState } from './state-parts.js';
import type { DraftWork } from './work.js';

const pauseMs = 500;
// Writing a megabyte holds the page for some milliseconds: not between two words.
const longPauseMs = 2_000;
const longChars = 256 * 1024;

/** @returns whether it could not be kept */
export function useKeeping(place: DraftPlace, work: DraftWork, isDirty: boolean): boolean {
  const [isUnkept, setIsUnkept] = useState(false);
  const isTyped = isDirty && !sameState(work.base, work.state);
  const write = useRef<() => void>(() => {});

  useEffect(() => {
    if (!isTyped) {
      write.current = () => {};
      setIsUnkept(false);
      void removeKept(place).catch(() => {});
      return;
    }
    const keep = (): void => {
      write.current = () => {};
      const kept = keptDraftOf(work.base, work.state, Date.now());
      void writeKept(place, kept)
        .catch(() => false)
        .then((isKept) => setIsUnkept(!isKept));
    };
    write.current = keep;
    const chars = work.state.lines.reduce((sum, { text }) => sum + text.length, 0);
    const timer = setTimeout(keep, chars > longChars ? longPauseMs : pauseMs);
    return () => clearTimeout(timer);
  }, [place, work, isTyped]);

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

  return isUnkept;
}
