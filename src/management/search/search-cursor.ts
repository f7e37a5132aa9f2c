/** Where a search goes on: `after` and `next` of the API. */

export interface SearchCursor {
  /** Lower-case id of a content. */
  readonly idLower: string;
  /** Which of its texts, from 0. */
  readonly text: number;
  /** Byte offset in that text. */
  readonly offset: number;
}

export const searchBegin: SearchCursor = { idLower: '', text: 0, offset: 0 };

export function encodeCursor({ idLower, text, offset }: SearchCursor): string {
  return Buffer.from(JSON.stringify([idLower, text, offset])).toString('base64url');
}

/** Null: no search has given it. */
export function decodeCursor(encoded: string): SearchCursor | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3) return null;
    const [idLower, text, offset]: unknown[] = parts;
    if (typeof idLower !== 'string' || !isCount(text) || !isCount(offset)) return null;
    return { idLower, text, offset };
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
