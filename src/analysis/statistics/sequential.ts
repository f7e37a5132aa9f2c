/**
 * Intervals that hold at every look: the asymptotic confidence sequence of Waudby-Smith et al. (arXiv 2103.06476, equations
 * 9, 155 and 161), as GrowthBook has it. A player base is looked at daily, so this is the default (D98).
 */

/**
 * The number of users in both variants at which the interval is as narrow as it can be. GrowthBook's default: a tenth or ten
 * times as many users cost some 6 % of the width.
 */
export const sequentialTuningUsers = 5_000;

/** The level that the mixture is tuned at; intervals of other levels keep the mixture, so that they stay nested. */
const tuningAlpha = 0.05;

/** The variance of the mixture (rho² in the paper): how fast a look early or late loses width. */
export const mixtureVariance =
  (-2 * Math.log(tuningAlpha) + Math.log(-2 * Math.log(tuningAlpha) + 1)) / sequentialTuningUsers;

/**
 * @param users of both variants together, so far
 * @param alpha the probability that the interval misses the effect at any look at all
 * @returns half the width of the interval, in standard errors
 */
export function sequentialCriticalValue(users: number, alpha: number): number {
  const information = users * mixtureVariance;
  return Math.sqrt(2 * (1 + 1 / information) * (Math.log1p(information) / 2 - Math.log(alpha)));
}

/**
 * @param z the effect in standard errors
 * @param users of both variants together, so far
 * @returns an always-valid p-value: it is at most alpha exactly when the interval of that alpha excludes 0
 */
export function sequentialPValue(z: number, users: number): number {
  const information = users * mixtureVariance;
  const logEvidence = (z * z * information) / (2 * (1 + information)) - Math.log1p(information) / 2;
  return Math.min(1, Math.exp(-logEvidence));
}
