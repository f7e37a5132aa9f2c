/** Puts a gzip member together from cached deflate blocks and a caller's tail (RFC 1951, RFC 1952). */
import { crc32 } from 'node:zlib';

// Magic, deflate, no flags, no time, no extra flags, unknown system.
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
const storedBytesMax = 0xffff;

/**
 * @param deflated raw deflate blocks flushed to a byte boundary (Z_SYNC_FLUSH), none of them the last
 * @param crc CRC-32 of the bytes that `deflated` stands for, and `bytesLength` their number
 * @param tail what follows uncompressed, in stored blocks
 */
export function gzipWithTail(
  deflated: Uint8Array,
  crc: number,
  bytesLength: number,
  tail: Uint8Array,
): Uint8Array {
  const blocks = Math.max(1, Math.ceil(tail.byteLength / storedBytesMax));
  const size = header.byteLength + deflated.byteLength + blocks * 5 + tail.byteLength + 8;
  const member = Buffer.allocUnsafe(size);
  member.set(header, 0);
  let at = header.byteLength;
  member.set(deflated, at);
  at += deflated.byteLength;
  for (let block = 0; block < blocks; block += 1) {
    const from = block * storedBytesMax;
    const length = Math.min(storedBytesMax, tail.byteLength - from);
    member[at] = block === blocks - 1 ? 1 : 0;
    member.writeUInt16LE(length, at + 1);
    member.writeUInt16LE(~length & 0xffff, at + 3);
    member.set(tail.subarray(from, from + length), at + 5);
    at += 5 + length;
  }
  // zlib takes no bytes for a fresh start, and would forget the value it is given.
  member.writeUInt32LE(tail.byteLength === 0 ? crc : crc32(tail, crc), at);
  member.writeUInt32LE((bytesLength + tail.byteLength) >>> 0, at + 4);
  return member;
}

/** Whether an Accept-Encoding header lets the answer be gzip (RFC 9110 12.5.3). */
export function acceptsGzip(acceptEncoding: string): boolean {
  // Nearly every caller sends one of these, and they need no parsing.
  if (acceptEncoding === '') return false;
  if (acceptEncoding === 'gzip, deflate, br' || acceptEncoding === 'gzip') return true;
  let any = false;
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim());
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const accepted = quality === undefined || Number.parseFloat(quality.slice(2)) > 0;
    if (coding !== '*') return accepted;
    any = accepted;
  }
  return any;
}
