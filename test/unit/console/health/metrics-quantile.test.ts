/** Percentiles from the buckets of a histogram. */
import { describe, expect, it } from 'vitest';
import { quantileOf } from '../../../../src/console/health/charts/metrics-quantile.js';

const infinity = Number.POSITIVE_INFINITY;

describe('quantileOf', () => {
  it('goes by straight line within the bucket that holds the rank', () => {
    const counts = new Map([
      [0.001, 50],
      [0.002, 100],
      [infinity, 100],
    ]);
    expect(quantileOf(counts, 0.5)).toBeCloseTo(0.001);
    expect(quantileOf(counts, 0.25)).toBeCloseTo(0.0005);
    expect(quantileOf(counts, 0.99)).toBeCloseTo(0.00198);
  });

  it('passes over empty buckets', () => {
    const counts = new Map([
      [0.001, 0],
      [0.01, 0],
      [0.1, 10],
      [infinity, 10],
    ]);
    expect(quantileOf(counts, 0.5)).toBeCloseTo(0.055);
  });

  it('gives the last bound for what lies beyond it', () => {
    const counts = new Map([
      [1, 1],
      [infinity, 10],
    ]);
    expect(quantileOf(counts, 0.99)).toBe(1);
  });

  it('is unknown when nothing was counted', () => {
    expect(quantileOf(new Map(), 0.5)).toBeNull();
    expect(quantileOf(new Map([[infinity, 0]]), 0.5)).toBeNull();
  });

  it('does not mind in which order the bounds come', () => {
    const counts = new Map([
      [infinity, 4],
      [2, 4],
      [1, 2],
    ]);
    expect(quantileOf(counts, 0.5)).toBeCloseTo(1);
  });
});
