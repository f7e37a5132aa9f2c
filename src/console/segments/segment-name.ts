/** The names that a segment may have. */

const nameCharsMax = 128;
const control = /\p{Cc}/u;

/** Null: it may be called so. */
export function nameFault(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give it a name.';
  if (name.length > nameCharsMax) return `A name has at most ${nameCharsMax} characters.`;
  if (name === '.' || name === '..' || control.test(name)) return 'This cannot be a name.';
  return taken.includes(name) ? 'There is a segment of this name already.' : null;
}
