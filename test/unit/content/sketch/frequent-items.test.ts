import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrequentItems } from '../../../../src/content/sketch/frequent-items.js';

/** Streams in which a few items are frequent and most are not. */
const streams = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 5 }).map((number) => `frequent-${number}`),
    fc.integer({ min: 0, max: 500 }).map((number) => `rare-${number}`),
  ),
  { maxLength: 2_000 },
);

function sketchOf(countersMax: number, stream: readonly string[]): FrequentItems {
  const sketch = new FrequentItems(countersMax);
  for (const item of stream) sketch.add(item, 1, 0);
  return sketch;
}

function trueCounts(stream: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of stream) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function expectBounds(sketch: FrequentItems, stream: readonly string[], countersMax: number): void {
  expect(sketch.size).toBeLessThanOrEqual(countersMax);
  expect(sketch.offset).toBeLessThanOrEqual((2 * stream.length) / (countersMax + 1));
  const counted = new Map([...sketch.items()].map(({ item, count }) => [item, count]));
  for (const [item, truth] of trueCounts(stream)) {
    const count = counted.get(item) ?? 0;
    expect(count).toBeLessThanOrEqual(truth);
    expect(count).toBeGreaterThanOrEqual(truth - sketch.offset);
  }
}

describe('the most frequent items', () => {
  it('are counted within the bounds of the algorithm, whatever the stream', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 40 }), (stream, countersMax) => {
        expectBounds(sketchOf(countersMax, stream), stream, countersMax);
      }),
    );
  });

  it('are counted within the same bounds when sketches are merged', () => {
    fc.assert(
      fc.property(
        fc.array(streams, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (parts, countersMax) => {
          const merged = new FrequentItems(countersMax);
          for (const part of parts) {
            const sketch = sketchOf(countersMax, part);
            merged.merge(sketch.items(), sketch.offset);
          }
          expectBounds(merged, parts.flat(), countersMax);
        },
      ),
    );
  });

  it('survive a million items that occur once', () => {
    const sketch = new FrequentItems(64);
    for (let at = 0; at < 1_000_000; at += 1) {
      sketch.add(`made-up-${at}`, 1, at);
      if (at % 10 === 0) sketch.add('broken', 1, at);
    }
    expect(sketch.size).toBeLessThanOrEqual(64);
    const broken = [...sketch.items()].find(({ item }) => item === 'broken');
    expect(broken?.count).toBeGreaterThanOrEqual(100_000 - sketch.offset);
    expect(broken?.lastMs).toBe(999_990);
  });

  it('are exact while they fit', () => {
    const sketch = sketchOf(3, ['a', 'b', 'a', 'c', 'a']);
    expect(sketch.offset).toBe(0);
    expect([...sketch.items()].map(({ item, count }) => [item, count])).toEqual([
      ['a', 3],
      ['b', 1],
      ['c', 1],
    ]);
    sketch.clear();
    expect(sketch.size).toBe(0);
  });
});
