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
      wasActing = false;
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
      requestAnimationFrame(() => focusSoon(lost, framesMax));
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

/** Whether it is under way, or another act of the same bar: all of them are disabled until it is done. */
function isActing(lost: Element): boolean {
  if (!lost.isConnected) return false;
  const acts = lost.closest('[data-acts]') ?? lost.parentElement;
  return (acts?.querySelector('[data-loading]') ?? null) !== null;
}

const framesMax = 30;

/** The browser lets go of a disabled element only when it draws one of the next frames. */
function focusSoon(lost: Element, frames: number): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusNext(lost);
    else if (document.activeElement === lost && frames > 0) focusSoon(lost, frames - 1);
  });
}

/**
 * An act that failed is enabled again, and takes the focus. Else the last act of the bar is what most people do next: after the save of a
 * draft, its publication.
 */
function focusNext(lost: Element): void {
  const acts = lost.closest('[data-acts]')?.querySelectorAll<HTMLElement>('button:enabled') ?? [];
  const next = lost.matches(':enabled') ? lost : [...acts].at(-1);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  focusScreen();
}

/** Dialogs and menus return the focus themselves when they close. */
function isLost(element: Element): boolean {
  if (element.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return false;
  return !element.isConnected || element.matches(':disabled');
}
