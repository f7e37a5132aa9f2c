/** Which users a ramp reaches: that it only grows, that the control is apart from it and of its size, and that nothing else counts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketCount, bucketOf } from '../../../src/content/bucket.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { characterWork } from '../../../src/content/evaluation-work.js';
import { isInRamp, sliceOf } from '../../../src/content/ramp.js';

const userCount = 100_000;
const caller = (u: string) => makeEvaluationContext(u, {}, null);

const salts = fc.string({ minLength: 1 });
const users = fc.string({ minLength: 1 });
const permilles = fc.integer({ min: 0, max: bucketCount });

describe('membership', () => {
  it('depends on the salt and the user id alone, and grows with the share', () => {
    fc.assert(
      fc.property(salts, users, permilles, permilles, (salt, u, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const isIn = (permille: number) => isInRamp({ salt, permille }, caller(u));
        if (isIn(less)) expect(isIn(more)).toBe(true);
        const context = makeEvaluationContext(u, { level: 7 }, '1.2.3');
        expect(isInRamp({ salt, permille: more }, context)).toBe(isIn(more));
        expect(isIn(more)).toBe(bucketOf(salt, caller(u)) < more);
        expect([isIn(0), isIn(bucketCount)]).toEqual([false, true]);
      }),
    );
  });

  it('is denied to callers without a user id, who are in no slice either', () => {
    for (const permille of [0, 1, 500, 1000]) {
      expect(isInRamp({ salt: 's', permille }, caller(''))).toBe(false);
      expect(sliceOf({ salt: 's', permille }, caller(''))).toBe(null);
    }
  });

  it('of two releases is independent', () => {
    const share = (salt: string, of: readonly string[]) =>
      of.filter((u) => isInRamp({ salt, permille: 100 }, caller(u)));
    const all = Array.from({ length: userCount }, (_, at) => `user-${at}`);
    const both = share('b', share('a', all)).length;
    // 1 % of 100,000, with a deviation of 31.
    expect(Math.abs(both - userCount / 100)).toBeLessThan(5 * 32);
  });
});

describe('slices', () => {
  it('are the share of the step and the next one of the same size, and never overlap', () => {
    fc.assert(
      fc.property(salts, users, permilles, (salt, u, permille) => {
        const step = { salt, permille };
        const bucket = bucketOf(salt, caller(u));
        const isControl = permille <= bucket && bucket < Math.min(2 * permille, bucketCount);
        const expected = isInRamp(step, caller(u)) ? 'candidate' : isControl ? 'control' : null;
        expect(sliceOf(step, caller(u))).toBe(expected);
      }),
    );
  });

  it.each([10, 100, 500])('of %i per mille have sizes that differ by chance only', (permille) => {
    const sizes = { candidate: 0, control: 0 };
    for (let at = 0; at < userCount; at += 1) {
      const slice = sliceOf({ salt: 'release-1', permille }, caller(`user-${at}`));
      if (slice !== null) sizes[slice] += 1;
    }
    const { candidate, control } = sizes;
    expect(Math.abs(candidate - control)).toBeLessThanOrEqual(4 * Math.sqrt(candidate + control));
    expect(Math.abs(candidate / userCount - permille / 1000)).toBeLessThan(0.01);
  });
});

describe('the bucket of a caller in a ramp', () => {
  it('is hashed once for each release, in whatever order releases are met', () => {
    const u = 'x'.repeat(1_000);
    const context = caller(u);
    const before = context.workLeft;
    const cost = u.length * characterWork;
    for (const salt of ['a', 'b', 'a', 'c', 'b', 'a']) {
      expect(context.bucketUnder(salt)).toBe(bucketOf(salt, context));
    }
    expect(before - context.workLeft).toBe(3 * cost);
    context.forgetDerived();
    expect(context.bucketUnder('a')).toBe(bucketOf('a', context));
    expect(before - context.workLeft).toBe(4 * cost);
  });
});
