/** Writes the caller's own part behind a rendered body, in the body's buffer: an answer without copying the body. */
import type { Caller } from '../content/caller.js';
import { crc32Of } from './crc32.js';
import {
  endMember,
  gzipEndBytes,
  gzipTrailer,
  storedBlockHead,
  storedBytesMax,
  storedHeadBytes,
} from './gzip.js';
import { gzipBytesMin } from './limits.js';
import { type RenderSlot, tailBytesMax, writeTail } from './render-slot.js';
import { Coding, Form, type RenderedParts } from './render-task.js';

/** An answer's bytes; they hold until the next answer is written, so they are sent before anything else happens. */
export interface AnswerBytes {
  readonly bytes: Uint8Array;
  readonly coding: Coding;
}

/** The answer to one content's request. */
export function answerBytes(slot: RenderSlot, parts: RenderedParts, caller: Caller): AnswerBytes {
  if (slot.form === Form.Plain) return plainAnswer(slot, parts);
  const suffix = slot.suffix(parts.missed);
  const { packed, raw, rawLength } = parts;
  if (packed !== null && (raw === null || rawLength + tailBytesMax(suffix) >= gzipBytesMin)) {
    return { bytes: gzipAnswer(parts, packed, caller, suffix), coding: Coding.Gzip };
  }
  const target = withRoom(raw as Uint8Array, rawLength, tailBytesMax(suffix));
  const end = writeTail(target, rawLength, caller.uid, caller.mod, suffix);
  return { bytes: target.subarray(0, end), coding: Coding.Identity };
}

function plainAnswer(slot: RenderSlot, parts: RenderedParts): AnswerBytes {
  const { packed, packedLength, raw, rawLength } = parts;
  if (packed === null || (raw !== null && rawLength < gzipBytesMin)) {
    return { bytes: (raw as Uint8Array).subarray(0, rawLength), coding: Coding.Identity };
  }
  const end = slot.coding === Coding.Gzip ? packedLength + gzipEndBytes : packedLength;
  return { bytes: packed.subarray(0, end), coding: slot.coding };
}

function gzipAnswer(
  parts: RenderedParts,
  packed: Uint8Array,
  caller: Caller,
  suffix: Uint8Array,
): Uint8Array {
  const { packedLength, rawLength, crc } = parts;
  const tailMax = tailBytesMax(suffix);
  if (tailMax > storedBytesMax) return longMember(parts, packed, caller, suffix);
  const target = withRoom(packed, packedLength, tailMax + gzipEndBytes);
  const from = packedLength + storedHeadBytes;
  const tailLength = writeTail(target, from, caller.uid, caller.mod, suffix) - from;
  return target.subarray(0, endMember(target, packedLength, tailLength, crc, rawLength));
}

/** A tail of more than one stored block: hundreds of rules, each with all the `info` it may have. */
function longMember(
  parts: RenderedParts,
  packed: Uint8Array,
  caller: Caller,
  suffix: Uint8Array,
): Uint8Array {
  const { packedLength, rawLength, crc } = parts;
  const tail = new Uint8Array(tailBytesMax(suffix));
  const length = writeTail(tail, 0, caller.uid, caller.mod, suffix);
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

/** The buffer itself where it has the room; a copy where another content's longer names need more. */
function withRoom(buffer: Uint8Array, length: number, room: number): Uint8Array {
  if (length + room <= buffer.byteLength) return buffer;
  const larger = new Uint8Array(length + room);
  larger.set(buffer.subarray(0, length), 0);
  return larger;
}
