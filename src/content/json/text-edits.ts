/** Edits of a JSONC text by its bytes, at places that are known from its minified form. Pure. */
import { CARRIAGE_RETURN, COMMA, LINE_FEED, QUOTE, SPACE, TAB } from './ascii.js';
import { skipString } from './json-token.js';
import { skipBlank } from './jsonc-blank.js';

/** Bytes of the text from `start` to `end` become others. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** @param edits ascending, without overlaps */
export function applyEdits(text: Uint8Array, edits: readonly TextEdit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, bytes } of edits) {
    pieces.push(text.subarray(at, start), bytes);
    at = end;
  }
  pieces.push(text.subarray(at));
  return Buffer.concat(pieces);
}

/** Where each byte of the minified form of a text stands in it; the last entry is the end of the text. */
export function placesOf(text: Uint8Array, json: Uint8Array): Uint32Array {
  const places = new Uint32Array(json.length + 1);
  let at = 0;
  for (let i = 0; i < json.length; ) {
    at = skipBlank(text, at);
    // A trailing comma, which the minified form leaves out.
    if (text[at] === COMMA && json[i] !== COMMA) at = skipBlank(text, at + 1);
    const end = json[i] === QUOTE ? skipString(json, i) : i + 1;
    while (i < end) places[i++] = at++;
  }
  places[json.length] = text.length;
  return places;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
