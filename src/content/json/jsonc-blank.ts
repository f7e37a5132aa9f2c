/** What JSONC allows between tokens and delivery leaves out: white space and comments. For UTF-8 bytes and UTF-16 units alike. */

import { ASTERISK, CARRIAGE_RETURN, LINE_FEED, SLASH, SPACE, TAB } from './ascii.js';

/**
 * The offset of the next significant byte from `at` on (the text's length: there is none), or `~offset` of a slash
 * that begins no comment or one that is never closed.
 */
export function skipBlank(text: ArrayLike<number>, at: number): number {
  const length = text.length;
  let i = at;
  while (i < length) {
    const byte = text[i] as number;
    if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) {
      i++;
    } else if (byte === SLASH) {
      const end = skipComment(text, i);
      if (end < 0) return ~i;
      i = end;
    } else {
      return i;
    }
  }
  return length;
}

/** The offset after the comment that begins at `at`, or -1. */
function skipComment(text: ArrayLike<number>, at: number): number {
  const length = text.length;
  let i = at + 2;
  if (text[at + 1] === SLASH) {
    while (i < length && text[i] !== LINE_FEED && text[i] !== CARRIAGE_RETURN) i++;
    return i;
  }
  if (text[at + 1] !== ASTERISK) return -1;
  while (i + 1 < length) {
    if (text[i] === ASTERISK && text[i + 1] === SLASH) return i + 2;
    i++;
  }
  return -1;
}
