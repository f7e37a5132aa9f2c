/** How many users a ramp's step needs before its receipts can show a fault. Pure. */
import type { ReleaseStep } from '../../../contract/schemas/release.js';
import { candidateShare, evidenceLimit, evidenceOf } from './evidence.js';

/** The fault that the figure is about: so many of all users are missing more. */
const effect = 0.02;
/** Beyond it, no step of a game sees so many users. */
const usersMax = 10_000_000;

/**
 * Users of the candidate slice with which a fault that makes 2 of 100 more users miss is found, as often as not. Each missing
 * user is in a network of its own.
 * @param baseRate share of users that are missing anyway, 0 to 0.98
 * @param permille see `candidateShare`
 * @param steps of the ramp
 * @returns null: everybody is in, so nothing can be found
 */
export function minimumUsers(baseRate: number, permille: number, steps: number): number | null {
  const share = candidateShare(permille);
  if (share === null) return null;
  const limit = evidenceLimit(steps);
  let [low, high] = [1, usersMax];
  while (low < high) {
    const users = Math.floor((low + high) / 2);
    if (expectedEvidence(users, baseRate, share) >= limit) high = users;
    else low = users + 1;
  }
  return low;
}

/** What is shown before the start, when it is not known how many users are missing anyway: of most games, fewer than these. */
const usualBaseRate = 0.05;

/** The steps, each with the users that its receipts need; see `minimumUsers`. */
export function withUsers(
  steps: readonly ReleaseStep[],
): (ReleaseStep & { readonly users: number | null })[] {
  return steps.map((step) => {
    const users = minimumUsers(usualBaseRate, Math.round(step.percent * 10), steps.length);
    return { ...step, users };
  });
}

/** @param users of the candidate slice */
function expectedEvidence(users: number, baseRate: number, share: number): number {
  const candidate = Math.round(users * (baseRate + effect));
  const control = Math.round(((users * (1 - share)) / share) * baseRate);
  const kinds = [
    { candidate: 1, control: 0, networks: candidate },
    { candidate: 0, control: 1, networks: control },
  ];
  return evidenceOf(kinds, share);
}
