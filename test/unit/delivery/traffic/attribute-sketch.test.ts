import { describe, expect, it } from 'vitest';
import {
  attributeNameCharsMax,
  attributeNamesMax,
  attributeNamesPerRequestMax,
  attributeRequestsFirst,
  attributeSampleEvery,
} from '../../../../src/delivery/limits.js';
import { AttributeSketch } from '../../../../src/delivery/traffic/attribute-sketch.js';

const dayMs = 24 * 3_600_000;
const named = (count: number, prefix: string): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]));

/** A sketch past its first requests, that looks at every n-th from the next one on. */
function settled(passes: number, now: () => number = () => 0): AttributeSketch {
  const sketch = new AttributeSketch(now, () => passes / (2 * attributeSampleEvery - 1));
  for (let count = 0; count < attributeRequestsFirst; count += 1) sketch.note({});
  return sketch;
}

describe('the names of attributes that requests carry', () => {
  it('are given once a day, each, without values', () => {
    let now = 5 * dayMs;
    const sketch = new AttributeSketch(() => now);
    sketch.note({ country: 'DE', level: 3 });
    sketch.note({ country: 'FR', vip: true });
    expect(sketch.take()).toEqual(['country', 'level', 'vip']);
    sketch.note({ country: 'FR' });
    expect(sketch.take()).toEqual([]);
    now += dayMs;
    sketch.note({ country: 'FR' });
    expect(sketch.take()).toEqual(['country']);
  });

  it('are looked for in the first requests, and then in some', () => {
    const sketch = settled(9);
    sketch.note({ looked: 1 });
    for (let count = 0; count < 9; count += 1) sketch.note({ passed: 1 });
    expect(sketch.take()).toEqual(['looked']);
    sketch.note({ again: 1 });
    expect(sketch.take()).toEqual(['again']);
  });

  it('are looked for in one of 64 requests', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const sketch = new AttributeSketch(() => 0, random);
    for (let count = 0; count < attributeRequestsFirst; count += 1) sketch.note({});
    let looked = 0;
    const attributes = {
      get country() {
        return 1;
      },
    };
    const watched = new Proxy(attributes, {
      ownKeys: (target) => {
        looked += 1;
        return Reflect.ownKeys(target);
      },
    });
    const requests = 64_000;
    for (let count = 0; count < requests; count += 1) sketch.note(watched);
    expect(looked).toBeGreaterThan((requests / attributeSampleEvery) * 0.9);
    expect(looked).toBeLessThan((requests / attributeSampleEvery) * 1.1);
  });

  it('are bounded in number: a name of another day makes room, one of today does not', () => {
    let now = 0;
    const sketch = new AttributeSketch(() => now);
    const half = attributeNamesMax / 2;
    for (let at = 0; at < attributeNamesMax; at += half / 5) {
      sketch.note(
        Object.fromEntries(Object.entries(named(attributeNamesMax, 'a')).slice(at, at + half / 5)),
      );
    }
    expect(sketch.take()).toHaveLength(attributeNamesMax);
    sketch.note({ late: 1 });
    expect(sketch.take()).toEqual([]);
    now += dayMs;
    sketch.note({ a0: 1, late: 1 });
    expect(sketch.take()).toEqual(['a0', 'late']);
    // a1 made room for it.
    sketch.note({ a1: 1 });
    expect(sketch.take()).toEqual(['a1']);
  });

  it('are bounded in one request, and in length', () => {
    const sketch = new AttributeSketch(() => 0);
    sketch.note(named(attributeNamesPerRequestMax + 10, 'a'));
    expect(sketch.take()).toHaveLength(attributeNamesPerRequestMax);
    sketch.note({
      ['x'.repeat(attributeNameCharsMax)]: 1,
      ['y'.repeat(attributeNameCharsMax + 1)]: 1,
    });
    expect(sketch.take()).toEqual(['x'.repeat(attributeNameCharsMax)]);
  });

  it('are those that a condition can address and a store can hold', () => {
    const sketch = new AttributeSketch(() => 0);
    sketch.note(
      JSON.parse(
        '{"":1,"a.b":1,"a\\u0000b":1,"\\ud800":1,"a\\nb":1,"__proto__":1,"größe":1,"\\ud83d\\ude00":1,"a b":1}',
      ),
    );
    expect(sketch.take()).toEqual(['__proto__', 'größe', '\u{1f600}', 'a b']);
  });
});
