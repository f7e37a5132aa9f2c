/**
 * Where a JSON token ends, by the letter of RFC 8259, in UTF-8 bytes and in UTF-16 units alike.
 * Each scanner returns the offset after the token, or `~offset` (negative) of the first byte that cannot be there.
 */

import {
  BACKSLASH,
  LOWER_E,
  LOWER_U,
  MINUS,
  NINE,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  UPPER_E,
  ZERO,
} from './ascii.js';

/** `at` is the opening quote. A string that the text ends in gives `~text.length`. */
export function scanString(text: ArrayLike<number>, at: number): number {
  const length = text.length;
  let i = at + 1;
  while (i < length) {
    const byte = text[i] as number;
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) {
      const width = escapeWidth(text, i + 1);
      if (width === 0) return i + 1 < length ? ~i : ~length;
      i += width;
    } else if (byte < SPACE) {
      return ~i;
    } else {
      i++;
    }
  }
  return ~length;
}

/** Bytes of the escape whose letter is at `at`, with its backslash; 0: JSON has no such escape. */
function escapeWidth(text: ArrayLike<number>, at: number): number {
  const letter = text[at] ?? 0;
  if (letter !== LOWER_U) return ESCAPE_LETTERS[letter] === 1 ? 2 : 0;
  for (let i = at + 1; i < at + 5; i++) {
    if (HEX_DIGITS[text[i] ?? 0] !== 1) return 0;
  }
  return 6;
}

/** `at` is a minus sign or a digit (or what somebody took for the start of a number). */
export function scanNumber(text: ArrayLike<number>, at: number): number {
  let i = at;
  if (text[i] === MINUS) i++;
  const integer = i;
  i = skipDigits(text, i);
  if (i === integer) return ~i;
  if (text[integer] === ZERO && i > integer + 1) return ~integer;
  if (text[i] === POINT) {
    const fraction = i + 1;
    i = skipDigits(text, fraction);
    if (i === fraction) return ~i;
  }
  if (text[i] === LOWER_E || text[i] === UPPER_E) {
    i++;
    if (text[i] === PLUS || text[i] === MINUS) i++;
    const exponent = i;
    i = skipDigits(text, exponent);
    if (i === exponent) return ~i;
  }
  return i;
}

function skipDigits(text: ArrayLike<number>, at: number): number {
  let i = at;
  while (i < text.length && (text[i] as number) >= ZERO && (text[i] as number) <= NINE) i++;
  return i;
}

/** `word` is the whole word that must stand at `at`. */
export function scanWord(text: ArrayLike<number>, at: number, word: ArrayLike<number>): number {
  for (let i = 0; i < word.length; i++) {
    if (text[at + i] !== word[i]) return ~at;
  }
  return at + word.length;
}

/** The offset after a string known to be well formed; `at` is its opening quote. */
export function skipString(json: Uint8Array, at: number): number {
  let i = at + 1;
  for (;;) {
    const byte = json[i] as number;
    if (byte === QUOTE) return i + 1;
    i += byte === BACKSLASH ? 2 : 1;
  }
}

function membership(members: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const member of members) table[member.charCodeAt(0)] = 1;
  return table;
}

const ESCAPE_LETTERS = membership('"\\/bfnrt');
const HEX_DIGITS = membership('0123456789abcdefABCDEF');
