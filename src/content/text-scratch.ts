/** UTF-8 bytes of one short text at a time, in memory that the next text overwrites: hashing a user id allocates nothing. Pure. */

/** Texts up to this length fit, whatever their characters. */
export const scratchUnitsMax = 2048;
const utf8BytesPerUnitMax = 3;
const encoder = new TextEncoder();

/** Up to here a loop copies a text faster than a call of the encoder does: 24 characters take 20 ns instead of 60. */
export const loopUnitsMax = 64;

/**
 * Memory for one text. Each module that hashes has its own, in a constant that it does not export: V8 compiles the address
 * of such a constant into the code, but reads an imported one each time. An id of 15 characters takes 55 ns instead of 62.
 */
export function newScratch(): Uint8Array {
  return new Uint8Array(scratchUnitsMax * utf8BytesPerUnitMax);
}

/**
 * Writes a text of at most `scratchUnitsMax` characters to the start of `scratch`. A lone surrogate counts as U+FFFD, as in
 * every UTF-8 encoder.
 * @returns its length, bytes
 */
export function writeText(scratch: Uint8Array, text: string): number {
  const isAscii = text.length <= loopUnitsMax && copyAscii(scratch, 0, text);
  return isAscii ? text.length : encoder.encodeInto(text, scratch).written;
}

/** Writes `text` to `scratch` from `from` on; false: it is not all ASCII, and what was written is useless. */
export function copyAscii(scratch: Uint8Array, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    scratch[from + at] = code;
  }
  return true;
}
