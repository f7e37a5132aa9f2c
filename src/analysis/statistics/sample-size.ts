/** How many users an experiment needs, worked out before it starts. */
import { effectiveValuesMin } from './enough-values.js';
import { normalQuantile } from './normal.js';
import type { Method } from './pair.js';
import { sequentialCriticalValue } from './sequential.js';

export interface SampleSizePlan {
  /** What a user of the control has on average; for a conversion the rate. Not 0. */
  readonly mean: number;
  /** Of what users have; null for a conversion, whose rate determines it. */
  readonly variance: number | null;
  /** The smallest effect worth finding, relative to the mean: 0.05 is 5 %. Not 0. */
  readonly smallestEffect: number;
  /** With the control: each of the others is compared with it, and the level is divided among them. 2 or more. */
  readonly variants: number;
  readonly method: Method;
  /** How often an effect of the smallest size is found, above 0.5 and below 1. */
  readonly power: number;
  /** How often a difference is found where there is none, above 0 and below 0.5. */
  readonly alpha: number;
}

/**
 * @returns users that each variant needs, in equal shares, so that an effect of the smallest size is found with the
 *   promised power when they have all come; looks before find it earlier. No safe integer where no number of users would do.
 */
export function sampleSizePerVariant(plan: SampleSizePlan): number {
  const alpha = plan.alpha / (plan.variants - 1);
  // Of the difference of the means with one user in each variant, in standard errors.
  const effect = Math.abs(plan.mean * plan.smallestEffect) / Math.sqrt(varianceOfBoth(plan));
  const reserve = normalQuantile(plan.power);
  const critical = (users: number) =>
    plan.method === 'sequential'
      ? sequentialCriticalValue(2 * users, alpha)
      : normalQuantile(1 - alpha / 2);
  return smallestNumber((users) => effect * Math.sqrt(users) >= critical(users) + reserve);
}

/**
 * Of the control and of a variant with the smallest effect, together. What makes players do more of something spreads them
 * as well: users with twice the mean have four times the variance.
 */
function varianceOfBoth({ mean, variance, smallestEffect }: SampleSizePlan): number {
  const factor = 1 + smallestEffect;
  if (variance !== null) return variance * (1 + factor ** 2);
  const changed = Math.min(Math.max(mean * factor, 0), 1);
  return mean * (1 - mean) + changed * (1 - changed);
}

/** On fewer values nothing is decided, so it begins there. */
function smallestNumber(isEnough: (users: number) => boolean): number {
  if (isEnough(effectiveValuesMin)) return effectiveValuesMin;
  let low = effectiveValuesMin;
  let high = 2 * low;
  for (; !isEnough(high); high *= 2) {
    if (high > Number.MAX_SAFE_INTEGER) return high;
    low = high;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
