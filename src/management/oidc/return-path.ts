/** Where the console goes on after a sign-in: a page of its own, whatever a link says. Pure. */

const pathCharsMax = 1_024;
/** What is no page. */
const notPages = /^\/(?:admin|api|auth|assets|docs)(?:[/?#]|$)/i;

/**
 * @param given anything: it comes from a link
 * @returns path, query and fragment below the console's origin; `/` where it names none
 */
export function returnPathOf(given: unknown, publicOrigin: string): string {
  if (typeof given !== 'string' || given.length > pathCharsMax || !given.startsWith('/'))
    return '/';
  if (!URL.canParse(given, publicOrigin)) return '/';
  const url = new URL(given, publicOrigin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `//host` and `/\host` name another host, also after dots of the path were resolved.
  // Characters become escapes, and the path goes into a cookie.
  if (path.length > pathCharsMax) return '/';
  if (url.origin !== publicOrigin || path.startsWith('//') || notPages.test(path)) return '/';
  return path;
}
