/** What a release does next by itself, and when. Pure; times are milliseconds since the epoch. */
import type { ReleaseRecord } from '../../store/releases/releases.js';

export interface NextAction {
  readonly action: 'start' | 'step' | 'live';
  readonly atMs: number;
}

type Timed = Pick<ReleaseRecord, 'state' | 'steps' | 'step' | 'stepAt' | 'heldMs' | 'scheduledAt'>;

/** Null: it does nothing by itself. */
export function nextAction(release: Timed): NextAction | null {
  const { state, steps, step, stepAt, heldMs, scheduledAt } = release;
  if (state === 'scheduled' && scheduledAt !== null) {
    return { action: steps.length > 0 ? 'start' : 'live', atMs: scheduledAt };
  }
  if (state !== 'ramping' || stepAt === null) return null;
  const holdMs = (steps[step]?.holdMinutes ?? 0) * 60_000;
  const action = step + 1 < steps.length ? 'step' : 'live';
  return { action, atMs: stepAt + Math.max(holdMs - heldMs, 0) };
}

/** How much of the step's hold has passed; a clock that was set back takes nothing of it away. */
export function heldMsAt({ stepAt, heldMs }: Timed, nowMs: number): number {
  return stepAt === null ? heldMs : heldMs + Math.max(nowMs - stepAt, 0);
}
