/**
 * CUPED: takes out of a metric what the days before each user's first exposure predict of it (Deng et al., 2013). Two
 * covariates: the metric before exposure, 0 for users without history, and whether there is a history at all. A variant
 * changes neither, so the effect stays the same and only its variance shrinks.
 */
import type { PreSums } from '../messages.js';
import { addSums, covarianceOf, type Sums, varianceOf } from './estimate.js';
import type { Pair } from './pair.js';

type SumsWithHistory = Sums & { readonly pre: PreSums };

/** Slopes of the metric on its history and on having one: the same for both variants. */
interface Slopes {
  readonly history: number;
  readonly isKnown: number;
}

/** @returns the pair, adjusted; null where history predicts nothing, or was not looked at */
export function adjustedPair(control: Sums, treatment: Sums): Pair | null {
  if (control.n < 2 || treatment.n < 2) return null;
  const both = addSums(control, treatment);
  if (!hasHistory(control) || !hasHistory(treatment) || !hasHistory(both)) return null;
  const slopes = slopesOf(momentsOf(both));
  if (slopes === null) return null;
  const controlMean = control.sumX / control.n;
  const predicted = predictedMean(treatment, slopes) - predictedMean(control, slopes);
  return {
    // Adjusted to the control's own history, so its mean is the one that people know.
    control: { users: control.n, mean: controlMean, variance: residualVariance(control, slopes) },
    treatment: {
      users: treatment.n,
      mean: treatment.sumX / treatment.n - predicted,
      variance: residualVariance(treatment, slopes),
    },
  };
}

function hasHistory(sums: Sums): sums is SumsWithHistory {
  return sums.pre !== null;
}

/** Variances and covariances of the metric (x), its history (p) and whether there is one (h). */
interface Moments {
  readonly xx: number;
  readonly pp: number;
  readonly hh: number;
  readonly xp: number;
  readonly xh: number;
  readonly ph: number;
}

function momentsOf({ n, sumX, sumXX, pre }: SumsWithHistory): Moments {
  return {
    xx: varianceOf(n, sumX, sumXX),
    pp: varianceOf(n, pre.sumP, pre.sumPP),
    hh: varianceOf(n, pre.sumH, pre.sumH),
    xp: covarianceOf(n, sumX, pre.sumP, pre.sumXP),
    xh: covarianceOf(n, sumX, pre.sumH, pre.sumXH),
    // A user without history adds 0 to p, so the sum of p x h is the sum of p.
    ph: covarianceOf(n, pre.sumP, pre.sumH, pre.sumP),
  };
}

/** Least squares; one covariate alone where the other is constant, or says the same. Null: both are constant. */
function slopesOf({ xx, pp, hh, xp, xh, ph }: Moments): Slopes | null {
  if (xx === 0) return null;
  const determinant = pp * hh - ph * ph;
  if (determinant > 1e-9 * pp * hh) {
    return {
      history: (xp * hh - xh * ph) / determinant,
      isKnown: (xh * pp - xp * ph) / determinant,
    };
  }
  if (pp > 0) return { history: xp / pp, isKnown: 0 };
  return hh > 0 ? { history: 0, isKnown: xh / hh } : null;
}

function predictedMean({ n, pre }: SumsWithHistory, { history, isKnown }: Slopes): number {
  return (history * pre.sumP + isKnown * pre.sumH) / n;
}

function residualVariance(sums: SumsWithHistory, { history, isKnown }: Slopes): number {
  const { xx, pp, hh, xp, xh, ph } = momentsOf(sums);
  const explained = 2 * (history * xp + isKnown * xh);
  const ofSlopes = history * history * pp + isKnown * isKnown * hh + 2 * history * isKnown * ph;
  return Math.max(0, xx - explained + ofSlopes);
}
