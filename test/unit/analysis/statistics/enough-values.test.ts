import { expect, it } from 'vitest';
import { hasEnoughValues } from '../../../../src/analysis/statistics/enough-values.js';
import { sumsOf, type User } from '../../../support/statistics/sums-of.js';

/** As many users as `values` repeats. */
const usersWith = (...values: readonly (readonly [x: number, users: number])[]) =>
  sumsOf(values.flatMap(([x, users]) => Array.from({ length: users }, (): User => ({ x }))));

it.each([
  [
    '25 conversions in each variant',
    usersWith([1, 25], [0, 75]),
    usersWith([1, 25], [0, 75]),
    true,
  ],
  ['24 in one of them', usersWith([1, 25], [0, 75]), usersWith([1, 24], [0, 76]), false],
  ['all in one variant', usersWith([1, 50], [0, 50]), usersWith([0, 100]), true],
  ['all but 24 in each variant', usersWith([1, 976], [0, 24]), usersWith([1, 976], [0, 24]), false],
  ['a share of 49 that 10 % have', usersWith([1, 49], [0, 851]), usersWith([0, 100]), false],
  ['1,000 alike', usersWith([3, 1_000]), usersWith([3, 1_000]), true],
  ['1,000 small beside one large', usersWith([1, 1_000], [900, 1]), usersWith([1, 1_000]), false],
  ['none', usersWith([0, 100]), usersWith([0, 100]), false],
  ['no users', usersWith(), usersWith(), false],
])('%s', (_, control, treatment, isEnough) => {
  expect(hasEnoughValues(control, treatment)).toBe(isEnough);
});
