/** Which release a change goes into unless another is chosen: the one that the last change went into. */
import type { ReleaseSummary } from '../../../contract/schemas/release.js';

/** In place of a number. */
export const newRelease = 'new';

/** @returns number of a release as text, or `newRelease` */
export function chosenAtFirst(open: readonly ReleaseSummary[], last: number | null): string {
  const known = open.find(({ release }) => release === last);
  // A draft takes changes without withdrawing anything.
  const found = known ?? open.find(({ state }) => state === 'draft');
  return found === undefined ? newRelease : String(found.release);
}
