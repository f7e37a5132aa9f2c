/** Whether means rest on enough values to be compared. */
import { addSums, type Sums } from './estimate.js';

/**
 * Values that a mean has to rest on, in each variant, before its distribution is near enough to a normal one. Fewer could only
 * show an effect of some 85 % and more. Without this limit a third of the tests of 10 % against 90 % of the players decided
 * wrongly about a conversion of few of them (D98).
 */
export const effectiveValuesMin = 25;

/** @returns whether both variants would have enough values to be compared, if users of both had as many */
export function hasEnoughValues(control: Sums, treatment: Sums): boolean {
  const both = addSums(control, treatment);
  const smallerShare = Math.min(control.n, treatment.n) / both.n;
  return effectiveValues(both) * smallerShare >= effectiveValuesMin;
}

/**
 * Kish's effective number: each user with the same value counts as one, and those beside a few much larger ones hardly count.
 * Where each user has 0 or 1, the rarer of the two counts.
 */
function effectiveValues({ n, sumX, sumXX }: Sums): number {
  if (sumX === sumXX) return Math.min(sumX, n - sumX);
  return sumX ** 2 / sumXX;
}
