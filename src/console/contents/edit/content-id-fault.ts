/** Whether an id may be given to a new content, before the server is asked. */
import { contentIdLengthMax, contentKey, isContentId } from '../../../content/content-id.js';

const notAllowed = /[^A-Za-z0-9._-]/;

/** @param taken ids that are there, in the form in which they are matched */
export function contentIdFault(id: string, taken: ReadonlySet<string>): string | null {
  if (id === '') return 'Give it an id: it stands in the address by which games ask for it.';
  if (id.length > contentIdLengthMax) return `At most ${contentIdLengthMax} characters.`;
  const wrong = notAllowed.exec(id)?.[0];
  if (wrong !== undefined) {
    const what = wrong === ' ' ? 'spaces' : `"${wrong}"`;
    return `Only letters A to Z, digits, ".", "_" and "-"; no ${what}.`;
  }
  if (!isContentId(id)) return '"." and ".." would vanish from addresses.';
  if (taken.has(contentKey(id))) return 'There is a content with this id; case does not matter.';
  return null;
}

/** The first of `id-copy`, `id-copy-2`, … that is not taken. */
export function copyIdOf(id: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '-copy' : `-copy-${n}`;
    const copy = `${id.slice(0, contentIdLengthMax - end.length)}${end}`;
    if (!taken.has(contentKey(copy))) return copy;
  }
}
