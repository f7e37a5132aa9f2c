/** Keeps rendered bodies, bounded in bytes, so that what is asked for again is not driven out by what is not (D16). */
import { LRUCache } from 'lru-cache';
import { renderedBytesMax, renderedFreshBytesMax } from '../limits.js';
import { CachedTail } from './caller-tail.js';
import type { RenderedParts } from './render-task.js';

/** A body's place in the cache. Slots hold on to these, so an evicted one lets go of the bytes. */
export class CachedBody {
  readonly key: string;
  /** Null once it is evicted. */
  parts: RenderedParts | null;
  readonly bytes: number;
  /** Its bytes were made in memory that the next body may be given. */
  readonly isRecycled: boolean;
  /** Asked for more than once. */
  proven = false;
  /** When the cache was last notified that it is in use, milliseconds since the epoch. */
  touchedAtMs = 0;

  /** What stands in the room behind the body; null once it is evicted. */
  tail: CachedTail | null = new CachedTail();

  constructor(key: string, parts: RenderedParts, isRecycled: boolean) {
    this.key = key;
    this.parts = parts;
    this.isRecycled = isRecycled;
    this.bytes = (parts.raw?.buffer.byteLength ?? 0) + (parts.packed?.byteLength ?? 0);
  }
}

/** What an entry costs beside its bytes and its key: objects, buffers' heads, map slots. Measured: 940 bytes. */
const entryBytesOverhead = 900;
/** How often a body in use is moved to the front: a cache that is turned over more often than that is too small. */
const touchMs = 250;

/**
 * Two LRU caches. A body begins in the fresh one, and moves to the proven one when it is asked for again: thousands of
 * bodies that are each asked for once pass through the former, and the latter does not notice (bench/http/mixed).
 */
export class RenderedCache {
  readonly #fresh: LRUCache<string, CachedBody>;
  readonly #proven: LRUCache<string, CachedBody>;
  /** Bodies that gave way to others. */
  evictions = 0;

  /** @param onEvicted takes back the memory of a recycled body */
  constructor(onEvicted: (bytes: Uint8Array) => void) {
    const dispose = (body: CachedBody, _key: string, reason: string): void => {
      // A body that moves from one cache to the other keeps what it has.
      if (reason === 'delete') return;
      if (reason === 'evict') this.evictions += 1;
      const raw = body.parts?.raw ?? null;
      letGo(body);
      if (body.isRecycled && raw !== null) onEvicted(raw);
    };
    this.#fresh = makeCache(renderedFreshBytesMax, dispose);
    this.#proven = makeCache(renderedBytesMax - renderedFreshBytesMax, dispose);
  }

  /** Finds a body without telling that it is in use (`touch`). */
  peek(key: string): CachedBody | undefined {
    return this.#proven.peek(key) ?? this.#fresh.peek(key);
  }

  /** Tells that a body that is found or held on to is in use. */
  touch(body: CachedBody, nowMs: number): void {
    if (nowMs - body.touchedAtMs < touchMs) return;
    body.touchedAtMs = nowMs;
    const { key } = body;
    if (body.proven) {
      this.#proven.get(key);
      return;
    }
    this.#fresh.delete(key);
    body.proven = true;
    this.#proven.set(key, body);
  }

  set(key: string, parts: RenderedParts, isRecycled: boolean): CachedBody {
    const body = new CachedBody(key, parts, isRecycled);
    this.#fresh.set(key, body);
    // Larger than the whole cache: it is not kept, so nothing may hold on to it through its place.
    if (this.#fresh.peek(key) !== body) letGo(body);
    return body;
  }

  get bytes(): number {
    return this.#fresh.calculatedSize + this.#proven.calculatedSize;
  }

  get entries(): number {
    return this.#fresh.size + this.#proven.size;
  }
}

function makeCache(
  maxSize: number,
  dispose: (body: CachedBody, key: string, reason: string) => void,
): LRUCache<string, CachedBody> {
  return new LRUCache<string, CachedBody>({
    maxSize,
    sizeCalculation: (body, key) => body.bytes + key.length + entryBytesOverhead,
    dispose,
  });
}

function letGo(body: CachedBody): void {
  body.parts = null;
  body.tail = null;
}
