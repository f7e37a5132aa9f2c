/** The transitions of a release, and the position in its life that each leads to. */
import type { ReleaseState } from '../../../src/contract/schemas/release.js';
import type { Act } from './release.js';

export type Transition = Act | 'step';

export interface Position {
  readonly state: ReleaseState;
  readonly percent: number | null;
}

export const steps = [20, 50, 100].map((percent) => ({ percent, holdMinutes: 600 }));

/** By state, as often as they are to be drawn. */
export const possible: Partial<Record<ReleaseState, readonly Transition[]>> = {
  draft: ['start', 'start', 'start', 'live'],
  ramping: ['step', 'step', 'pause', 'stop', 'live'],
  paused: ['resume', 'resume', 'stop', 'live'],
  live: ['revert'],
};

const targets: Readonly<Record<Act, ReleaseState>> = {
  ...{ submit: 'approved', start: 'ramping', pause: 'paused', resume: 'ramping' },
  ...{ stop: 'stopped', live: 'live', revert: 'reverted' },
};

export function afterOf({ state, percent }: Position, transition: Transition): Position {
  if (transition === 'step') {
    const next = steps[steps.findIndex((step) => step.percent === percent) + 1];
    return next === undefined ? { state: 'live', percent: null } : { state, percent: next.percent };
  }
  const target = targets[transition];
  if (transition === 'start') return { state: target, percent: steps[0]?.percent ?? null };
  return { state: target, percent: target === 'ramping' || target === 'paused' ? percent : null };
}
