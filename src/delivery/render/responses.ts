/** Writes the tail behind a rendered body, in the body's buffer: a response without copying the body (D8). */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { gzipBytesMin } from '../limits.js';
import {
  type CachedTail,
  idsBytes,
  type TailHead,
  tailBytesMax,
  writeTail,
} from './caller-tail.js';
import { crc32Of } from './crc32.js';
import {
  endMember,
  gzipEndBytes,
  gzipTrailer,
  storedBlockHead,
  storedBytesMax,
  storedHeadBytes,
} from './gzip.js';
import type { RenderSlot } from './render-slot.js';
import { Coding, Form, type RenderedParts } from './render-task.js';

/** A response's bytes; they hold until the next response is written, so they are sent before anything else happens. */
export interface ResponseBytes {
  readonly bytes: Uint8Array;
  readonly coding: Coding;
}

/** The response to a request for one content. */
export function responseBytes(
  slot: RenderSlot,
  parts: RenderedParts,
  caller: EvaluationContext,
): ResponseBytes {
  const { packed, packedLength, raw } = parts;
  if (packed === null || (raw !== null && responseLength(slot, parts, caller) < gzipBytesMin)) {
    const bytes = rawResponse(slot, parts, caller, suffixOf(slot, parts));
    return { bytes, coding: Coding.Identity };
  }
  if (slot.form !== Form.Plain) {
    return { bytes: gzipResponse(slot, parts, packed, caller), coding: Coding.Gzip };
  }
  const end = slot.coding === Coding.Gzip ? packedLength + gzipEndBytes : packedLength;
  return { bytes: viewOf(tailOf(slot, parts), packed, end), coding: slot.coding };
}

/** How many bytes the response has without a coding. */
export function responseLength(
  slot: RenderSlot,
  { rawLength, missed }: RenderedParts,
  { uid, mod }: EvaluationContext,
): number {
  if (slot.form === Form.Plain) return rawLength;
  return rawLength + slot.head.length + idsBytes(uid, mod) + slot.suffix(missed).byteLength;
}

/** What the tail of a response ends with; null: a plain one has no tail. */
export function suffixOf(slot: RenderSlot, { missed }: RenderedParts): Uint8Array | null {
  return slot.form === Form.Plain ? null : slot.suffix(missed);
}

/**
 * The response without a coding. The parts have their uncompressed bytes.
 * @param suffix `suffixOf` the slot, or its `refreshSuffix`
 */
export function rawResponse(
  slot: RenderSlot,
  parts: RenderedParts,
  caller: EvaluationContext,
  suffix: Uint8Array | null,
): Uint8Array {
  const { rawLength } = parts;
  const raw = parts.raw as Uint8Array;
  const tail = tailOf(slot, parts);
  if (suffix === null) return viewOf(tail, raw, rawLength);
  const target = withRoom(raw, rawLength, tailBytesMax(slot.head, suffix));
  const kept = target === raw ? tail : null;
  return viewOf(kept, target, write(kept, target, rawLength, slot.head, caller, suffix));
}

function gzipResponse(
  slot: RenderSlot,
  parts: RenderedParts,
  packed: Uint8Array,
  caller: EvaluationContext,
): Uint8Array {
  const { packedLength, rawLength } = parts;
  const { head } = slot;
  const suffix = slot.suffix(parts.missed);
  const tailMax = tailBytesMax(head, suffix);
  if (tailMax > storedBytesMax) return longMember(parts, packed, head, caller, suffix);
  const target = withRoom(packed, packedLength, tailMax + gzipEndBytes);
  const kept = target === packed ? tailOf(slot, parts) : null;
  const from = packedLength + storedHeadBytes;
  const tailLength = write(kept, target, from, head, caller, suffix) - from;
  const crc = head.crcBehind(parts.crc);
  const known = head.length;
  return viewOf(kept, target, endMember(target, packedLength, tailLength, crc, rawLength, known));
}

/** A tail of more than one stored block: hundreds of rules, each with all the `info` it may have. */
function longMember(
  parts: RenderedParts,
  packed: Uint8Array,
  head: TailHead,
  caller: EvaluationContext,
  suffix: Uint8Array,
): Uint8Array {
  const { packedLength, rawLength, crc } = parts;
  const tail = new Uint8Array(tailBytesMax(head, suffix));
  const length = writeTail(tail, 0, head, caller.uid, caller.mod, suffix);
  const blocks = Math.ceil(length / storedBytesMax);
  const target = withRoom(packed, packedLength, length + blocks * storedHeadBytes + gzipEndBytes);
  let at = packedLength;
  for (let from = 0; from < length; from += storedBytesMax) {
    const to = Math.min(length, from + storedBytesMax);
    at = storedBlockHead(target, at, to - from, to === length);
    target.set(tail.subarray(from, to), at);
    at += to - from;
  }
  return target.subarray(
    0,
    gzipTrailer(target, at, crc32Of(crc, tail, 0, length), rawLength + length),
  );
}

/** What is known of the room behind the body; null when the body is not kept. */
function tailOf({ body }: RenderSlot, parts: RenderedParts): CachedTail | null {
  return body !== null && body.parts === parts ? body.tail : null;
}

function write(
  kept: CachedTail | null,
  target: Uint8Array,
  at: number,
  head: TailHead,
  { uid, mod }: EvaluationContext,
  suffix: Uint8Array,
): number {
  return kept === null
    ? writeTail(target, at, head, uid, mod, suffix)
    : kept.write(target, at, head, uid, mod, suffix);
}

function viewOf(kept: CachedTail | null, target: Uint8Array, end: number): Uint8Array {
  return kept === null ? target.subarray(0, end) : kept.view(target, end);
}

/** The buffer itself where it has the room; a copy where another content's longer names need more. */
function withRoom(buffer: Uint8Array, length: number, room: number): Uint8Array {
  if (length + room <= buffer.byteLength) return buffer;
  const larger = new Uint8Array(length + room);
  larger.set(buffer.subarray(0, length), 0);
  return larger;
}
