/** Why a write may not reach players, whichever way of publishing it is. */
import type { ProblemCode } from '../problems.js';

/** Of every operation that changes what players receive, but for those of releases. */
export const gateCodes: readonly ProblemCode[] = ['release_required', 'release_active'];

/** The same for those that may change what assigns the players of a running experiment to variants. */
export const experimentGateCodes: readonly ProblemCode[] = [
  ...gateCodes,
  ...(['confirmation_required', 'slices_overlap', 'salt_in_use'] as const),
];

/** The same for those that may also bring values that guards, or the environment, have a person confirm. */
export const valueGateCodes: readonly ProblemCode[] = experimentGateCodes;
