import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AssignedSketch,
  sampleMax,
  unionOf,
} from '../../../../src/content/sketch/assigned-sketch.js';
import { HashSet } from '../../../../src/content/sketch/hash-set.js';
import { HyperLogLog, registerCount } from '../../../../src/content/sketch/hyper-log-log.js';
import { decodeSketch, encodeSketch } from '../../../../src/content/sketch/sketch-bytes.js';
import { UserHash } from '../../../../src/content/sketch/user-hash.js';

const key = Buffer.from('0123456789abcdef', 'hex');

function hashesOf(count: number, prefix = 'player-'): [high: number, low: number][] {
  const hash = new UserHash(key);
  return Array.from({ length: count }, (_, at) => {
    hash.hash(`${prefix}${at}`);
    return [hash.high, hash.low];
  });
}

/** The hash as an unsigned integer of 64 bits. */
function numberOf(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) + BigInt(low >>> 0);
}

/** What a sketch is: the estimates' registers, the level and the exact samples, in an order that does not depend on how it came about. */
function stateOf(sketch: AssignedSketch): unknown {
  return {
    level: sketch.level,
    variants: sketch.variants.map((name, at) => {
      const sample: string[] = [];
      sketch.visitSample(at, (high, low) => void sample.push(`${high}:${low}`));
      return {
        name,
        registers: Buffer.from(sketch.registers(at)).toString('hex'),
        sample: sample.sort(),
      };
    }),
  };
}

describe('the hash that users are counted by', () => {
  it('differs for every one of a million ids that differ by little', () => {
    const seen = new HashSet();
    for (const [high, low] of hashesOf(1_000_000)) seen.add(high, low);
    expect(seen.size).toBe(1_000_000);
  });

  it('takes ids of any length and any characters, and depends on the key', () => {
    const [one, other] = [new UserHash(key), new UserHash(Buffer.alloc(8, 1))];
    const texts = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 5_000 }), {
      minLength: 2,
      // Lone surrogates are one character when they are hashed.
      selector: (text) => Buffer.from(text).toString('hex'),
    });
    fc.assert(
      fc.property(texts, (ids) => {
        const hashes = ids.map((id) => {
          one.hash(id);
          return `${one.high}:${one.low}`;
        });
        expect(new Set(hashes).size).toBe(ids.length);
        other.hash(ids[0] as string);
        expect(`${other.high}:${other.low}`).not.toBe(hashes[0]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a HyperLogLog', () => {
  it('estimates within 3 %, from the first user to a million, whatever the ids', () => {
    for (const prefix of ['player-', 'b7f3-', 'ü']) {
      const counter = new HyperLogLog();
      const checks = new Set([
        1, 10, 100, 1_000, 10_000, 30_000, 60_000, 100_000, 300_000, 1_000_000,
      ]);
      for (const [at, [high, low]] of hashesOf(1_000_000, prefix).entries()) {
        counter.add(high, low);
        const users = at + 1;
        if (!checks.has(users)) continue;
        expect(Math.abs(counter.estimate() - users) / users, `${prefix} ${users}`).toBeLessThan(
          0.03,
        );
      }
    }
  });

  it('is empty at 0, and knows what it has seen', () => {
    const counter = new HyperLogLog();
    expect(counter.estimate()).toBe(0);
    expect(counter.add(5, 7)).toBe(true);
    expect(counter.add(5, 7)).toBe(false);
    expect(Math.round(counter.estimate())).toBe(1);
  });

  it('ranks hashes by their zero bits across both halves', () => {
    const ranked = (high: number, low: number): number => {
      const counter = new HyperLogLog();
      counter.add(high, low);
      return Math.max(...counter.registers);
    };
    expect(ranked(0x0003_ffff, 0)).toBe(1);
    expect(ranked(1, 0)).toBe(18);
    expect(ranked(0, -0x8000_0000)).toBe(19);
    expect(ranked(0, 1)).toBe(50);
    expect(ranked(0, 0)).toBe(51);
    const counter = new HyperLogLog();
    counter.add(-1, 0);
    expect(counter.registers[registerCount - 1]).toBe(1);
  });
});

describe('a set of hashes', () => {
  it('holds what a Set holds', () => {
    const word = fc.oneof(fc.nat(3), fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 500 }), (pairs) => {
        const set = new HashSet();
        const model = new Set<string>();
        for (const [high, low] of pairs) {
          const name = high === 0 && low === 0 ? '0:1' : `${high}:${low}`;
          expect(set.add(high, low)).toBe(!model.has(name));
          model.add(name);
        }
        const held: string[] = [];
        set.visit((high, low) => void held.push(`${high}:${low}`));
        expect(held.sort()).toEqual([...model].sort());
        set.filter((high) => high % 2 === 0);
        expect(set.size).toBe(
          [...model].filter((name) => Number(name.split(':')[0]) % 2 === 0).length,
        );
      }),
    );
  });
});

const variants = ['control', 'treatment'];

/** Users of one part, each with its variant; halving begins at 40 of them. */
const parts = fc.array(fc.array(fc.tuple(fc.nat(1), fc.nat(300)), { maxLength: 80 }), {
  minLength: 1,
  maxLength: 6,
});
const smallMax = 40;
const users = hashesOf(301);

function sketchOf(counted: readonly (readonly [variant: number, user: number])[]): AssignedSketch {
  const sketch = new AssignedSketch(variants, smallMax);
  for (const [variant, user] of counted) sketch.add(variant, ...(users[user] as [number, number]));
  return sketch;
}

describe('a sketch of assigned users', () => {
  it('is the same however its parts were merged, and how often', () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat(5)), (lists, picks) => {
        const whole = stateOf(sketchOf(lists.flat()));
        const merged = new AssignedSketch(variants, smallMax);
        for (const list of lists.toReversed()) merged.merge(sketchOf(list));
        for (const pick of picks.take(4)) merged.merge(sketchOf(lists[pick % lists.length] ?? []));
        merged.merge(merged);
        expect(stateOf(merged)).toEqual(whole);
      }),
    );
  });

  it('samples all variants below one threshold, exactly', () => {
    fc.assert(
      fc.property(parts, (lists) => {
        const counted = lists.flat();
        const sketch = sketchOf(counted);
        expect(sketch.sampled).toBeLessThanOrEqual(smallMax);
        for (const at of variants.keys()) {
          const own = new Set(
            counted.filter(([variant]) => variant === at).map(([, user]) => user),
          );
          const below = [...own].filter((user) => {
            const [high, low] = users[user] as [number, number];
            return numberOf(high, low) < sketch.threshold;
          });
          expect(sketch.usersInSample(at)).toBe(below.length);
        }
      }),
    );
  });

  it('says of a user only once that there is something new', () => {
    const sketch = new AssignedSketch(variants);
    expect(sketch.add(0, 1, 2)).toBe(true);
    expect(sketch.add(0, 1, 2)).toBe(false);
    expect(sketch.add(1, 1, 2)).toBe(true);
  });

  it('keeps the sample fair when users are made up for one variant', () => {
    const sketch = new AssignedSketch(variants);
    const real = hashesOf(100_000);
    for (const [at, [high, low]] of real.entries()) sketch.add(at % 2, high, low);
    for (const [high, low] of hashesOf(600_000, 'forged-')) sketch.add(1, high, low);
    expect(sketch.sampled).toBeLessThanOrEqual(sampleMax);
    expect(sketch.level).toBeGreaterThan(1);
    const isSampled = ([high, low]: [number, number]): boolean =>
      numberOf(high, low) < sketch.threshold;
    // Of the real users of either variant the same hashes are in it: those below the threshold.
    expect(sketch.usersInSample(0)).toBe(
      real.filter((hash, at) => at % 2 === 0 && isSampled(hash)).length,
    );
    const inSample = new Set<string>();
    sketch.visitSample(1, (high, low) => void inSample.add(`${high}:${low}`));
    const treated = real.filter((hash, at) => at % 2 === 1 && isSampled(hash));
    expect(treated.every(([high, low]) => inSample.has(`${high}:${low}`))).toBe(true);
  });

  it('is bounded when hashes are made up as well', () => {
    const sketch = new AssignedSketch(variants, 64);
    for (let low = 0; low < 5_000; low += 1) sketch.add(0, 0, low);
    expect(sketch.sampled).toBeLessThanOrEqual(64);
    expect(sketch.level).toBeGreaterThan(32);
  });

  it('takes variants by name when sketches with others are united', () => {
    const one = new AssignedSketch(['a', 'b']);
    const other = new AssignedSketch(['b', 'c']);
    one.add(1, 1, 1);
    other.add(0, 2, 2);
    other.add(1, 3, 3);
    const union = unionOf([one, other]);
    expect(union.variants).toEqual(['a', 'b', 'c']);
    expect(union.variants.map((_, at) => union.usersInSample(at))).toEqual([0, 2, 1]);
  });
});

describe('the bytes of a sketch', () => {
  it('give the same sketch, whether few or many registers are set', () => {
    for (const count of [0, 1, 5_000, 300_000]) {
      const sketch = new AssignedSketch(['control', 'a "quoted" name, ü']);
      for (const [at, [high, low]] of hashesOf(count).entries()) sketch.add(at % 2, high, low);
      const decoded = decodeSketch(encodeSketch(sketch));
      expect(decoded === null ? null : stateOf(decoded)).toEqual(stateOf(sketch));
    }
  });

  it('are refused when they are cut, longer, or of another version', () => {
    const sketch = new AssignedSketch(variants);
    for (const [high, low] of hashesOf(20)) sketch.add(1, high, low);
    const bytes = encodeSketch(sketch);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeSketch(bytes.subarray(0, length))).toBeNull();
    }
    expect(decodeSketch(Buffer.concat([bytes, Buffer.of(0)]))).toBeNull();
    expect(decodeSketch(Buffer.concat([Buffer.of(2), bytes.subarray(1)]))).toBeNull();
  });

  it('leave the sample out of a bare sketch, and nothing else', () => {
    const sketch = new AssignedSketch(variants);
    for (const [at, [high, low]] of hashesOf(2_000).entries()) sketch.add(at % 2, high, low);
    const bare = sketch.withoutSample();
    expect(variants.map((_, at) => bare.users(at))).toEqual(
      variants.map((_, at) => sketch.users(at)),
    );
    expect(bare.sampled).toBe(0);
    bare.merge(sketch);
    expect(stateOf(bare)).toEqual(stateOf(sketch));
  });
});
