import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Interval, intervalsOf, pValueOf } from '../../../../src/analysis/statistics/pair.js';

const estimate = fc.record({
  users: fc.integer({ min: 2, max: 1_000_000 }),
  mean: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
  variance: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
});
const pair = fc.record({ control: estimate, treatment: estimate });
const method = fc.constantFrom('sequential' as const, 'fixed' as const);
const alpha = fc.constantFrom(0.05, 0.01, 0.05 / 19);

const excludesZero = ([low, high]: Interval) =>
  (low !== null && low > 0) || (high !== null && high < 0);

describe('intervals', () => {
  it('exclude 0 exactly where the p-value is below alpha, relative and absolute alike', () => {
    fc.assert(
      fc.property(pair, method, alpha, (each, of, level) => {
        const isDecided = (pValueOf(each, of) as number) <= level;
        expect(excludesZero(intervalsOf(each, of, level).absolute)).toBe(isDecided);
        expect(excludesZero(intervalsOf(each, of, level).relative)).toBe(isDecided);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a control that may be 0 have no upper end', () => {
    const control = { users: 100, mean: 0.01, variance: 1 };
    const treatment = { users: 100, mean: 5, variance: 1 };
    const [low, high] = intervalsOf({ control, treatment }, 'sequential', 0.05).relative;
    expect(low).toBeGreaterThan(0);
    expect(high).toBeNull();
  });

  it('are not known without a variance, nor relative to a mean of 0', () => {
    const constant = { users: 100, mean: 1, variance: 0 };
    const none = { users: 100, mean: 0, variance: 1 };
    expect(pValueOf({ control: constant, treatment: constant }, 'fixed')).toBeNull();
    expect(intervalsOf({ control: constant, treatment: constant }, 'fixed', 0.05).absolute).toEqual(
      [null, null],
    );
    expect(intervalsOf({ control: none, treatment: constant }, 'fixed', 0.05).relative).toEqual([
      null,
      null,
    ]);
  });
});
