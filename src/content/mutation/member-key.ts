/** The name of a member, prepared once to be compared with keys as they are written. */

import { BACKSLASH, QUOTE } from '../json/ascii.js';
import { stringOf, utf8Of } from '../json/json-text.js';
import { skipString } from '../json/json-token.js';

/** A key as it is written, from its opening quote to its colon. */
export interface KeySpan {
  readonly json: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Keys are the same when their unescaped texts are: `"\u0061"` is `"a"`. */
export class MemberKey {
  readonly text: string;
  readonly #bytes: Uint8Array;

  constructor(text: string) {
    this.text = text;
    this.#bytes = utf8Of(text);
  }

  /** Whether the key whose opening quote is at `keyStart` is this one. It makes a string only of a key with an escape. */
  matches(json: Uint8Array, keyStart: number): boolean {
    const bytes = this.#bytes;
    const length = bytes.length;
    let at = keyStart + 1;
    for (let i = 0; i < length; i++, at++) {
      const byte = json[at];
      if (byte === BACKSLASH) return keyTextAt(json, keyStart) === this.text;
      if (byte !== bytes[i] || byte === QUOTE) return false;
    }
    // What follows, escaped or not, would make the key longer than this one.
    return json[at] === QUOTE;
  }

  /** The key serialized, for a member that no text holds yet. */
  written(): KeySpan {
    const json = Buffer.from(`${JSON.stringify(this.text)}:`, 'utf8');
    return { json, start: 0, end: json.length };
  }
}

/** The text of the key whose opening quote is at `keyStart`, unescaped. */
export function keyTextAt(json: Uint8Array, keyStart: number): string {
  return stringOf(json, keyStart, skipString(json, keyStart));
}
