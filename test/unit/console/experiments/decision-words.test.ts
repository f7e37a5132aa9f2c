/** A decision says what players have of it now, which is up to its release. */
import { expect, it } from 'vitest';
import {
  describeDecision,
  nameDecision,
} from '../../../../src/console/experiments/words/decision-words.js';
import type { ReleaseState } from '../../../../src/contract/schemas/release.js';

const decided = (
  variant: string | null,
  releaseState: ReleaseState | null,
  release: number | null = 7,
) => ({
  ...{ variant, note: '', by: 'mei', release, releaseState },
});

it.each([
  ['draft', 'Decided: “b” won. Players get it once release #7 is live.', 'Winner: b, not live yet'],
  [
    'review',
    'Decided: “b” won. Players get it once release #7 is live.',
    'Winner: b, not live yet',
  ],
  ['ramping', 'Decided: “b” won. Release #7 is on its way to all players.', 'Winner: b, ramping'],
  ['live', 'Decided: all its players get “b”.', 'Winner: b'],
  [
    'reverted',
    'Decided: “b” won, but release #7 was reverted. Players do not get it.',
    'Winner: b, reverted',
  ],
] as const)('with a release that is %s', (state, sentence, words) => {
  expect(describeDecision(decided('b', state))).toBe(sentence);
  expect(nameDecision(decided('b', state))).toBe(words);
});

it('without a winner, or without a release', () => {
  expect(describeDecision(decided(null, 'live'))).toBe(
    'Decided: no variant won, and the rule is gone.',
  );
  expect(nameDecision(decided(null, 'draft'))).toBe('No winner, not live yet');
  expect(describeDecision(decided('b', null, null))).toBe(
    'Decided: “b” won. The rule was no longer live, so nothing changes.',
  );
  expect(nameDecision(decided('b', null, null))).toBe('Winner: b');
});
