/** Percentiles from the buckets of a histogram. */
import { describe, expect, it } from 'vitest';
import { quantileOf } from '../../../../src/contract/health/quantile.js';

describe('quantileOf', () => {
  it('interpolates within the bucket that holds the rank', () => {
    const [bounds, counts] = [
      [0.001, 0.002],
      [50, 50, 0],
    ];
    expect(quantileOf(bounds, counts, 0.5)).toBeCloseTo(0.001);
    expect(quantileOf(bounds, counts, 0.25)).toBeCloseTo(0.0005);
    expect(quantileOf(bounds, counts, 0.99)).toBeCloseTo(0.00198);
  });

  it('skips empty buckets', () => {
    expect(quantileOf([0.001, 0.01, 0.1], [0, 0, 10, 0], 0.5)).toBeCloseTo(0.055);
  });

  it('gives the last bound for what lies beyond it', () => {
    expect(quantileOf([1], [1, 9], 0.99)).toBe(1);
  });

  it('is unknown when nothing was counted', () => {
    expect(quantileOf([], [], 0.5)).toBeNull();
    expect(quantileOf([1], [0, 0], 0.5)).toBeNull();
  });
});
