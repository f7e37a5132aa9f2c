/** How keys are called on a keyboard. Pure. */

/** @param keys in the notation of `useHotkeys` @param isApple a Mac's keyboard, or an iPad's */
export function keyNames(keys: string, isApple: boolean): string[] {
  return keys.split('+').map((key) => {
    const name = (isApple ? appleNames : otherNames)[key] ?? key;
    return name.length === 1 ? name.toUpperCase() : name;
  });
}

const otherNames: Readonly<Record<string, string>> = { mod: 'Ctrl' };
const appleNames: Readonly<Record<string, string>> = { mod: '⌘', Enter: '↵' };
