/** Releases and their steps as entries of a calendar. */
import { calendarContentsShownMax } from '../../contract/limits.js';
import type { CalendarRelease, CalendarStep } from '../../contract/operations/calendar.js';
import { toIso } from '../to-iso.js';
import type { CalendarReleaseFacts } from './calendar-facts.js';
import type { CalendarRange } from './calendar-range.js';
import type { ProjectedSpan } from './project-release.js';

/** The release, then those of its steps that meet the range. */
export function releaseEntries(
  { release: { release, title, state }, projected, reach }: CalendarReleaseFacts,
  range: CalendarRange,
): (CalendarRelease | CalendarStep)[] {
  const contents = [...reach.values()].slice(0, calendarContentsShownMax);
  const isProjected = state !== 'live';
  const steps = projected.steps.filter((step) => meets(step, range));
  return [
    {
      id: releaseId(release),
      kind: 'release',
      ...{ release, title, state, contents, contentsLeftOut: reach.size - contents.length },
      ...timesOf(projected),
      projected: isProjected,
    },
    ...steps.map((span): CalendarStep => {
      const { step, percent } = span;
      const id = `step:${release}:${step}`;
      return { id, kind: 'step', release, step, percent, ...timesOf(span), projected: isProjected };
    }),
  ];
}

export function releaseId(release: number): string {
  return `release:${release}`;
}

function timesOf({ fromMs, untilMs }: ProjectedSpan): { from: string; until: string | null } {
  return { from: toIso(fromMs), until: toIso(untilMs) };
}

function meets({ fromMs, untilMs }: ProjectedSpan, range: CalendarRange): boolean {
  return fromMs < range.untilMs && (untilMs === null || range.fromMs <= untilMs);
}
