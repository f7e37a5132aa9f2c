/** The states of a release, and which transition leads from which to which. Pure. */
import type { ReleaseState } from '../../contract/schemas/release.js';

/**
 * What can happen to a release. `edit`: its changes, steps or brake become others. `emergency`: an owner makes it live
 * without approvals.
 */
export type Transition =
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'schedule'
  | 'unschedule'
  | 'start'
  | 'step'
  | 'pause'
  | 'resume'
  | 'stop'
  | 'live'
  | 'emergency'
  | 'revert'
  | 'cancel'
  | 'fail';

/** Every transition with the states that it leads from. */
const origins: Readonly<Record<Transition, readonly ReleaseState[]>> = {
  edit: ['draft', 'review', 'approved', 'scheduled', 'stopped', 'failed'],
  submit: ['draft', 'stopped', 'failed'],
  approve: ['review'],
  reject: ['review', 'approved', 'scheduled'],
  schedule: ['approved', 'scheduled'],
  unschedule: ['scheduled'],
  start: ['approved', 'scheduled'],
  step: ['ramping'],
  pause: ['ramping'],
  resume: ['paused'],
  stop: ['ramping', 'paused'],
  live: ['approved', 'scheduled', 'ramping', 'paused'],
  emergency: ['draft', 'review', 'approved', 'scheduled', 'ramping', 'paused'],
  revert: ['live'],
  cancel: ['draft', 'review', 'approved', 'scheduled', 'stopped', 'failed'],
  fail: ['scheduled'],
};

/** What needs no approval where the environment asks for none: a draft goes on by itself. */
const direct: ReadonlySet<Transition> = new Set(['schedule', 'start', 'live']);

/** Where a transition leads. Approvals lead from `review` once there are enough; see `transition.ts`. */
const targets = {
  edit: 'draft',
  reject: 'draft',
  schedule: 'scheduled',
  unschedule: 'approved',
  start: 'ramping',
  step: 'ramping',
  pause: 'paused',
  resume: 'ramping',
  stop: 'stopped',
  live: 'live',
  emergency: 'live',
  revert: 'reverted',
  cancel: 'cancelled',
  fail: 'failed',
} as const satisfies Partial<Record<Transition, ReleaseState>>;

/** A transition that leads to one state, whatever else is so. */
export type PlainTransition = keyof typeof targets;

export function targetOf(transition: PlainTransition): ReleaseState {
  return targets[transition];
}

/** @param needsReview whether the environment asks for approvals */
export function canTransition(
  state: ReleaseState,
  transition: Transition,
  needsReview: boolean,
): boolean {
  if (!needsReview && state === 'draft' && direct.has(transition)) return true;
  return origins[transition].includes(state);
}

/** The states that a transition leads from, for a sentence. */
export function originsOf(transition: Transition, needsReview: boolean): readonly ReleaseState[] {
  const states = origins[transition];
  return !needsReview && direct.has(transition) ? ['draft', ...states] : states;
}
