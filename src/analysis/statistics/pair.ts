/** A variant beside the control: the evidence for a difference, and intervals for it. */
import type { Estimate } from './estimate.js';
import { sequentialCriticalValue, sequentialPValue } from './sequential.js';
import { twoSidedQuantile, twoSidedTail } from './student-t.js';

export interface Pair {
  readonly control: Estimate;
  readonly treatment: Estimate;
}

/** `sequential` holds at every look (the default); `fixed` at one that was planned: Welch's t test. */
export type Method = 'sequential' | 'fixed';

/** Lower and upper end; null: unbounded. */
export type Interval = readonly [number | null, number | null];

/** @returns the p-value of no difference, always-valid with a sequential method; null where no variance is known */
export function pValueOf(pair: Pair, method: Method): number | null {
  const error = standardError(pair);
  if (error === 0) return null;
  const z = difference(pair) / error;
  return method === 'sequential'
    ? sequentialPValue(z, usersOf(pair))
    : twoSidedTail(z, degreesOfFreedom(pair));
}

export interface Intervals {
  /** Of the treatment's mean less the control's: excludes 0 exactly if the p-value is below alpha. */
  readonly absolute: Interval;
  readonly relative: Interval;
}

/** @returns both of one level; unbounded where no variance is known */
export function intervalsOf(pair: Pair, method: Method, alpha: number): Intervals {
  const error = standardError(pair);
  if (error === 0) return { absolute: [null, null], relative: [null, null] };
  const critical = criticalValue(pair, method, alpha);
  const half = error * critical;
  return {
    absolute: [difference(pair) - half, difference(pair) + half],
    relative: relativeInterval(pair, critical),
  };
}

/** @returns by how much of the control's mean the treatment's is larger; null without a positive mean to compare with */
export function relativeEffect(pair: Pair): number | null {
  return pair.control.mean > 0 ? difference(pair) / pair.control.mean : null;
}

/**
 * Fieller's interval of the relative effect: every ratio of means that the same test does not reject. So it excludes 0
 * exactly if the absolute interval does. The delta method's interval excludes 0 too often where few players pay, and
 * converges to this one as the control's mean becomes certain (D98).
 *
 * @param critical half the width of an interval of the level, in standard errors
 * @returns an end is null where the control's mean is too uncertain to bound the ratio
 */
function relativeInterval(pair: Pair, critical: number): Interval {
  const { control, treatment } = pair;
  if (control.mean <= 0) return [null, null];
  const square = critical ** 2;
  const ofControl = (square * control.variance) / control.users;
  const ofTreatment = (square * treatment.variance) / treatment.users;
  // (treatment - (1 + r) x control)² <= ofTreatment + (1 + r)² ofControl, as a r² - 2 b r + c <= 0. Written with differences of
  // the means only, so that no digit cancels where the effect is small.
  const a = control.mean ** 2 - ofControl;
  const b = control.mean * difference(pair) + ofControl;
  const c = difference(pair) ** 2 - ofControl - ofTreatment;
  if (a <= 0 && treatment.mean ** 2 <= ofTreatment) return [null, null];
  const root = Math.sqrt(
    Math.max(
      0,
      control.mean ** 2 * ofTreatment + treatment.mean ** 2 * ofControl - ofControl * ofTreatment,
    ),
  );
  const lower = b >= 0 ? c / (b + root) : (b - root) / a;
  const upper = b >= 0 ? (b + root) / a : c / (b - root);
  if (a > 0) return [lower, upper];
  // The control's mean may be 0, the treatment's is not: one of the two branches has the treatment's sign.
  return treatment.mean > 0 ? [lower, null] : [null, upper];
}

/** @returns the treatment's mean less the control's */
export function difference({ control, treatment }: Pair): number {
  return treatment.mean - control.mean;
}

function standardError({ control, treatment }: Pair): number {
  if (control.users < 2 || treatment.users < 2) return 0;
  return Math.sqrt(control.variance / control.users + treatment.variance / treatment.users);
}

function usersOf({ control, treatment }: Pair): number {
  return control.users + treatment.users;
}

/** Half the width of an interval, in standard errors. */
function criticalValue(pair: Pair, method: Method, alpha: number): number {
  return method === 'sequential'
    ? sequentialCriticalValue(usersOf(pair), alpha)
    : twoSidedQuantile(alpha, degreesOfFreedom(pair));
}

/** Of Welch and Satterthwaite. */
function degreesOfFreedom({ control, treatment }: Pair): number {
  const ofControl = control.variance / control.users;
  const ofTreatment = treatment.variance / treatment.users;
  return (
    (ofControl + ofTreatment) ** 2 /
    (ofControl ** 2 / (control.users - 1) + ofTreatment ** 2 / (treatment.users - 1))
  );
}
