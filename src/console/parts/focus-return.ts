/**
 * Returns the focus where the work goes on: when a dialog closes, to its opener, or to the opener of an earlier dialog that is closed
 * now; else to the field, cell or editor that had it last.
 */

let lastOpeners: readonly HTMLElement[] = [];
/** The field, cell or editor that had the focus last in the open tab of the screen. */
let lastInTab: HTMLElement | null = null;

const edited = 'input, textarea, select, [contenteditable="true"], [role="gridcell"]';

/** Call it whenever something takes the focus. */
export function noteFocus(element: Element): void {
  if (!(element instanceof HTMLElement) || !element.matches(edited)) return;
  if (element.closest('#main [role="tabpanel"]') !== null) lastInTab = element;
}

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

/** Where nothing has the focus, what was edited last takes it, or else the open tab, or the screen: never the start of the page. */
export function focusScreen(): void {
  if (document.activeElement !== document.body) return;
  if (lastInTab !== null && canResume(lastInTab)) lastInTab.focus({ preventScroll: true });
  if (document.activeElement !== document.body) return;
  const main = document.getElementById('main');
  const tabs = main?.querySelectorAll<HTMLElement>('[role="tab"][aria-selected="true"]') ?? [];
  // Not that of a part of the screen, such as the languages of a code example.
  const tab = [...tabs].find((one) => one.closest('section, [role="tabpanel"]') === null);
  (tab ?? main)?.focus({ preventScroll: true });
}

/** On a touch screen, the focus of a field would open the keyboard over what a person has just done. */
function canResume(element: HTMLElement): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.checkVisibility() &&
    !window.matchMedia('(pointer: coarse)').matches
  );
}
