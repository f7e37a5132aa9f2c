/**
 * Keeps the focus near the work. A browser drops it to the start of the page when the focused element is disabled, such as the
 * button of what was just saved, or removed, such as the link that was followed. Then the open tab takes it, or else the screen.
 */
import { useEffect } from 'react';
import { focusScreen } from '../parts/focus-return.js';

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = (event: FocusEvent): void => {
      last = event.target instanceof Element ? event.target : null;
    };
    const look = (): void => {
      if (last === null || !isLost(last)) return;
      last = null;
      // The browser lets go of a disabled element only when it draws the next frame.
      requestAnimationFrame(() => requestAnimationFrame(focusScreen));
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

/** Dialogs and menus return the focus themselves when they close. */
function isLost(element: Element): boolean {
  if (element.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null) return false;
  return !element.isConnected || element.matches(':disabled');
}
