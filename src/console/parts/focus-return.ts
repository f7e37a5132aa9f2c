/** Who gets the focus back when a dialog closes: what opened it, or what opened the dialog before it that is gone now. */

let lastOpeners: readonly HTMLElement[] = [];

/** To be asked when a dialog opens; the nearest one first. */
export function findOpeners(): readonly HTMLElement[] {
  const active = document.activeElement;
  // A menu is gone with the click on its item: then it is the button that opened the menu.
  const buttonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = buttonId ? document.getElementById(buttonId) : active;
  const before = active?.closest('[role="dialog"]') ? lastOpeners : [];
  lastOpeners = opener instanceof HTMLElement ? [opener, ...before] : before;
  return lastOpeners;
}

/** Who was sent elsewhere meanwhile stays there. @param afterMs how long the dialog takes to be gone */
export function giveFocusBack(openers: readonly HTMLElement[], afterMs = 0): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    openers.find(({ isConnected }) => isConnected)?.focus();
  }, afterMs);
}
