import { describe, expect, it } from 'vitest';
import { renderedBytesMax, renderedFreshBytesMax } from '../../../src/delivery/limits.js';
import type { RenderedParts } from '../../../src/delivery/render/render-task.js';
import { type CachedBody, RenderedCache } from '../../../src/delivery/render/rendered-cache.js';

const mebibyte = 1024 * 1024;

function parts(bytes: number): RenderedParts {
  // Only its length counts; the pages are never touched.
  const raw = new Uint8Array(bytes);
  return {
    raw,
    rawLength: bytes,
    packed: null,
    packedLength: 0,
    crc: 0,
    crcShift: 0,
    dataCrc: -1,
    missed: [],
  };
}

const ignore = (): void => undefined;

function get(cache: RenderedCache, key: string, nowMs: number): CachedBody | undefined {
  const body = cache.peek(key);
  if (body !== undefined) cache.touch(body, nowMs);
  return body;
}

describe('the cache of rendered bodies', () => {
  it('keeps what is asked for again while thousands pass through that are not', () => {
    const cache = new RenderedCache(ignore);
    cache.set('hot', parts(1_000), false);
    expect(get(cache, 'hot', 1_000)).toBeDefined();
    const passing = 3 * (renderedBytesMax / mebibyte);
    for (let at = 0; at < passing; at += 1) cache.set(`once-${at}`, parts(mebibyte), false);
    expect(get(cache, 'hot', 2_000)?.parts).not.toBeNull();
    expect(get(cache, 'once-0', 2_000)).toBeUndefined();
    expect(cache.bytes).toBeLessThanOrEqual(renderedBytesMax);
  });

  it('lets go of the bytes of what it evicts, whoever still holds its place', () => {
    const cache = new RenderedCache(ignore);
    const place = cache.set('evicted', parts(mebibyte), false);
    for (let at = 0; at < renderedFreshBytesMax / mebibyte; at += 1) {
      cache.set(`${at}`, parts(mebibyte), false);
    }
    expect(place.parts).toBeNull();
    expect(cache.evictions).toBe(1 + renderedFreshBytesMax / mebibyte - cache.entries);
    expect(cache.evictions).toBeGreaterThan(0);
  });

  it('does not hold on to a body larger than itself', () => {
    const cache = new RenderedCache(ignore);
    expect(cache.set('huge', parts(renderedBytesMax), false).parts).toBeNull();
    expect(cache.bytes).toBe(0);
    expect(cache.evictions).toBe(0);
  });

  it('moves a body that proves itself without losing it', () => {
    const cache = new RenderedCache(ignore);
    const body = cache.set('a', parts(1_000), false);
    cache.touch(body, 1_000);
    expect(body.parts).not.toBeNull();
    expect(cache.entries).toBe(1);
    expect(cache.evictions).toBe(0);
    expect(get(cache, 'a', 5_000)).toBe(body);
  });

  it('hands on the memory of a recycled body when it is evicted, not when it moves', () => {
    const given: Uint8Array[] = [];
    const cache = new RenderedCache((bytes) => given.push(bytes));
    const first = parts(mebibyte);
    const body = cache.set('recycled', first, true);
    cache.touch(body, 1_000);
    expect(given).toEqual([]);
    for (let at = 0; at < renderedBytesMax / mebibyte; at += 1) {
      cache.touch(cache.set(`${at}`, parts(mebibyte), false), 1_000);
    }
    expect(given).toHaveLength(1);
    expect(given[0]).toBe(first.raw);
    expect(body.parts).toBeNull();
  });
});
