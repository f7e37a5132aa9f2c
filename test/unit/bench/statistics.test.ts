/** What a handful of rounds can honestly say. */
import { expect, it } from 'vitest';
import { medianIntervalOf } from '../../../bench/measure/statistics.js';

it('a median has an interval from six values on, which narrows with their number', () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => (at * 7) % count);
  expect(medianIntervalOf(values(5))).toBe(null);
  // The places of the sign test at 95 %, as tables have them: 1 and 6 of 6, 2 and 9 of 10, 6 and 15 of 20.
  expect(medianIntervalOf(values(6))).toEqual([0, 5]);
  expect(medianIntervalOf(values(10))).toEqual([1, 8]);
  expect(medianIntervalOf(values(20))).toEqual([5, 14]);
});
