/** Where a JSON pointer leads in a text with comments, so that an editor can jump there. */
import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COMMA,
  QUOTE,
} from '../../../content/json/ascii.js';
import { stringOf } from '../../../content/json/json-text.js';
import { skipString } from '../../../content/json/json-token.js';
import { skipBlank } from '../../../content/json/jsonc-blank.js';
import { type Place, PlaceFinder } from './place-finder.js';

/**
 * The place of the value, or of the nearest one around it that is there: what a schema misses has no place of its own.
 * @param text JSON with comments, known to be valid
 * @param pointer RFC 6901
 */
export function placeOfPointer(text: Uint8Array, pointer: string): Place {
  let at = skipBlank(text, 0);
  for (const step of pointer.split('/').slice(1)) {
    const next = childAt(text, at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (next < 0) break;
    at = next;
  }
  return new PlaceFinder(text).at(at);
}

/** The offset of the member or element of the container at `at`; -1: there is none. Of a repeated key, the last. */
function childAt(text: Uint8Array, at: number, step: string): number {
  const opener = text[at];
  if (opener !== BRACE_OPEN && opener !== BRACKET_OPEN) return -1;
  let found = -1;
  let index = 0;
  let next = skipBlank(text, at + 1);
  while (next < text.length && text[next] !== BRACE_CLOSE && text[next] !== BRACKET_CLOSE) {
    let isWanted = opener === BRACKET_OPEN && String(index) === step;
    if (opener === BRACE_OPEN) {
      const keyEnd = skipString(text, next);
      isWanted = stringOf(text, next, keyEnd) === step;
      // Over the colon.
      next = skipBlank(text, skipBlank(text, keyEnd) + 1);
    }
    if (isWanted) found = next;
    next = skipBlank(text, valueEnd(text, next));
    if (text[next] === COMMA) next = skipBlank(text, next + 1);
    index++;
  }
  return found;
}

/** The offset after the value at `at`. */
function valueEnd(text: Uint8Array, at: number): number {
  let levels = 0;
  let next = at;
  do {
    const byte = text[next];
    if (byte === QUOTE) {
      next = skipString(text, next);
    } else {
      if (byte === BRACE_OPEN || byte === BRACKET_OPEN) levels++;
      else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) levels--;
      next = isScalar(byte) ? scalarEnd(text, next) : next + 1;
    }
    if (levels > 0) next = skipBlank(text, next);
  } while (levels > 0 && next < text.length);
  return next;
}

/** Numbers and words; commas and colons are passed one by one. */
function isScalar(byte: number | undefined): boolean {
  return byte !== undefined && scalarBytes[byte] === 1;
}

function scalarEnd(text: Uint8Array, at: number): number {
  let next = at;
  while (isScalar(text[next])) next++;
  return next;
}

const scalarBytes = new Uint8Array(256);
for (const character of '+-.0123456789Eaeflnrstu') scalarBytes[character.charCodeAt(0)] = 1;
