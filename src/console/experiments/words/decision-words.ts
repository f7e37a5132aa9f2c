/** What a decision means for players now, which depends on the release that carries it out. Pure. */
import type { ExperimentDecision } from '../../../contract/schemas/experiment.js';
import { isActive, isFinal } from '../../releases/words/release-states.js';

/** In a sentence or two. */
export function describeDecision({ variant, release, releaseState }: ExperimentDecision): string {
  const winner = variant === null ? 'no variant won' : `“${variant}” won`;
  if (release === null)
    return `Decided: ${winner}. The rule was no longer live, so nothing changes.`;
  if (releaseState === 'live') {
    return variant === null
      ? 'Decided: no variant won, and the rule is gone.'
      : `Decided: all its players get “${variant}”.`;
  }
  if (releaseState === null || isFinal(releaseState)) {
    const end = releaseState ?? 'deleted';
    return `Decided: ${winner}, but release #${release} was ${end}. Players do not get it.`;
  }
  return isActive(releaseState)
    ? `Decided: ${winner}. Release #${release} is on its way to all players.`
    : `Decided: ${winner}. Players get it once release #${release} is live.`;
}

/** In a few words, for a list. */
export function nameDecision({ variant, release, releaseState }: ExperimentDecision): string {
  const winner = variant === null ? 'No winner' : `Winner: ${variant}`;
  if (release === null || releaseState === 'live') return winner;
  if (releaseState === null || isFinal(releaseState))
    return `${winner}, ${releaseState ?? 'deleted'}`;
  return `${winner}, ${isActive(releaseState) ? 'ramping' : 'not live yet'}`;
}
