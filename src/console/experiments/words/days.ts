/** The days of an experiment: its counts by day, and how far it is in its plan. Pure. */

import type { ExperimentSummary } from '../../../contract/schemas/experiment.js';
import type { Results } from '../../../contract/schemas/experiment-results.js';
import { counted } from '../../parts/counted.js';
import { formatShortDay } from '../../parts/time/days.js';

const dayMs = 86_400_000;

export interface DayCounts {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  /** In the order of the variants. */
  readonly exposed: readonly number[];
  readonly total: number;
}

/** Oldest first. */
export function daysOf(daily: Results['daily'], variants: readonly string[]): DayCounts[] {
  const byDay = new Map<string, number[]>();
  for (const { day, variant, exposed } of daily) {
    const counts = byDay.get(day) ?? variants.map(() => 0);
    const place = variants.indexOf(variant);
    if (place >= 0) counts[place] = exposed;
    byDay.set(day, counts);
  }
  return [...byDay]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([day, exposed]) => ({
      day,
      exposed,
      total: exposed.reduce((sum, count) => sum + count, 0),
    }));
}

/** Such as `24 Nov`. @param day YYYY-MM-DD */
export function dayLabel(day: string): string {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? day : formatShortDay(atMs);
}

type Run = Pick<ExperimentSummary, 'startedAt' | 'stoppedAt' | 'decidedAt' | 'plannedDays'>;

/** Days since the start, the first being day 1; 0: it has not started. */
export function dayOfRun({ startedAt, stoppedAt, decidedAt }: Run, nowMs: number): number {
  if (startedAt === null) return 0;
  const end = stoppedAt ?? decidedAt;
  const endMs = end === null ? nowMs : Date.parse(end);
  return Math.max(1, Math.ceil((endMs - Date.parse(startedAt)) / dayMs));
}

/** Such as `Day 4 of 14`. */
export function runText(run: Run, nowMs: number): string {
  const day = dayOfRun(run, nowMs);
  if (day === 0) return `${run.plannedDays} days planned`;
  const isOver = run.stoppedAt !== null || run.decidedAt !== null;
  if (isOver) return `Ran ${counted(day, 'day')}, ${run.plannedDays} planned`;
  return day > run.plannedDays
    ? `Day ${day}, ${run.plannedDays} planned`
    : `Day ${day} of ${run.plannedDays}`;
}
