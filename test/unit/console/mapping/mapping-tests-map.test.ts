import { describe, expect, it } from 'vitest';
import {
  fromLocal,
  toLocal,
  windowState,
} from '../../../../src/console/mapping/rules/time-window.js';
import {
  groupOfUser,
  isOpenNow,
  type MapTest,
  mapOf,
  matches,
  variantOf,
} from '../../../../src/console/mapping/tests-map.js';
import { bucketOf, uidOf } from '../../../../src/content/bucket.js';

const test = (content: string, more: Partial<MapTest> = {}): MapTest => ({
  ...{ content, revision: 1, live: true, rule: 0, segment: `${content}-test`, salt: null },
  ...{ from: null, until: null },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'more', groups: [500, 999] },
  ],
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
    const low = test('a', { variants: [{ name: 'x', groups: [0, 99] }] });
    const high = test('b', { variants: [{ name: 'x', groups: [100, 199] }] });
    const both = test('c', { variants: [{ name: 'x', groups: [99, 99] }] });
    expect(mapOf([low, high]).shared[0]?.overlapping.size).toBe(0);
    expect(mapOf([low, high, both]).shared[0]?.overlapping).toEqual(new Set([low, both]));
  });

  it('draws the groups of users as delivery does', () => {
    for (const u of ['ada', 'player-123', 'Jürgen 🎮', 'x'.repeat(5_000)]) {
      const mod = uidOf(u) % 1000;
      expect(groupOfUser(u, null)).toBe(bucketOf(null, { u, mod }));
      expect(groupOfUser(u, 'gems-1')).toBe(bucketOf('gems-1', { u, mod }));
    }
    for (const salt of [null, 'gems-1']) {
      expect(groupOfUser('', salt)).toBe(bucketOf(salt, { u: '', mod: 0 }));
    }
  });

  it('tells the variant of a group, and finds tests by their words', () => {
    const holdOut = test('shop', { variants: [{ name: 'more', groups: [0, 899] }] });
    expect(variantOf(holdOut, 899)?.name).toBe('more');
    expect(variantOf(holdOut, 900)).toBeNull();
    expect(matches(holdOut, ' SHOP-t')).toBe(true);
    expect(matches(holdOut, 'gems')).toBe(false);
  });
});

describe('a time window', () => {
  const at = Date.parse('2026-06-01T00:00:00Z');

  it('includes its beginning and not its end', () => {
    expect(windowState(null, null, at)).toBe('always');
    expect(windowState('2026-06-01T00:00:00Z', null, at)).toBe('running');
    expect(windowState('2026-06-01T02:00:01+02:00', null, at)).toBe('later');
    expect(windowState(null, '2026-06-01T00:00:00Z', at)).toBe('over');
    expect(isOpenNow(test('a', { until: '2026-06-01T00:00:01Z' }), at)).toBe(true);
  });

  it('is the same moment after it went through the local time', () => {
    for (const instant of [
      '2026-11-01T00:00:00Z',
      '2026-03-29T00:59:59Z',
      '0099-01-01T12:00:00Z',
    ]) {
      expect(fromLocal(toLocal(instant) ?? '')).toBe(instant);
    }
    expect(toLocal('2026-11-01')).toBeNull();
  });
});
