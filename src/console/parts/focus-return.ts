/** Returns the focus when a dialog closes: to its opener, or to the opener of an earlier dialog that is closed now. */

let lastOpeners: readonly HTMLElement[] = [];

/** Call it when a dialog opens. @returns the nearest opener first */
export function findOpeners(): readonly HTMLElement[] {
  const active = document.activeElement;
  // A click on a menu item closes the menu: then the button of the menu is the opener.
  const buttonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = buttonId ? document.getElementById(buttonId) : active;
  const before = active?.closest('[role="dialog"]') ? lastOpeners : [];
  lastOpeners = opener instanceof HTMLElement ? [opener, ...before] : before;
  return lastOpeners;
}

/** Leaves the focus alone if it has moved elsewhere. @param afterMs how long the dialog takes to close */
export function giveFocusBack(openers: readonly HTMLElement[], afterMs = 0): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    openers.find(({ isConnected }) => isConnected)?.focus();
  }, afterMs);
}
