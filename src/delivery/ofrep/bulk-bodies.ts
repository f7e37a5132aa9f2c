/** Keeps bulk evaluations without the caller's part, bounded in bytes, and writes that part behind them. */
import { LRUCache } from 'lru-cache';
import {
  bulkInlineGzipBytesMax,
  bulkKeptBytesMax,
  bulksKeptBytesMax,
  gzipBytesMin,
} from '../limits.js';
import { encodeBody } from '../render/body-renderer.js';
import { endMember, gzipEndBytes, storedHeadBytes } from '../render/gzip.js';
import { Coding, Form, type RenderedParts } from '../render/render-task.js';
import type { ResponseBytes } from '../render/responses.js';

const overheadBytes = 1_000;
const head = Buffer.from('{"flags":[');
const foot = Buffer.from(']');
const noneMissed: readonly number[] = [];

/** `{"flags":[…]`: the same for all players who get the same. */
export class BulkBody {
  readonly raw: Uint8Array;
  /** Gzip: the member's header and its blocks; null until it is asked for again. */
  packed: RenderedParts | null = null;
  isProven = false;

  /** @param items each an evaluation, JSON */
  constructor(items: readonly Uint8Array[]) {
    let length = head.byteLength + foot.byteLength + Math.max(0, items.length - 1);
    for (const item of items) length += item.byteLength;
    const raw = new Uint8Array(length);
    raw.set(head, 0);
    let at = head.byteLength;
    for (const [place, item] of items.entries()) {
      if (place > 0) raw[at++] = comma;
      raw.set(item, at);
      at += item.byteLength;
    }
    raw.set(foot, at);
    this.raw = raw;
  }

  get size(): number {
    return overheadBytes + this.raw.byteLength + (this.packed?.packedLength ?? 0);
  }
}

const comma = 0x2c;

export class BulkBodies {
  readonly #kept = new LRUCache<string, BulkBody>({
    maxSize: bulksKeptBytesMax,
    maxEntrySize: bulkKeptBytesMax,
    sizeCalculation: (body, key) => body.size + key.length,
    dispose: (_body, _key, reason) => {
      if (reason === 'evict') this.evictions += 1;
    },
  });
  /** Bodies that gave way to others. */
  evictions = 0;

  /** What all of them hold in memory. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  find(key: string): BulkBody | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, body: BulkBody): void {
    this.#kept.set(key, body);
  }

  /**
   * The response, of memory of its own. A body that is asked for again is compressed once, and each caller's part stands
   * behind its blocks in a stored one (D8).
   * @param tail what follows the flags, to the end of the object: less than 64 KiB
   */
  response(key: string, body: BulkBody, tail: Uint8Array, isGzip: boolean): ResponseBytes {
    const { raw } = body;
    const length = raw.byteLength + tail.byteLength;
    if (isGzip && length >= gzipBytesMin && raw.byteLength <= bulkInlineGzipBytesMax) {
      if (body.packed === null && body.isProven) this.#pack(key, body);
      body.isProven = true;
      if (body.packed !== null) return { bytes: gzipped(body.packed, tail), coding: Coding.Gzip };
    }
    const bytes = new Uint8Array(length);
    bytes.set(raw, 0);
    bytes.set(tail, raw.byteLength);
    return { bytes, coding: Coding.Identity };
  }

  #pack(key: string, body: BulkBody): void {
    const parts = { rawLength: body.raw.byteLength, missed: noneMissed, dataCrc: -1 };
    const task = { form: Form.Wrapped, coding: Coding.Gzip, tailRoom: 0 };
    body.packed = encodeBody(parts as RenderedParts, body.raw, task);
    // Counted again, unless it is forgotten. The cache looks at the size of a new entry only.
    if (this.#kept.peek(key) !== body) return;
    this.#kept.delete(key);
    this.#kept.set(key, body);
  }
}

function gzipped({ packed, packedLength, crc, rawLength }: RenderedParts, tail: Uint8Array) {
  const from = packedLength + storedHeadBytes;
  const target = new Uint8Array(packedLength + gzipEndBytes + tail.byteLength);
  target.set((packed as Uint8Array).subarray(0, packedLength), 0);
  target.set(tail, from);
  return target.subarray(0, endMember(target, packedLength, tail.byteLength, crc, rawLength));
}
