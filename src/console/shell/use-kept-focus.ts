/**
 * Keeps the focus near the work. A browser drops it to the start of the page when the focused element is disabled, such as the
 * button of what was just saved, or removed, such as the link that was followed. Then the next act of the same bar takes it, or else what
 * was edited last, the open tab, or the screen.
 */
import { useEffect } from 'react';
import { focusScreen, noteFocus } from '../parts/focus-return.js';

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let wasActing = false;
    const note = (event: FocusEvent): void => {
      last = event.target instanceof Element ? event.target : null;
      if (last !== null) noteFocus(last);
    };
    const look = (): void => {
      if (last === null) return;
      if (isActing(last)) {
        wasActing = true;
        return;
      }
      if (!isLost(last) && !wasActing) return;
      const lost = last;
      last = null;
      wasActing = false;
      // The browser lets go of a disabled element only when it draws the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => focusNext(lost)));
    };
    const observer = new MutationObserver(look);
    document.addEventListener('focusin', note);
    const attributes = { attributes: true, attributeFilter: ['disabled'] };
    observer.observe(document.body, { subtree: true, childList: true, ...attributes });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}

/** Whether an act of the same bar is under way: all of them are disabled until it is done. */
function isActing(lost: Element): boolean {
  return (lost.closest('[data-acts]')?.querySelector('[data-loading]') ?? null) !== null;
}

/**
 * An act that failed is enabled again, and takes the focus. Else the last act of the bar is what most people do next: after the save of a
 * draft, its publication.
 */
function focusNext(lost: Element): void {
  if (document.activeElement !== document.body) return;
  const acts = lost.closest('[data-acts]')?.querySelectorAll<HTMLElement>('button:enabled') ?? [];
  const next = [...acts].find((act) => act === lost) ?? [...acts].at(-1);
  next?.focus({ preventScroll: true });
  focusScreen();
}

/** Dialogs and menus return the focus themselves when they close. */
function isLost(element: Element): boolean {
  if (element.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return false;
  return !element.isConnected || element.matches(':disabled');
}
