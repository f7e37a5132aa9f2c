/** The parts of a gzip member (RFC 1952) that are written around cached deflate blocks (RFC 1951). */
import { crc32Of } from './crc32.js';

/** Magic, deflate, no flags, no time, no extra flags, unknown system. */
export const gzipHeader: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** The most that one stored block holds. */
export const storedBytesMax = 0xffff;
/** Room for what `endMember` adds to a tail: a stored block's head, CRC and length. */
export const gzipEndBytes = 13;

/** Writes the head of a stored block at `at`; its `length` bytes (at most `storedBytesMax`) follow. Returns where. */
export function storedBlockHead(
  target: Uint8Array,
  at: number,
  length: number,
  last: boolean,
): number {
  target[at] = last ? 1 : 0;
  target[at + 1] = length & 0xff;
  target[at + 2] = length >>> 8;
  target[at + 3] = ~length & 0xff;
  target[at + 4] = (~length >>> 8) & 0xff;
  return at + 5;
}

/** Bytes of the head that `storedBlockHead` writes. */
export const storedHeadBytes = 5;

/** Writes a member's end at `at`: CRC-32 and length of all that is uncompressed. Returns where it ends. */
export function gzipTrailer(target: Uint8Array, at: number, crc: number, length: number): number {
  writeUint32(target, at, crc);
  writeUint32(target, at + 4, length);
  return at + 8;
}

/**
 * Ends a member whose deflate blocks, none of them the last, end at `at`. The tail's bytes already stand
 * `storedHeadBytes` behind `at`; at most `storedBytesMax` of them.
 * @param crc CRC-32 of what the blocks stand for and of the first `known` bytes of the tail
 * @param rawLength length of what the blocks stand for
 * @returns where the member ends
 */
export function endMember(
  target: Uint8Array,
  at: number,
  tailLength: number,
  crc: number,
  rawLength: number,
  known = 0,
): number {
  const from = storedBlockHead(target, at, tailLength, true);
  const to = from + tailLength;
  return gzipTrailer(target, to, crc32Of(crc, target, from + known, to), rawLength + tailLength);
}

function writeUint32(target: Uint8Array, at: number, value: number): void {
  target[at] = value & 0xff;
  target[at + 1] = (value >>> 8) & 0xff;
  target[at + 2] = (value >>> 16) & 0xff;
  target[at + 3] = value >>> 24;
}
