/** What is known of a player of a cohort, in the words of a response. */

import { Problem } from '../../../contract/problems.js';
import type { CohortPlayer } from '../../../contract/schemas/players/cohort-player.js';
import { overworked } from '../../evaluation/read-context.js';
import { toIso } from '../../to-iso.js';
import type { PlayerSums } from './evaluate-cohort.js';
import type { DonePage } from './evaluate-page.js';
import type { CohortPlan } from './plan-periods.js';

export function cohortPlayer(
  u: string,
  sums: PlayerSums,
  { states, about }: Pick<CohortPlan, 'states'> & Pick<DonePage, 'about'>,
): CohortPlayer {
  const { firstMs, untilMs, givenMs, givenState, notKnownMs, notKnownState, invalid } = sums;
  const release = states[givenState]?.release ?? null;
  const isGiven = givenState !== -1;
  return {
    u,
    outcome: outcomeOf(sums),
    firstAt: isGiven ? toIso(firstMs) : null,
    untilAt: isGiven ? toIso(untilMs) : null,
    givenMs,
    revision: about.get(givenState)?.revision ?? null,
    release: release === null || release instanceof Problem ? null : release.release,
    notKnownMs,
    detail:
      invalid ?? about.get(notKnownState)?.detail ?? (sums.rejectedMs > 0 ? overworked : null),
  };
}

function outcomeOf(sums: PlayerSums): CohortPlayer['outcome'] {
  if (sums.invalid !== null) return 'rejected';
  if (sums.givenState !== -1) return 'given';
  if (sums.notKnownState !== -1) return 'not_known';
  return sums.rejectedMs > 0 ? 'rejected' : 'not_given';
}

export function countOutcomes(players: readonly CohortPlayer[]): {
  readonly given: number;
  readonly notGiven: number;
  readonly notKnown: number;
  readonly rejected: number;
} {
  const count = (wanted: CohortPlayer['outcome']) =>
    players.filter(({ outcome }) => outcome === wanted).length;
  return {
    given: count('given'),
    notGiven: count('not_given'),
    notKnown: count('not_known'),
    rejected: count('rejected'),
  };
}
