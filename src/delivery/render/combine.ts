/** Puts a combined response together from the same rendered bodies that single responses are made of. */
import { constants, deflateRawSync } from 'node:zlib';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { footDeflatedBytesMax, gzipBytesMin, gzipLevel } from '../limits.js';
import { type TailHead, tailBytesMax, writeTail } from './caller-tail.js';
import { crc32Join, crc32Of } from './crc32.js';
import {
  gzipEndBytes,
  gzipHeader,
  gzipTrailer,
  storedBlockHead,
  storedBytesMax,
  storedHeadBytes,
} from './gzip.js';
import type { RenderSlot } from './render-slot.js';
import type { RenderedParts } from './render-task.js';
import { rawResponse } from './responses.js';

/** One entry of the response. */
export interface CombinedEntry {
  /** `"id":` with the comma before it. */
  readonly name: Uint8Array;
  readonly slot: RenderSlot | null;
  /** Null: the content is not there, and `name` holds the whole entry. */
  readonly parts: RenderedParts | null;
  /** What its tail ends with: `suffixOf` the slot, or `RenderSlot.refreshSuffix`. Null: it has no tail. */
  readonly suffix: Uint8Array | null;
}

/** What stands around the entries. */
export interface Envelope {
  readonly head: Uint8Array;
  readonly foot: Uint8Array;
}

/** A response that is an object of entries and nothing else. */
export const bareEnvelope: Envelope = { head: Uint8Array.of(0x7b), foot: Uint8Array.of(0x7d) };

/** The official SDKs know a failed entry by its being a string. */
export function failedValue(id: string): string {
  return JSON.stringify(
    `Error 404, no published content of this environment has the id ${id} for this app version.`,
  );
}

/** What deflating bytes that do not compress adds at most, up to `footDeflatedBytesMax` of them. */
const deflateBytesMore = 256;

const smallBytes = 256 * 1024;
/** Responses of ordinary size are put together here: they are sent or copied before the next one is. */
const scratch: Uint8Array = new Uint8Array(smallBytes);

/**
 * The single responses side by side.
 * @param bytesMax not asked of a single entry: what one call delivers alone, this one does too
 * @returns null when the response might be larger than `bytesMax`
 */
export function combine(
  entries: readonly CombinedEntry[],
  caller: EvaluationContext,
  bytesMax: number,
  { head, foot }: Envelope = bareEnvelope,
): Uint8Array | null {
  let size = head.byteLength + foot.byteLength;
  for (const { name, slot, parts, suffix } of entries) {
    size += name.byteLength;
    if (parts !== null && slot !== null) size += parts.rawLength + tailMaxOf(slot, suffix);
  }
  if (size > bytesMax && entries.length > 1) return null;
  const target = size <= smallBytes ? scratch : Buffer.allocUnsafeSlow(size);
  let at = append(target, 0, head);
  for (const { name, slot, parts, suffix } of entries) {
    at = append(target, at, name);
    if (parts === null || slot === null) continue;
    const response = rawResponse(slot, parts, caller, suffix);
    target.set(response, at);
    at += response.length;
  }
  return target.subarray(0, append(target, at, foot));
}

/**
 * The same response as a gzip member: the bodies' deflate blocks, what stands between them in stored blocks, and one CRC
 * from all of theirs. A body that has no blocks (it is small) is stored. `bytesMax` is of the compressed response.
 */
export function combineGzip(
  entries: readonly CombinedEntry[],
  caller: EvaluationContext,
  bytesMax: number,
  { head, foot }: Envelope = bareEnvelope,
): Uint8Array | null {
  const around = head.byteLength + foot.byteLength;
  const isLong = gzipBytesMin <= foot.byteLength && foot.byteLength <= footDeflatedBytesMax;
  let size = gzipHeader.byteLength + gzipEndBytes + around + (isLong ? deflateBytesMore : 0);
  size += storedHeadBytes * Math.floor(around / storedBytesMax);
  for (const { name, slot, parts, suffix } of entries) {
    size += name.byteLength + 2 * storedHeadBytes;
    if (parts === null || slot === null) continue;
    const body = parts.packed === null ? parts.rawLength : parts.packedLength;
    const between = tailMaxOf(slot, suffix);
    size +=
      body + between + storedHeadBytes * Math.ceil((parts.rawLength + between) / storedBytesMax);
  }
  if (size > bytesMax && entries.length > 1) return null;
  const member = new Member(size <= smallBytes ? scratch : Buffer.allocUnsafeSlow(size));
  member.store(head, 0, head.byteLength);
  for (const { name, slot, parts, suffix } of entries) {
    member.store(name, 0, name.byteLength);
    if (parts === null || slot === null) continue;
    if (parts.packed === null) member.store(parts.raw as Uint8Array, 0, parts.rawLength);
    else member.blocks(parts, parts.packed);
    if (suffix !== null) member.storeTail(slot.head, caller, suffix);
  }
  // The last byte is stored in any case: a block must be the last one.
  const from = isLong ? foot.byteLength - 1 : 0;
  if (isLong) member.deflate(foot, from);
  member.store(foot, from, foot.byteLength);
  return member.end();
}

/** Writes a gzip member from pieces. Stored bytes are gathered into blocks that deflate blocks interrupt. */
class Member {
  readonly #target: Uint8Array;
  #at: number;
  /** Where the head of the stored block under way stands; -1: none is. */
  #block = -1;
  #crc = 0;
  #length = 0;

  constructor(target: Uint8Array) {
    this.#target = target;
    target.set(gzipHeader, 0);
    this.#at = gzipHeader.byteLength;
  }

  store(bytes: Uint8Array, from: number, to: number): void {
    this.#copy(bytes, from, to);
    this.#crc = crc32Of(this.#crc, bytes, from, to);
  }

  storeTail(head: TailHead, { uid, mod }: EvaluationContext, suffix: Uint8Array): void {
    const end = writeTail(tailScratch(head, suffix), 0, head, uid, mod, suffix);
    this.#copy(tail, 0, end);
    this.#crc = crc32Of(head.crcBehind(this.#crc), tail, head.length, end);
  }

  blocks(parts: RenderedParts, packed: Uint8Array): void {
    this.#closeBlock(false);
    const deflated = packed.subarray(gzipHeader.byteLength, parts.packedLength);
    this.#target.set(deflated, this.#at);
    this.#at += deflated.byteLength;
    this.#crc = crc32Join(this.#crc, parts.crc, parts.crcShift);
    this.#length += parts.rawLength;
  }

  /** The first `to` of these bytes, which nothing has compressed yet. */
  deflate(bytes: Uint8Array, to: number): void {
    this.#closeBlock(false);
    const raw = bytes.subarray(0, to);
    const deflated = deflateRawSync(raw, {
      level: gzipLevel,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#target.set(deflated, this.#at);
    this.#at += deflated.byteLength;
    this.#crc = crc32Of(this.#crc, bytes, 0, to);
    this.#length += to;
  }

  end(): Uint8Array {
    // The foot was stored last, so there is a block to be the last one.
    this.#closeBlock(true);
    const end = gzipTrailer(this.#target, this.#at, this.#crc, this.#length);
    return this.#target.subarray(0, end);
  }

  /** Into stored blocks; the CRC is the caller's to continue. */
  #copy(bytes: Uint8Array, from: number, to: number): void {
    let next = from;
    while (next < to) {
      if (this.#block < 0) {
        this.#block = this.#at;
        this.#at += storedHeadBytes;
      }
      const used = this.#at - this.#block - storedHeadBytes;
      const count = Math.min(to - next, storedBytesMax - used);
      if (count === 0) {
        this.#closeBlock(false);
        continue;
      }
      this.#target.set(bytes.subarray(next, next + count), this.#at);
      this.#at += count;
      next += count;
    }
    this.#length += to - from;
  }

  #closeBlock(last: boolean): void {
    if (this.#block < 0) return;
    const length = this.#at - this.#block - storedHeadBytes;
    storedBlockHead(this.#target, this.#block, length, last);
    this.#block = -1;
  }
}

let tail = new Uint8Array(4096);

function tailScratch(head: TailHead, suffix: Uint8Array): Uint8Array {
  const size = tailBytesMax(head, suffix);
  if (tail.byteLength < size) tail = new Uint8Array(2 * size);
  return tail;
}

function tailMaxOf({ head }: RenderSlot, suffix: Uint8Array | null): number {
  return suffix === null ? 0 : tailBytesMax(head, suffix);
}

/** A typed array's own `set` takes 50 ns however little it copies: names are shorter than that. */
const loopBytesMax = 48;

function append(target: Uint8Array, at: number, bytes: Uint8Array): number {
  const { length } = bytes;
  if (length > loopBytesMax) target.set(bytes, at);
  else for (let i = 0; i < length; i += 1) target[at + i] = bytes[i] as number;
  return at + length;
}
