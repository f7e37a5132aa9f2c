/**
 * How much the missing users of a ramp's step speak for a fault of its candidate. Pure.
 *
 * The test walks the users who are missing in the order in which their time has passed. If the candidate is harmless, each
 * of them is in its slice with the probability `share`, which is known: buckets are assigned by a hash, and the two slices
 * have so many buckets. How many users are missing, and when, may follow any law. If users of the candidate are missing
 * `ratio` times as often as those of the control, the odds are `ratio` times as high. The likelihood ratio of such an
 * alternative against the null is a martingale under the null, and so is a mixture of them over `ratio`. By Ville's
 * inequality (J. Ville, Étude critique de la notion de collectif, 1939) it ever reaches `limit` with a probability of at
 * most 1/limit, however often it is looked at. A. Ramdas, P. Grünwald, V. Vovk and G. Shafer, "Game-theoretic statistics and
 * safe anytime-valid inference", Statistical Science 38 (2023), has the theory of such e-processes.
 *
 * Assumptions: a player's time from start to menu does not depend on the slice unless the candidate is at fault; lost
 * receipts are lost in both slices alike. They cost power then, not validity.
 *
 * Forged users: players can invent user ids, find out their slices, and confirm what they like. Users that are confirmed
 * do not enter the test. The evidence is the least that remains when any `hostileNetworksMax` networks are left out, so it is
 * never more than what the users of the other networks alone give, for which the above holds: whatever so many networks do,
 * a harmless candidate is stopped no more often. Against forged users who are to hide a fault, `CountedNetworks` bounds
 * what each network may count (D88).
 */
import type { NetworkKind } from './counted-networks.js';

/** Networks that may be hostile without stopping a harmless release. */
export const hostileNetworksMax = 20;

/** Of all steps together: a harmless release is stopped by its receipts with at most this probability. */
const stopProbabilityMax = 0.01;

/**
 * Risk ratios of the mixture, equally weighted, from 1.02 on: 2 of 100 more where nearly all are missing anyway, to 128, each
 * 1.2 times as far from 1 as the one before, in logarithms.
 */
const logRatios: readonly number[] = Array.from({ length: 32 }, (_, at) => 0.02 * 1.1938 ** at);

/** At this evidence a step has tripped. @param steps of the ramp, which share the budget */
export function evidenceLimit(steps: number): number {
  return Math.max(1, steps) / stopProbabilityMax;
}

/**
 * Probability that a missing user is in the candidate slice if the candidate is harmless; null: everybody is in, and there
 * is no control to compare with.
 * @param permille callers with a bucket below it are in; the control has as many behind them, as far as there are any
 */
export function candidateShare(permille: number): number | null {
  const control = Math.min(permille, 1000 - permille);
  return permille <= 0 || control <= 0 ? null : permille / (permille + control);
}

/**
 * The evidence; 1 says nothing, more speaks for a fault.
 * @param kinds of the networks of all missing users
 * @param share see `candidateShare`
 * @param leftOut how many networks may be hostile
 */
export function evidenceOf(
  kinds: readonly NetworkKind[],
  share: number,
  leftOut: number = hostileNetworksMax,
): number {
  const logs = logRatios.map((logRatio) => logLeast(kinds, logRatio, share, leftOut));
  const highest = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - highest), 0);
  return Math.min(Math.exp(highest) * (sum / logs.length), evidenceMax);
}

/** Beyond it, numbers say no more, and JSON has no infinity. */
const evidenceMax = 1e12;

/** Logarithm of the likelihood ratio without the networks that speak most for the alternative. */
function logLeast(
  kinds: readonly NetworkKind[],
  logRatio: number,
  share: number,
  leftOut: number,
): number {
  const spread = Math.log(share * Math.exp(logRatio) + 1 - share);
  const logOf = ({ candidate, control }: NetworkKind): number =>
    candidate * (logRatio - spread) - control * spread;
  let left = leftOut;
  let log = 0;
  for (const kind of [...kinds].sort((one, other) => logOf(other) - logOf(one))) {
    const each = logOf(kind);
    const without = each > 0 ? Math.min(left, kind.networks) : 0;
    left -= without;
    log += each * (kind.networks - without);
  }
  return log;
}
