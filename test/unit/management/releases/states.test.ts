import { describe, expect, it } from 'vitest';
import { type ReleaseState, releaseStates } from '../../../../src/contract/schemas/release.js';
import {
  canTransition,
  type PlainTransition,
  type Transition,
  targetOf,
} from '../../../../src/management/releases/states.js';

/** The diagram: what may happen in each state where the environment asks for approvals. */
const allowed: Readonly<Record<ReleaseState, readonly Transition[]>> = {
  draft: ['edit', 'submit', 'cancel', 'emergency'],
  review: ['edit', 'approve', 'reject', 'cancel', 'emergency'],
  approved: ['edit', 'reject', 'schedule', 'start', 'live', 'cancel', 'emergency'],
  scheduled: [
    'edit',
    'reject',
    'schedule',
    'unschedule',
    'start',
    'live',
    'cancel',
    'fail',
    'emergency',
  ],
  ramping: ['step', 'pause', 'stop', 'live', 'emergency'],
  paused: ['resume', 'stop', 'live', 'emergency'],
  live: ['revert'],
  reverted: [],
  stopped: ['edit', 'submit', 'cancel'],
  failed: ['edit', 'submit', 'cancel'],
  cancelled: [],
};

const transitions: readonly Transition[] = [
  ...(['edit', 'submit', 'approve', 'reject', 'schedule', 'unschedule', 'start', 'step'] as const),
  ...(['pause', 'resume', 'stop', 'live', 'emergency', 'revert', 'cancel', 'fail'] as const),
];

const plain: readonly PlainTransition[] = [
  ...(['edit', 'reject', 'schedule', 'unschedule', 'start', 'step', 'pause'] as const),
  ...(['resume', 'stop', 'live', 'revert', 'cancel', 'fail'] as const),
];

describe('the states of a release', () => {
  const pairs = releaseStates.flatMap((state) =>
    transitions.map((transition) => ({ state, transition })),
  );

  it.each(pairs)('$state: $transition as the diagram says', ({ state, transition }) => {
    expect(canTransition(state, transition, true)).toBe(allowed[state].includes(transition));
  });

  it.each(pairs)('$state: $transition without a review policy, too', ({ state, transition }) => {
    const isDirect = state === 'draft' && ['schedule', 'start', 'live'].includes(transition);
    const expected = isDirect || allowed[state].includes(transition);
    expect(canTransition(state, transition, false)).toBe(expected);
  });

  it('leaves no state that has ended, other than by reverting what is live', () => {
    for (const state of ['reverted', 'cancelled'] as const) {
      expect(transitions.filter((one) => canTransition(state, one, false))).toEqual([]);
    }
  });

  it('reaches ramping and live from no state that still needs its approvals', () => {
    const unapproved = ['draft', 'review', 'stopped', 'failed', 'cancelled', 'reverted'] as const;
    for (const transition of plain) {
      if (!['ramping', 'live', 'scheduled'].includes(targetOf(transition))) continue;
      for (const state of unapproved) expect(canTransition(state, transition, true)).toBe(false);
    }
  });
});
