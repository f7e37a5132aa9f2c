/** JSON Pointers (RFC 6901), one name longer. */

export function pointerWith(path: string, name: string): string {
  const token = NEEDS_ESCAPE.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
  return `${path}/${token}`;
}

const NEEDS_ESCAPE = /[~/]/;
