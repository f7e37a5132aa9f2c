/**
 * What a wrapped response has behind a body that many share: `,"hash":"…","meta":{"uid":uid,"mod":mod,"seg":[…]}}`. The
 * hash is the content's, the rest is the caller's.
 */
import { crc32Of, crc32Shifter } from './crc32.js';

/** Room for `uid` and `mod` with what stands between: 10 and 3 digits, `,"mod":`. */
const idsBytesMax = 20;

/** The tail's beginning, up to where `uid` is written. Made once per line. */
export class TailHead {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly #crc: number;
  readonly #shifted: (crc: number) => number;

  /** @param hash as callers see it: 16 hex digits */
  constructor(hash: string) {
    this.bytes = Uint8Array.from(Buffer.from(`,"hash":"${hash}","meta":{"uid":`));
    this.length = this.bytes.byteLength;
    this.#crc = crc32Of(0, this.bytes, 0, this.length);
    this.#shifted = crc32Shifter(this.length);
  }

  /** CRC-32 of bytes whose CRC is `crc` and of this head behind them: 5 ns, where going over it again takes 100. */
  crcBehind(crc: number): number {
    return (this.#shifted(crc) ^ this.#crc) >>> 0;
  }
}

/** The most bytes that a tail with this head and this suffix (`,"seg":…`, render-slot.ts) has. */
export function tailBytesMax(head: TailHead, suffix: Uint8Array): number {
  return head.length + idsBytesMax + suffix.byteLength;
}

/** The bytes that `uid` and `mod` take in a tail, with what stands between. */
export function idsBytes(uid: number, mod: number): number {
  return digitsOf(uid) + modName.byteLength + digitsOf(mod);
}

/** Writes a tail at `at`. Returns where it ends. */
export function writeTail(
  target: Uint8Array,
  at: number,
  head: TailHead,
  uid: number,
  mod: number,
  suffix: Uint8Array,
): number {
  target.set(head.bytes, at);
  const uidAt = at + head.length;
  const modAt = uidAt + digitsOf(uid) + modName.byteLength;
  const end = modAt + digitsOf(mod);
  writeRest(target, uidAt, modAt, end, uid, mod, suffix);
  return end + suffix.byteLength;
}

/** What follows the head, with `uid` at `uidAt` and `mod` in `[modAt, end)`. */
function writeRest(
  target: Uint8Array,
  uidAt: number,
  modAt: number,
  end: number,
  uid: number,
  mod: number,
  suffix: Uint8Array,
): void {
  target.set(modName, modAt - modName.byteLength);
  target.set(suffix, end);
  writeDigits(target, uidAt, modAt - modName.byteLength, uid);
  writeDigits(target, modAt, end, mod);
}

/**
 * What the room behind a cached body holds: the last response's tail. The next one mostly differs in the digits alone,
 * and writing just those takes 40 ns where all of it takes 190. A head that stands there already is not written again.
 */
export class CachedTail {
  #target: Uint8Array | null = null;
  #head: TailHead | null = null;
  #suffix: Uint8Array | null = null;
  #modAt = 0;
  #end = 0;
  #view: Uint8Array | null = null;
  #viewed: Uint8Array | null = null;
  #viewEnd = 0;

  /** Writes a tail at `at`, always the same for one target, and nothing else writes there. Returns where it ends. */
  write(
    target: Uint8Array,
    at: number,
    head: TailHead,
    uid: number,
    mod: number,
    suffix: Uint8Array,
  ): number {
    const uidAt = at + head.length;
    const modAt = uidAt + digitsOf(uid) + modName.byteLength;
    const end = modAt + digitsOf(mod);
    const isHeadKnown = target === this.#target && head === this.#head;
    if (isHeadKnown && suffix === this.#suffix && modAt === this.#modAt && end === this.#end) {
      writeDigits(target, uidAt, modAt - modName.byteLength, uid);
      writeDigits(target, modAt, end, mod);
      return end + suffix.byteLength;
    }
    if (!isHeadKnown) target.set(head.bytes, at);
    writeRest(target, uidAt, modAt, end, uid, mod, suffix);
    this.#target = target;
    this.#head = head;
    this.#suffix = suffix;
    this.#modAt = modAt;
    this.#end = end;
    return end + suffix.byteLength;
  }

  /** The first `end` bytes; most responses from one body have the same length, and making a view takes 90 ns. */
  view(target: Uint8Array, end: number): Uint8Array {
    const held = this.#view;
    if (held !== null && target === this.#viewed && end === this.#viewEnd) return held;
    const view = target.subarray(0, end);
    this.#view = view;
    this.#viewed = target;
    this.#viewEnd = end;
    return view;
  }
}

const modName = Buffer.from(',"mod":');
const zero = 0x30;

/** Decimal digits of an unsigned 32-bit integer. */
function digitsOf(value: number): number {
  if (value < 1e3) return value < 10 ? 1 : value < 100 ? 2 : 3;
  if (value >= 1e9) return 10;
  let digits = 4;
  for (let limit = 1e4; value >= limit; limit *= 10) digits += 1;
  return digits;
}

/** Writing digits by hand makes no string; `>>> 0` says that the division is one of integers, which takes a third. */
function writeDigits(target: Uint8Array, from: number, to: number, value: number): void {
  let rest = value >>> 0;
  for (let place = to - 1; place >= from; place -= 1) {
    const tenth = (rest / 10) >>> 0;
    target[place] = zero + (rest - 10 * tenth);
    rest = tenth;
  }
}
