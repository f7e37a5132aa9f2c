/** Keeps rendered bodies, bounded in bytes, so that what is asked for again is not driven out by what is not. */
import { LRUCache } from 'lru-cache';
import { CachedTail } from './caller-tail.js';
import { renderedBytesMax, renderedFreshBytesMax } from './limits.js';
import type { RenderedParts } from './render-task.js';

/** A body's place in the cache. Slots hold on to these, so an evicted one lets go of the bytes. */
export class CachedBody {
  /** Null once it is evicted. */
  parts: RenderedParts | null;
  readonly bytes: number;
  /** Asked for more than once. */
  proven = false;
  /** When the cache last heard that it is in use, milliseconds since the epoch. */
  touchedAtMs = 0;

  /** What stands in the room behind the body; null once it is evicted. */
  tail: CachedTail | null = new CachedTail();

  constructor(parts: RenderedParts) {
    this.parts = parts;
    this.bytes = (parts.raw?.byteLength ?? 0) + (parts.packed?.byteLength ?? 0);
  }
}

/** What an entry costs beside its bytes: key, objects, map slots. */
const entryBytesOverhead = 512;
/** How often a body in use is moved to the front: a cache that is turned over more often than that is too small. */
const touchMs = 250;

/**
 * Two LRU caches. A body begins in the fresh one, and moves to the proven one when it is asked for again: thousands of
 * bodies that are each asked for once pass through the former, and the latter does not notice (bench/http/mixed).
 */
export class RenderedCache {
  readonly #fresh: LRUCache<string, CachedBody> = makeCache(renderedFreshBytesMax);
  readonly #proven: LRUCache<string, CachedBody> = makeCache(
    renderedBytesMax - renderedFreshBytesMax,
  );

  get(key: string, nowMs: number): CachedBody | undefined {
    const body = this.#proven.peek(key) ?? this.#fresh.peek(key);
    if (body !== undefined) this.touch(key, body, nowMs);
    return body;
  }

  /** Tells that a body is in use that somebody holds on to. */
  touch(key: string, body: CachedBody, nowMs: number): void {
    if (nowMs - body.touchedAtMs < touchMs) return;
    body.touchedAtMs = nowMs;
    if (body.proven) {
      this.#proven.get(key);
      return;
    }
    const { parts, tail } = body;
    this.#fresh.delete(key);
    body.parts = parts;
    body.tail = tail;
    body.proven = true;
    this.#proven.set(key, body);
  }

  set(key: string, parts: RenderedParts): CachedBody {
    const body = new CachedBody(parts);
    this.#fresh.set(key, body);
    // Larger than the whole cache: it is not kept, so nobody may hold on to it through its place.
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

function makeCache(maxSize: number): LRUCache<string, CachedBody> {
  return new LRUCache<string, CachedBody>({
    maxSize,
    sizeCalculation: (body, key) => body.bytes + key.length + entryBytesOverhead,
    dispose: letGo,
  });
}

function letGo(body: CachedBody): void {
  body.parts = null;
  body.tail = null;
}
