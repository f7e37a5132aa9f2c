/**
 * Which callers a release reaches while it ramps. Pure: the same salt and caller give the same bucket on every node, in every content
 * item of the release, and after each pause and restart, so that membership only grows with the share.
 */

import type { EvaluationContext } from './evaluation-context.js';

/** One step of a ramp. */
export interface RampStep {
  /** Of the release: the buckets of two releases are independent. */
  readonly salt: string;
  /** Share of the callers that are in, 0 to 1000. */
  readonly permille: number;
}

/** `candidate`: the caller is in. `control`: the caller is out, in the share of equal size that is compared with it. */
export type Slice = 'candidate' | 'control';

/** Whether the caller is given the candidate. A caller without a user id never is. */
export function isInRamp({ salt, permille }: RampStep, caller: EvaluationContext): boolean {
  return caller.u !== '' && caller.bucketUnder(salt) < permille;
}

/**
 * The slice of the caller, null for none. The control is the next share of the same size, [permille, 2 × permille): above
 * 50 % it is what is left, and at 100 % there is none.
 */
export function sliceOf({ salt, permille }: RampStep, caller: EvaluationContext): Slice | null {
  if (caller.u === '') return null;
  const bucket = caller.bucketUnder(salt);
  if (bucket < permille) return 'candidate';
  return bucket < 2 * permille ? 'control' : null;
}
