/** What a release waits for, and where it is, for one line of the overview. Pure. */
import type { WaitingRelease } from '../../../contract/operations/overview.js';
import type { ReleaseLine } from '../../calendar/calendar-rows.js';
import { counted } from '../../parts/counted.js';
import { formatInstant } from '../../parts/time/wall-time.js';
import { stateLabels } from '../../releases/words/release-states.js';

type Waiting = Pick<
  WaitingRelease,
  'waitsFor' | 'state' | 'createdBy' | 'changes' | 'reason' | 'percent'
>;

/** Such as `waits for your approval: 4 changes by Mei`. */
export function describeWaiting(release: Waiting): string {
  const { waitsFor, state, createdBy, changes, reason, percent } = release;
  const size = counted(changes, 'change');
  const because = reason === '' ? '' : `: ${reason}`;
  switch (waitsFor) {
    case 'approve':
      return `waits for your approval: ${size} by ${createdBy}`;
    case 'go_live':
      return state === 'draft'
        ? `waits for an owner to make it live: ${size} by ${createdBy}`
        : `is approved and can go live: ${size}`;
    case 'resume':
      return `is paused${percent === null ? '' : ` at ${percent} %`}${because}`;
    case 'fix':
      return `did not go live${because}`;
    case 'submit':
      return `is a draft of yours: ${size}`;
  }
}

/** The button beside it. */
export const nextSteps: Readonly<Record<WaitingRelease['waitsFor'], string>> = {
  approve: 'Review',
  go_live: 'Open',
  resume: 'Open',
  fix: 'Open',
  submit: 'Open',
};

/** Such as `Ramping 10 %, live for all Mon 30 Nov, 12:00`, `Scheduled, Fri 27 Nov, 16:00`. By the clock of the browser. */
export function describeProgress({ entry, steps }: ReleaseLine, nowMs: number): string {
  const { state, from, until } = entry;
  const label = stateLabels[state];
  if (state !== 'ramping' && state !== 'paused') {
    return `${label}, ${formatInstant(Date.parse(from), nowMs)}`;
  }
  const present = steps[0];
  const share = present === undefined ? '' : ` ${present.percent} %`;
  const end = until === null ? '' : `, live for all ${formatInstant(Date.parse(until), nowMs)}`;
  return `${label}${share}${end}`;
}
