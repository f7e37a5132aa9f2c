/**
 * CRC-32 (RFC 1952) where zlib's call costs more than the work: a caller's tail of a few dozen bytes, and the CRC of
 * pieces put together from the CRCs of the pieces. Longer pieces are zlib's.
 *
 * Putting together is arithmetic with polynomials over GF(2), modulo the CRC's: the CRC of A followed by B is
 * crc(A) * x^(8 * length(B)) + crc(B). The power depends on B alone, so it is worked out once, with B.
 */

import { crc32 } from 'node:zlib';

/** From this length on zlib's call pays: 0.35 us for 500 bytes, where the table takes 1.2. */
const zlibBytesMin = 256;

/** The CRC's polynomial, lowest power in the highest bit. */
const polynomial = 0xedb88320;

const table = makeTable();

/** CRC-32 of `bytes[from, to)`, continuing `crc` (0 to begin). */
export function crc32Of(crc: number, bytes: Uint8Array, from: number, to: number): number {
  if (to - from >= zlibBytesMin) return crc32(bytes.subarray(from, to), crc);
  let value = ~crc;
  for (let at = from; at < to; at += 1) {
    value = (table[(value ^ (bytes[at] as number)) & 0xff] as number) ^ (value >>> 8);
  }
  return ~value >>> 0;
}

/** x^(8 * length) modulo the polynomial: what `crc32Join` needs to know of the second piece. */
export function crc32Shift(length: number): number {
  let power = 0x80000000; // x^0
  let square = 0x00800000; // x^8
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power;
}

/** CRC-32 of two pieces, one behind the other. `shift` is `crc32Shift` of the second one's length. */
export function crc32Join(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0;
}

const shifters = new Map<number, (crc: number) => number>();

/**
 * What `crc32Join` makes of the first piece's CRC when the second is always of that length: four look-ups instead of 32
 * steps. The result is to be combined (`^`) with the second piece's CRC. Lengths are remembered: ask for few.
 */
export function crc32Shifter(length: number): (crc: number) => number {
  const known = shifters.get(length);
  if (known !== undefined) return known;
  const shift = crc32Shift(length);
  const products = new Int32Array(4 * 256);
  for (let at = 0; at < products.length; at += 1) {
    products[at] = multiply(shift, ((at & 0xff) << (8 * (at >> 8))) >>> 0);
  }
  const shifter = (crc: number): number =>
    (products[crc & 0xff] as number) ^
    (products[256 + ((crc >>> 8) & 0xff)] as number) ^
    (products[512 + ((crc >>> 16) & 0xff)] as number) ^
    (products[768 + (crc >>> 24)] as number);
  shifters.set(length, shifter);
  return shifter;
}

/** The product of two polynomials modulo the CRC's. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

function makeTable(): Int32Array {
  const entries = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ polynomial;
    }
    entries[byte] = value;
  }
  return entries;
}
