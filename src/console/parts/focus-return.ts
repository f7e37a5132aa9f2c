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

/**
 * Leaves the focus alone if it has moved elsewhere. Where the opener is gone or disabled, such as the button of what was just
 * published, the screen takes it.
 * @param afterMs how long the dialog takes to close
 */
export function giveFocusBack(openers: readonly HTMLElement[], afterMs = 0): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    openers.find((opener) => opener.isConnected && !opener.matches(':disabled'))?.focus();
    focusScreen();
  }, afterMs);
}

/** Where nothing has the focus, the open tab takes it, or the screen: never the start of the page. */
export function focusScreen(): void {
  if (document.activeElement !== document.body) return;
  const main = document.getElementById('main');
  const tab = main?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  (tab ?? main)?.focus({ preventScroll: true });
}
