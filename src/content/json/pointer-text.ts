/** JSON Pointers (RFC 6901) as the names and indexes in them, and back. Works in a browser. */

/** The names and indexes of a pointer, unescaped; null: the text is not a pointer. */
export function tokensOf(pointer: string | null): readonly string[] | null {
  if (pointer === null || strayTilde.test(pointer)) return null;
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerText(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

/** A name as it stands in a pointer. */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const strayTilde = /~(?![01])/;
