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

  /** Equal to `hashOfKeyAt` of every key that `matches`; 32 bits. */
  hash(seed: number): number {
    let hash = seed;
    for (const byte of this.#bytes) hash = withByte(hash, byte);
    return mixed(hash);
  }

  /** The key serialized, for a member that no text holds yet. */
  written(): KeySpan {
    const json = Buffer.from(`${JSON.stringify(this.text)}:`, 'utf8');
    return { json, start: 0, end: json.length };
  }
}

/** A hash of the text of the key whose opening quote is at `keyStart`. It makes a string only of a key with an escape. */
export function hashOfKeyAt(json: Uint8Array, keyStart: number, seed: number): number {
  let hash = seed;
  for (let at = keyStart + 1; ; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) return mixed(hash);
    if (byte === BACKSLASH) return new MemberKey(keyTextAt(json, keyStart)).hash(seed);
    hash = withByte(hash, byte);
  }
}

/** FNV-1a. */
function withByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** So that the lowest bits depend on all of them. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return half ^ (half >>> 13);
}

/** Whether two keys of one text, by their opening quotes, are the same. */
export function isSameKey(json: Uint8Array, one: number, other: number): boolean {
  for (let i = 1; ; i++) {
    const byte = json[one + i];
    if (byte === BACKSLASH || json[other + i] === BACKSLASH) {
      return keyTextAt(json, one) === keyTextAt(json, other);
    }
    if (byte !== json[other + i]) return false;
    if (byte === QUOTE) return true;
  }
}

/** The text of the key whose opening quote is at `keyStart`, unescaped. */
export function keyTextAt(json: Uint8Array, keyStart: number): string {
  return stringOf(json, keyStart, skipString(json, keyStart));
}
