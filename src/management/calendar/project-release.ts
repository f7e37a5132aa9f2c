/** When a release begins, takes its steps and is live for all, as far as its schedule and its holds say so. Pure. */
import type { ReleaseRecord } from '../store/releases/releases.js';

/** Milliseconds since the epoch. */
export interface ProjectedSpan {
  readonly fromMs: number;
  /** null: people decide. */
  readonly untilMs: number | null;
}

export interface ProjectedStep extends ProjectedSpan {
  /** Its place, from 0. */
  readonly step: number;
  readonly percent: number;
}

export interface ProjectedRelease extends ProjectedSpan {
  /** The present step and those that follow. */
  readonly steps: readonly ProjectedStep[];
}

/** When the ramp of a release began, and its present step; null: it has none. */
export interface RampTimes {
  readonly startedMs: number | null;
  readonly steppedMs: number | null;
}

type Timed = Pick<
  ReleaseRecord,
  'state' | 'steps' | 'step' | 'stepAt' | 'heldMs' | 'scheduledAt' | 'liveAt' | 'updatedAt'
>;

export function projectRelease(release: Timed, times: RampTimes): ProjectedRelease {
  const { state, scheduledAt, liveAt, updatedAt } = release;
  const startedMs = times.startedMs ?? updatedAt;
  switch (state) {
    case 'scheduled': {
      const fromMs = scheduledAt ?? updatedAt;
      return spanOf(fromMs, stepsFrom(release, 0, fromMs));
    }
    case 'ramping': {
      const { step, stepAt, heldMs } = release;
      const beganMs = (stepAt ?? updatedAt) - heldMs;
      const [present, ...others] = stepsFrom(release, step, beganMs);
      const since = present && { ...present, fromMs: times.steppedMs ?? present.fromMs };
      return spanOf(startedMs, since === undefined ? [] : [since, ...others]);
    }
    case 'paused': {
      const { step, steps } = release;
      const fromMs = times.steppedMs ?? startedMs;
      const percent = steps[step]?.percent ?? 0;
      return {
        fromMs: startedMs,
        untilMs: null,
        steps: [{ step, percent, fromMs, untilMs: null }],
      };
    }
    default: {
      const fromMs = liveAt ?? updatedAt;
      return spanOf(fromMs, []);
    }
  }
}

/** Without steps it is live at once. */
function spanOf(fromMs: number, steps: readonly ProjectedStep[]): ProjectedRelease {
  const last = steps.at(-1);
  return { fromMs, untilMs: last === undefined ? fromMs : last.untilMs, steps };
}

function stepsFrom({ steps }: Timed, first: number, beganMs: number): ProjectedStep[] {
  const projected: ProjectedStep[] = [];
  let fromMs = beganMs;
  for (const [at, { percent, holdMinutes }] of steps.slice(first).entries()) {
    const untilMs = fromMs + holdMinutes * 60_000;
    projected.push({ step: first + at, percent, fromMs, untilMs });
    fromMs = untilMs;
  }
  return projected;
}
