import { describe, expect, it } from 'vitest';
import {
  bucketOfUser,
  isOpenNow,
  mapOf,
  matches,
  variantOf,
} from '../../../../src/console/mapping/buckets/shared-tests.js';
import { windowNow } from '../../../../src/console/mapping/window/window-state.js';
import { bucketOf, uidOf } from '../../../../src/content/bucket.js';
import type { AbTest } from '../../../../src/contract/operations/tests.js';

const variant = (name: string, from: number, to: number): AbTest['variants'][number] => ({
  ...{ name, info: null, mutation: null },
  groups: [from, to],
});

const test = (content: string, more: Partial<AbTest> = {}): AbTest => ({
  ...{ content, revision: 1, live: true, rule: 0, segment: `${content}-test`, salt: null },
  ...{ layer: null, slice: null, holdout: false },
  ...{ saved: true, info: null, from: null, until: null, local: false, repeat: null },
  variants: [variant('control', 0, 499), variant('more', 500, 999)],
  ...more,
});

describe('the map of tests', () => {
  it('puts together what shares a salt or has none, and leaves the others alone', () => {
    const [a, b, c, d] = [test('a'), test('b'), test('c', { salt: 'x' }), test('d', { salt: 'y' })];
    const map = mapOf([a, b, c, d]);
    expect(map.shared).toEqual([{ salt: null, tests: [a, b], overlapping: new Set([a, b]) }]);
    expect(map.alone).toEqual([c, d]);
  });

  it('does not call tests overlapping that have no group or no time in common', () => {
    const early = test('a', { until: '2026-01-01T00:00:00Z' });
    const late = test('b', { from: '2026-01-01T00:00:00Z' });
    expect(mapOf([early, late]).shared[0]?.overlapping.size).toBe(0);
    const low = test('a', { variants: [variant('x', 0, 99)] });
    const high = test('b', { variants: [variant('x', 100, 199)] });
    const both = test('c', { variants: [variant('x', 99, 99)] });
    expect(mapOf([low, high]).shared[0]?.overlapping.size).toBe(0);
    expect(mapOf([low, high, both]).shared[0]?.overlapping).toEqual(new Set([low, both]));
  });

  it('assigns the buckets of users as delivery does', () => {
    for (const u of ['ada', 'player-123', 'Jürgen 🎮', 'x'.repeat(5_000)]) {
      const mod = uidOf(u) % 1000;
      expect(bucketOfUser(u, null)).toBe(bucketOf(null, { u, mod }));
      expect(bucketOfUser(u, 'gems-1')).toBe(bucketOf('gems-1', { u, mod }));
    }
    for (const salt of [null, 'gems-1']) {
      expect(bucketOfUser('', salt)).toBe(bucketOf(salt, { u: '', mod: 0 }));
    }
  });

  it('tells the variant of a group, and finds tests by their words', () => {
    const holdOut = test('shop', { variants: [variant('more', 0, 899)] });
    expect(variantOf(holdOut, 899)?.name).toBe('more');
    expect(variantOf(holdOut, 900)).toBeNull();
    expect(matches(holdOut, ' SHOP-t')).toBe(true);
    expect(matches(holdOut, 'gems')).toBe(false);
  });
});

describe('a time window', () => {
  const at = Date.parse('2026-06-01T00:00:00Z');

  it('includes its beginning and not its end', () => {
    const state = (from: string | null, until: string | null): string =>
      windowNow({ from, until, repeat: null }, at).state;
    expect(state(null, null)).toBe('always');
    expect(state('2026-06-01T00:00:00Z', null)).toBe('running');
    expect(state('2026-06-01T02:00:01+02:00', null)).toBe('later');
    expect(state(null, '2026-06-01T00:00:00Z')).toBe('over');
    expect(isOpenNow(test('a', { until: '2026-06-01T00:00:01Z' }), at)).toBe(true);
  });
});
