/** `--native`: which of the two does the document work, chosen once per thread at its start. */
import { loadAddon } from './addon.js';
import { NativeContent } from './native-content.js';

export type NativeChoice = 'auto' | 'on' | 'off';

/**
 * The addon's functions; null: their TypeScript twins are to be used.
 * @throws when the addon is wanted and cannot be loaded
 */
export function chooseNative(choice: NativeChoice): NativeContent | null {
  if (choice === 'off') return null;
  try {
    return new NativeContent(loadAddon());
  } catch (cause) {
    if (choice === 'auto') return null;
    throw new Error('The native addon cannot be loaded; build it, or use --native off.', { cause });
  }
}
