/** Compares entity tags (RFC 9110 8.8.3 and 13.1.2). */

/** Whether an If-None-Match header names this entity tag, in the weak comparison. '' is a header that was not sent. */
export function isNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace('W/', '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace('W/', '') === opaque);
}
