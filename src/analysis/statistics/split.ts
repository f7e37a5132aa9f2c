/** Was the split as planned? Tests of counts of users against the shares that they should have. */
import { chiSquaredTail } from './chi-squared.js';
import { logGamma } from './log-gamma.js';

/**
 * How sure the prior is of the planned shares, in users. With 100, a wrong split of a thousand users and one of a million are both
 * reported at less than five standard errors (D98).
 */
export const priorUsers = 100;

/** Pearson's test, for counts that are looked at once. @returns its p-value; null without users or with one share */
export function fixedSplitPValue(
  counts: readonly number[],
  shares: readonly number[],
): number | null {
  const total = sumOf(counts);
  const shareTotal = sumOf(shares);
  if (total === 0 || counts.length < 2) return null;
  let statistic = 0;
  for (const [at, share] of shares.entries()) {
    const expected = (share / shareTotal) * total;
    statistic += ((counts[at] as number) - expected) ** 2 / expected;
  }
  return chiSquaredTail(statistic, counts.length - 1);
}

/**
 * The sequential multinomial test of Lindon and Malek (2022): the Bayes factor of a Dirichlet prior around the planned shares
 * against these shares is a martingale while they hold, so its inverse is a p-value at every look.
 *
 * @param counts users of each variant so far
 * @param shares expected, in any unit; each above 0
 * @returns an always-valid p-value; null without users or with one share
 */
export function sequentialSplitPValue(
  counts: readonly number[],
  shares: readonly number[],
): number | null {
  const total = sumOf(counts);
  const shareTotal = sumOf(shares);
  if (total === 0 || counts.length < 2) return null;
  let logEvidence = logGamma(priorUsers) - logGamma(priorUsers + total);
  for (const [at, share] of shares.entries()) {
    const count = counts[at] as number;
    const prior = (share / shareTotal) * priorUsers;
    logEvidence += logGamma(prior + count) - logGamma(prior) - count * Math.log(share / shareTotal);
  }
  return Math.min(1, Math.exp(-logEvidence));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
