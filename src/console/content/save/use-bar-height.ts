/** Tells the style sheets how high the save bar is: the text that fills the window ends above it. */
import { type RefObject, useEffect, useRef } from 'react';

const property = '--save-bar-height';

/** @returns for the bar, which stays the same element */
export function useBarHeight(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const shown = bar.current;
    if (shown === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(property, `${shown.offsetHeight}px`);
    });
    observer.observe(shown);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, []);
  return bar;
}
