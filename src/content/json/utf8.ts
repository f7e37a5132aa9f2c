/** Where a text stops being UTF-8. Node's SIMD check says whether it is UTF-8 at all; this finds the place. */

import { isUtf8 } from 'node:buffer';

/** The offset of the first byte that no well-formed UTF-8 has there, or -1. */
export function invalidUtf8Offset(text: Uint8Array): number {
  if (isUtf8(text)) return -1;
  let at = 0;
  while (at < text.length) {
    const length = sequenceLength(text, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Bytes of the well-formed sequence at `at` (Unicode 15, table 3-7), or 0. */
function sequenceLength(text: Uint8Array, at: number): number {
  const lead = text[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0; // a continuation byte, or an overlong form of ASCII
  if (lead < 0xe0) return continues(text, at + 1, 1) ? 2 : 0;
  const second = text[at + 1] ?? 0;
  if (lead < 0xf0) {
    if (lead === 0xe0 && second < 0xa0) return 0; // overlong
    if (lead === 0xed && second > 0x9f) return 0; // a surrogate
    return continues(text, at + 1, 2) ? 3 : 0;
  }
  if (lead > 0xf4) return 0;
  if (lead === 0xf0 && second < 0x90) return 0; // overlong
  if (lead === 0xf4 && second > 0x8f) return 0; // above U+10FFFF
  return continues(text, at + 1, 3) ? 4 : 0;
}

function continues(text: Uint8Array, at: number, count: number): boolean {
  for (let i = at; i < at + count; i++) {
    if (((text[i] ?? 0) & 0xc0) !== 0x80) return false;
  }
  return true;
}
