/** The steps of a ramp for people: presets, sentences, and what is wrong with typed ones. Pure. */
import type { ReleaseStep } from '../../../contract/schemas/release.js';

export interface StepPreset {
  readonly label: string;
  readonly steps: readonly ReleaseStep[];
}

export const stepPresets: readonly StepPreset[] = [
  {
    label: 'Careful',
    steps: [
      { percent: 1, holdMinutes: 10 },
      { percent: 10, holdMinutes: 60 },
      { percent: 50, holdMinutes: 60 },
    ],
  },
  {
    label: 'Quick',
    steps: [
      { percent: 10, holdMinutes: 10 },
      { percent: 50, holdMinutes: 10 },
    ],
  },
  {
    label: 'Over days',
    steps: [
      { percent: 1, holdMinutes: 24 * 60 },
      { percent: 10, holdMinutes: 24 * 60 },
      { percent: 50, holdMinutes: 24 * 60 },
    ],
  },
  { label: 'No ramp', steps: [] },
];

const units = [
  ['d', 24 * 60],
  ['h', 60],
] as const;

/** `90` is `1 h 30 min`; `0` is `0 min`. */
export function formatMinutes(minutes: number): string {
  const parts: string[] = [];
  let left = minutes;
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    left -= count * size;
  }
  if (left > 0 || parts.length === 0) parts.push(`${left} min`);
  return parts.join(' ');
}

/** `1 % for 10 min, 10 % for 1 h, then live`. */
export function formatSteps(steps: readonly ReleaseStep[]): string {
  if (steps.length === 0) return 'No ramp: live for all players at once.';
  const held = steps.map(({ percent, holdMinutes }) =>
    holdMinutes === 0 ? `${percent} %` : `${percent} % for ${formatMinutes(holdMinutes)}`,
  );
  return `${held.join(', ')}, then live for all players (${formatMinutes(rampMinutes(steps))} in all).`;
}

/** How long the ramp takes when no one pauses it, minutes. */
export function rampMinutes(steps: readonly ReleaseStep[]): number {
  return steps.reduce((sum, { holdMinutes }) => sum + holdMinutes, 0);
}

/** A step as it is typed; '' where a field is empty. */
export interface TypedStep {
  readonly percent: number | '';
  readonly holdMinutes: number | '';
}

/** Why the step at this place cannot be saved; null: it can. */
export function stepIssue(steps: readonly TypedStep[], place: number): string | null {
  const step = steps[place];
  if (step === undefined) return null;
  const { percent, holdMinutes } = step;
  if (percent === '') return 'Enter a share.';
  if (percent < 0.1 || percent > 100) return 'From 0.1 to 100 %.';
  if (Math.abs(percent * 10 - Math.round(percent * 10)) > 1e-6) return 'In steps of 0.1 %.';
  const before = steps[place - 1]?.percent ?? 0;
  if (before !== '' && percent <= before) return `More than the ${before} % before it.`;
  return holdMinutes === '' ? 'Enter how long it lasts.' : null;
}

/** The steps that can be sent; null: something is wrong with them. */
export function typedSteps(steps: readonly TypedStep[]): ReleaseStep[] | null {
  const complete: ReleaseStep[] = [];
  for (const [place, { percent, holdMinutes }] of steps.entries()) {
    if (stepIssue(steps, place) !== null || percent === '' || holdMinutes === '') return null;
    complete.push({ percent, holdMinutes });
  }
  return complete;
}

/** A further row: ten times the share of the last one, for as long. */
export function nextStep(steps: readonly TypedStep[]): TypedStep {
  const last = steps.at(-1);
  const percent = last === undefined || last.percent === '' ? 1 : last.percent * 10;
  return {
    percent: Math.min(100, Math.round(percent * 10) / 10),
    holdMinutes: last?.holdMinutes ?? 60,
  };
}
