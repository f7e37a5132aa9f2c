/** The states of a release for people: labels, colours, and the stages of its life. Pure. */
import type { Release, ReleaseState } from '../../../contract/schemas/release.js';

export const stateLabels: Readonly<Record<ReleaseState, string>> = {
  draft: 'Draft',
  review: 'In review',
  approved: 'Approved',
  scheduled: 'Scheduled',
  ramping: 'Ramping',
  paused: 'Paused',
  live: 'Live',
  reverted: 'Reverted',
  stopped: 'Stopped',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const stateColours: Readonly<Record<ReleaseState, string>> = {
  draft: 'gray',
  review: 'yellow',
  approved: 'blue',
  scheduled: 'blue',
  ramping: 'grape',
  paused: 'orange',
  live: 'teal',
  reverted: 'gray',
  stopped: 'red',
  failed: 'red',
  cancelled: 'gray',
};

const editableStates: ReadonlySet<ReleaseState> = new Set([
  ...(['draft', 'review', 'approved', 'scheduled', 'stopped', 'failed'] as const),
]);

/** Whether changes can be put into it. */
export function isEditable(state: ReleaseState): boolean {
  return editableStates.has(state);
}

/** Whether it reaches a part of the players now. */
export function isActive(state: ReleaseState): boolean {
  return state === 'ramping' || state === 'paused';
}

/** Whether it stays as it is for ever. What is live may still be reverted. */
export function isFinal(state: ReleaseState): boolean {
  return state === 'reverted' || state === 'cancelled';
}

/** Whether edits withdraw something that people have decided. */
export function isDecided(state: ReleaseState): boolean {
  return state === 'review' || state === 'approved' || state === 'scheduled';
}

/** Of a ramp with its share of the players. */
export function stateText({ state, percent }: Pick<Release, 'state' | 'percent'>): string {
  // It stays on one line.
  const share = isActive(state) && percent !== null ? ` ${percent}\u00a0%` : '';
  return `${stateLabels[state]}${share}`;
}

export interface Stage {
  readonly label: string;
  readonly progress: 'done' | 'now' | 'ahead';
  readonly colour: string;
}

type StagedRelease = Pick<Release, 'state' | 'steps' | 'schedule' | 'percent' | 'liveAt'> & {
  readonly review: Pick<Release['review'], 'required'>;
};

/** The way from draft to live, as far as this release takes it, with the state that it is in now. */
export function stagesOf(release: StagedRelease): Stage[] {
  const { state, steps, schedule, percent, review } = release;
  const way: { readonly at: readonly ReleaseState[]; readonly name: ReleaseState }[] = [
    { at: ['draft', 'cancelled'], name: 'draft' },
  ];
  if (review.required > 0 || state === 'review') way.push({ at: ['review'], name: 'review' });
  if (review.required > 0 || state === 'approved') way.push({ at: ['approved'], name: 'approved' });
  if (schedule !== null || state === 'scheduled' || state === 'failed') {
    way.push({ at: ['scheduled', 'failed'], name: 'scheduled' });
  }
  if (steps.length > 0 || isActive(state) || state === 'stopped') {
    way.push({ at: ['ramping', 'paused', 'stopped'], name: 'ramping' });
  }
  way.push({ at: ['live', 'reverted'], name: 'live' });
  const now = way.findIndex(({ at }) => at.includes(state));
  return way.map(({ name }, place) => {
    const shown = place === now ? state : name;
    return {
      label: stateText({ state: shown, percent }),
      progress: place < now ? 'done' : place === now ? 'now' : 'ahead',
      colour: stateColours[shown],
    };
  });
}

/** Whether a text, such as one of a path, names a state. */
export function isReleaseState(text: string | null): text is ReleaseState {
  return text !== null && Object.hasOwn(stateLabels, text);
}
