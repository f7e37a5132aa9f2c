/** JSON Pointer (RFC 6901), to the letter: `~` begins only `~0` and `~1`, an array index has no leading zeros. */

import { MemberKey } from './member-key.js';

export class JsonPointer {
  /** As it was written. */
  readonly text: string;
  readonly tokens: readonly PointerToken[];

  constructor(text: string, tokens: readonly PointerToken[]) {
    this.text = text;
    this.tokens = tokens;
  }

  /** Whether `other` points to something inside what this one points to. */
  contains(other: JsonPointer): boolean {
    return (
      other.tokens.length > this.tokens.length &&
      this.tokens.every((token, depth) => token.key.text === other.tokens[depth]?.key.text)
    );
  }

  /** The pointer's text up to and including its first `depth` tokens. */
  prefix(depth: number): string {
    return this.text.split('/', depth + 1).join('/');
  }
}

export interface PointerToken {
  readonly key: MemberKey;
  /** What it says to an array: an index, `ARRAY_END`, or `NOT_AN_INDEX`. */
  readonly index: number;
}

/** The token `-`: the element after the last. */
export const ARRAY_END = -1;
export const NOT_AN_INDEX = -2;

/** The pointer that a text is, or the reason why it is none. */
export function parsePointer(text: string): JsonPointer | string {
  if (text === '') return new JsonPointer(text, []);
  if (!text.startsWith('/')) return 'must be empty or begin with "/"';
  if (STRAY_TILDE.test(text)) return 'has a "~" that is neither "~0" (for "~") nor "~1" (for "/")';
  return new JsonPointer(text, text.slice(1).split('/').map(parseToken));
}

export function isPointer(text: string): boolean {
  return typeof parsePointer(text) !== 'string';
}

function parseToken(raw: string): PointerToken {
  const text = raw.replaceAll('~1', '/').replaceAll('~0', '~');
  return { key: new MemberKey(text), index: indexOf(text) };
}

function indexOf(text: string): number {
  if (text === '-') return ARRAY_END;
  return ARRAY_INDEX.test(text) ? Number(text) : NOT_AN_INDEX;
}

const STRAY_TILDE = /~(?![01])/;
const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;
