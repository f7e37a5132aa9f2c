/** Text out of JSON bytes, and JSON bytes out of text: the only places where the kernel makes strings. */

import { BACKSLASH } from './ascii.js';

/** The characters of [start, end) as they stand, escapes and quotes included. */
export function textOf(json: Uint8Array, start: number, end: number): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('utf8');
}

/** What the string literal at [start, end), quotes included, means. */
export function stringOf(json: Uint8Array, start: number, end: number): string {
  return hasEscape(json, start, end)
    ? (JSON.parse(textOf(json, start, end)) as string)
    : textOf(json, start + 1, end - 1);
}

export function hasEscape(json: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (json[at] === BACKSLASH) return true;
  }
  return false;
}

/**
 * The UTF-8 bytes of a text. A lone surrogate, which UTF-8 cannot hold, becomes the three bytes that its number would
 * have: they stand in no valid document, so they match nothing by accident.
 */
export function utf8Of(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  if (!LONE_SURROGATE.test(text)) return bytes;
  return Buffer.concat(Array.from(text, utf8OfCharacter));
}

function utf8OfCharacter(character: string): Buffer {
  const code = character.codePointAt(0) as number;
  if (code < 0xd800 || code > 0xdfff) return Buffer.from(character, 'utf8');
  return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]);
}

const LONE_SURROGATE = /\p{Surrogate}/u;
