import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundariesOf,
  type GroupRange,
  gapsOf,
  groupsMoved,
  hasOverlap,
  makeRoom,
  moveBoundary,
  scaleTo,
  setEnd,
  sizeOf,
  splitEvenly,
} from '../../../../src/console/mapping/groups/group-ranges.js';

/** Ranges that do not overlap, in any order. */
const ranges = fc
  .uniqueArray(fc.nat(999), { minLength: 2, maxLength: 12 })
  .map((cuts) => {
    const sorted = [...cuts].sort((a, b) => a - b);
    const found: GroupRange[] = [];
    for (let at = 0; at + 1 < sorted.length; at += 2) {
      found.push([sorted[at] as number, sorted[at + 1] as number]);
    }
    return found;
  })
  .chain((found) => fc.shuffledSubarray(found, { minLength: found.length }));

const isSound = (all: readonly GroupRange[]): boolean =>
  !hasOverlap(all) && all.every(([from, to]) => from >= 0 && to <= 999 && from <= to);

describe('the boundaries of variants', () => {
  it('are shared by those that stand side by side, and single at gaps', () => {
    expect(
      boundariesOf([
        [500, 799],
        [0, 499],
      ]),
    ).toEqual([
      { at: 0, left: null, right: 1, min: 0, max: 499 },
      { at: 500, left: 1, right: 0, min: 1, max: 799 },
      { at: 800, left: 0, right: null, min: 501, max: 1000 },
    ]);
  });

  it('can be moved anywhere, and every variant keeps a group', () => {
    fc.assert(
      fc.property(ranges, fc.nat(), fc.integer({ min: -50, max: 1050 }), (all, seed, at) => {
        const boundaries = boundariesOf(all);
        const boundary = boundaries[seed % boundaries.length];
        if (boundary === undefined) return;
        expect(boundary.min).toBeLessThanOrEqual(boundary.at);
        expect(boundary.at).toBeLessThanOrEqual(boundary.max);
        expect(moveBoundary(all, boundary, boundary.at)).toEqual(all);
        expect(isSound(moveBoundary(all, boundary, at))).toBe(true);
      }),
    );
  });

  it('set by number: growing takes from the neighbour, shrinking leaves a gap', () => {
    const halves: GroupRange[] = [
      [0, 499],
      [500, 999],
    ];
    expect(setEnd(halves, 1, 'from', 450)).toEqual([
      [0, 449],
      [450, 999],
    ]);
    expect(setEnd(halves, 0, 'to', 449)).toEqual([
      [0, 449],
      [500, 999],
    ]);
    expect(setEnd(halves, 0, 'to', 2000)).toEqual([
      [0, 998],
      [999, 999],
    ]);
    fc.assert(
      fc.property(
        ranges,
        fc.nat(),
        fc.constantFrom('from' as const, 'to' as const),
        fc.integer({ min: -50, max: 1050 }),
        (all, seed, end, value) => {
          expect(isSound(setEnd(all, seed % all.length, end, value))).toBe(true);
        },
      ),
    );
  });
});

describe('parts of the thousand groups', () => {
  it('are equal to within one group when split evenly', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(1000, 900), (all, total) => {
        const split = splitEvenly(all, total);
        const sizes = split.map(sizeOf);
        expect(isSound(split)).toBe(true);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('keep their proportions when room is made for a hold-out', () => {
    expect(
      scaleTo(
        [
          [0, 499],
          [500, 999],
        ],
        900,
      ),
    ).toEqual([
      [0, 449],
      [450, 899],
    ]);
    expect(
      scaleTo(
        [
          [250, 999],
          [0, 249],
        ],
        800,
      ),
    ).toEqual([
      [200, 799],
      [0, 199],
    ]);
    fc.assert(
      fc.property(ranges, fc.integer({ min: 100, max: 1000 }), (all, total) => {
        const scaled = scaleTo(all, total);
        expect(isSound(scaled)).toBe(true);
        expect(gapsOf(scaled)).toEqual(total === 1000 ? [] : [[total, 999]]);
      }),
    );
  });

  it('are found for one more variant: a gap, or half of the largest', () => {
    expect(
      makeRoom([
        [0, 399],
        [500, 999],
      ])?.added,
    ).toEqual([400, 499]);
    expect(
      makeRoom([
        [0, 299],
        [300, 999],
      ]),
    ).toEqual({
      ranges: [
        [0, 299],
        [300, 649],
      ],
      added: [650, 999],
    });
    const single = Array.from({ length: 1000 }, (_, group): GroupRange => [group, group]);
    expect(makeRoom(single)).toBeNull();
  });

  it('are counted when they see another variant', () => {
    const before = [
      { name: 'a', groups: [0, 499] as const },
      { name: 'b', groups: [500, 999] as const },
    ];
    expect(groupsMoved(before, before)).toBe(0);
    expect(groupsMoved(before, [{ name: 'a', groups: [0, 449] }])).toBe(550);
    expect(groupsMoved(before, [...before].reverse())).toBe(0);
  });
});
