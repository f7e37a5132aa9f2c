/** How often what is shown of releases is read again, milliseconds. */
import type { ReleaseState } from '../../contract/schemas/release.js';
import { isActive, isFinal } from './words/release-states.js';

export const calmMs = 15_000;
/** While players move from one side to the other, the counts are what people watch. */
const activeMs = 3_000;

/** Of a release in this state; false: never, because nothing of it changes. */
export function pollMsOf(state: ReleaseState): number | false {
  if (isFinal(state)) return false;
  return isActive(state) ? activeMs : calmMs;
}
