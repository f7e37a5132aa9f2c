/** Means and their variances, from sums over users. */
import type { MetricSums, PreSums } from '../messages.js';

/** What one variant's users have on average. */
export interface Estimate {
  readonly users: number;
  readonly mean: number;
  /** Of one user: divided by the number of users, it is the variance of the mean. */
  readonly variance: number;
}

export type Sums = Omit<MetricSums, 'variant' | 'crossed'>;

/** Of counts and sums. */
export function meanOf({ n, sumX, sumXX }: Sums): Estimate {
  return { users: n, mean: n === 0 ? 0 : sumX / n, variance: varianceOf(n, sumX, sumXX) };
}

/** Of conversions and retention, where each user has 0 or 1. */
export function proportionOf({ n, sumX }: Sums): Estimate {
  const mean = n === 0 ? 0 : sumX / n;
  return { users: n, mean, variance: mean * (1 - mean) };
}

/** A ratio of two sums, whose variance is that of its linear part (delta method). A user may add to both. */
export function ratioOf(sums: Sums): Estimate {
  const { n, sumX, sumY } = sums;
  if (sumY === 0) return { users: n, mean: 0, variance: 0 };
  const ratio = sumX / sumY;
  const above = varianceOf(n, sumX, sums.sumXX);
  const below = varianceOf(n, sumY, sums.sumYY);
  const both = covarianceOf(n, sumX, sumY, sums.sumXY);
  const meanBelow = sumY / n;
  const variance = (above - 2 * ratio * both + ratio * ratio * below) / (meanBelow * meanBelow);
  return { users: n, mean: ratio, variance: Math.max(0, variance) };
}

/** Of a sample of n users, from their sums. Cancellation never makes it negative. */
export function varianceOf(n: number, sum: number, sumOfSquares: number): number {
  return Math.max(0, covarianceOf(n, sum, sum, sumOfSquares));
}

export function covarianceOf(n: number, sumA: number, sumB: number, sumAB: number): number {
  return n <= 1 ? 0 : (sumAB - (sumA * sumB) / n) / (n - 1);
}

/** Sums over the users of both. */
export function addSums(a: Sums, b: Sums): Sums {
  return {
    n: a.n + b.n,
    sumX: a.sumX + b.sumX,
    sumXX: a.sumXX + b.sumXX,
    sumY: a.sumY + b.sumY,
    sumYY: a.sumYY + b.sumYY,
    sumXY: a.sumXY + b.sumXY,
    pre: a.pre === null || b.pre === null ? null : addPreSums(a.pre, b.pre),
  };
}

function addPreSums(a: PreSums, b: PreSums): PreSums {
  return {
    sumH: a.sumH + b.sumH,
    sumP: a.sumP + b.sumP,
    sumPP: a.sumPP + b.sumPP,
    sumXP: a.sumXP + b.sumXP,
    sumXH: a.sumXH + b.sumXH,
  };
}
