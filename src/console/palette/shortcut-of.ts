/** Which keys open the palette and the help. Pure. */

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'
>;

/** What the keys open; null: nothing. A question mark is typed differently on different keyboards. */
export function shortcutOf(event: Pressed): 'palette' | 'shortcuts' | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
  if (isComposing) return null;
  const isMod = ctrlKey !== metaKey && !altKey;
  if (isMod && !shiftKey && key.toLowerCase() === 'k') return 'palette';
  return key === '?' && !ctrlKey && !metaKey ? 'shortcuts' : null;
}

/** Whether the key would be typed there. */
export function isForText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
