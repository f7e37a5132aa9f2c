/** Checks the id of a new content item before it is sent. */
import { contentIdLengthMax, contentKey, isContentId } from '../../../content/content-id.js';

const notAllowed = /[^A-Za-z0-9._-]/;

/** @param taken existing ids, as `contentKey` writes them */
export function contentIdIssue(id: string, taken: ReadonlySet<string>): string | null {
  if (id === '') return 'Give it an id: games use it in the address of their requests.';
  if (id.length > contentIdLengthMax) return `At most ${contentIdLengthMax} characters.`;
  const wrong = notAllowed.exec(id)?.[0];
  if (wrong !== undefined) {
    const what = wrong === ' ' ? 'spaces' : `"${wrong}"`;
    return `Only letters A to Z, digits, ".", "_" and "-"; no ${what}.`;
  }
  if (!isContentId(id)) return '"." and ".." are not possible in addresses.';
  if (taken.has(contentKey(id))) return 'A content item with this id exists; case does not matter.';
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
