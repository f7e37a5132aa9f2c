/** Makes rendered bodies out of stored JSON and mutations: in the form asked for, with room for the tail. */
import { brotliCompressSync, constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { JsonDocument } from '../../content/json/document.js';
import type { Room } from '../../content/json/room.js';
import type { MutationSource } from '../../content/mapping/mapping.js';
import { brotliQuality, gzipBytesMin, gzipLevel } from '../limits.js';
import { crc32Shift } from './crc32.js';
import type { DocumentWork, Worked } from './document-work.js';
import { endMember, gzipEndBytes, gzipHeader } from './gzip.js';
import { Coding, Form, type RenderedParts, type RenderTask, wrapperHead } from './render-task.js';

const headBytes = Buffer.from(wrapperHead);

/**
 * @param json the stored body, parsed when there are mutations
 * @param allocate makes the buffer of the uncompressed body; without it, and in any case for a compressed one, parts
 *   have buffers of their own, which can be moved
 */
export function renderBody(
  work: DocumentWork,
  task: RenderTask,
  json: JsonDocument | Uint8Array,
  mutations: readonly MutationSource[],
  allocate?: (length: number) => Uint8Array,
): RenderedParts {
  const { form } = task;
  const before = form === Form.Plain ? 0 : headBytes.byteLength;
  const room = { before, after: task.tailRoom, allocate };
  const { buffer, length, missed, dataCrc } = workOn(work, form, json, mutations, room);
  if (before > 0) buffer.set(headBytes, 0);
  const rawLength = before + length;
  const parts = {
    raw: buffer,
    rawLength,
    packed: null,
    packedLength: 0,
    crc: 0,
    crcShift: 0,
    dataCrc,
    missed,
  };
  return task.coding === Coding.Identity ? parts : encodeBody(parts, buffer, task);
}

/**
 * A body in a coding, with bytes of its own. One below 1 KiB keeps the uncompressed bytes: alone it is sent as it is,
 * and among others, or with a long tail, compressed.
 * @param raw its uncompressed bytes, with the room behind them
 */
export function encodeBody(
  { rawLength, missed, dataCrc }: RenderedParts,
  raw: Uint8Array,
  { form, coding, tailRoom }: Pick<RenderTask, 'form' | 'coding' | 'tailRoom'>,
): RenderedParts {
  const body = raw.subarray(0, rawLength);
  const crc = coding === Coding.Gzip ? crc32(body) : 0;
  const packed =
    coding === Coding.Gzip ? deflated(body, crc, form, tailRoom) : whole(compressBrotli(body));
  return {
    ...packed,
    raw: rawLength < gzipBytesMin ? raw : null,
    rawLength,
    crc,
    crcShift: crc32Shift(rawLength),
    dataCrc,
    missed,
  };
}

function workOn(
  work: DocumentWork,
  form: Form,
  json: JsonDocument | Uint8Array,
  mutations: readonly MutationSource[],
  room: Room,
): Worked & Pick<RenderedParts, 'dataCrc'> {
  if (form !== Form.Serialized) {
    const worked =
      json instanceof Uint8Array ? work.copy(json, room) : work.splice(json, mutations, room);
    return { ...worked, dataCrc: -1 };
  }
  const { buffer, missed } =
    json instanceof Uint8Array
      ? { buffer: json, missed: noneMissed }
      : work.splice(json, mutations, { before: 0, after: 0 });
  return { ...work.quote(buffer, room), missed, dataCrc: crc32(buffer) };
}

const noneMissed: readonly number[] = [];

interface Packed {
  readonly packed: Uint8Array;
  readonly packedLength: number;
}

/** A member's header and blocks; a plain body, which has no tail, gets the member's end as well. */
function deflated(body: Uint8Array, crc: number, form: Form, tailRoom: number): Packed {
  const blocks = deflateRawSync(body, { level: gzipLevel, finishFlush: constants.Z_SYNC_FLUSH });
  const packedLength = gzipHeader.byteLength + blocks.byteLength;
  const packed = new Uint8Array(packedLength + gzipEndBytes + tailRoom);
  packed.set(gzipHeader, 0);
  packed.set(blocks, gzipHeader.byteLength);
  if (form === Form.Plain) endMember(packed, packedLength, 0, crc, body.byteLength);
  return { packed, packedLength };
}

function whole(packed: Uint8Array): Packed {
  return { packed, packedLength: packed.byteLength };
}

function compressBrotli(bytes: Uint8Array): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  return Uint8Array.from(brotliCompressSync(bytes, { params }));
}

/** Compresses bytes as a whole, for everybody alike. */
export function compressWhole(bytes: Uint8Array, coding: Coding): Uint8Array {
  return coding === Coding.Brotli
    ? compressBrotli(bytes)
    : Uint8Array.from(gzipSync(bytes, { level: gzipLevel }));
}
