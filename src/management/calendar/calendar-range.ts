/** The range of a calendar. */
import { parseInstant } from '../../content/mapping/instant.js';
import { calendarDaysDefault, calendarDaysMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';

/** [fromMs, untilMs), milliseconds since the epoch. */
export interface CalendarRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

const msPerDay = 86_400_000;

/** @param query RFC 3339, checked */
export function rangeOf(
  query: { readonly from?: string | undefined; readonly until?: string | undefined },
  nowMs: number,
): CalendarRange | Problem {
  const fromMs = (query.from === undefined ? null : parseInstant(query.from)) ?? nowMs;
  const untilMs =
    (query.until === undefined ? null : parseInstant(query.until)) ??
    fromMs + calendarDaysDefault * msPerDay;
  if (untilMs <= fromMs) return issueOf('must be after from');
  if (untilMs - fromMs <= calendarDaysMax * msPerDay) return { fromMs, untilMs };
  return issueOf(`must be at most ${calendarDaysMax} days after from`);
}

function issueOf(message: string): Problem {
  const detail = 'The path or query of the request is not valid.';
  return new Problem('invalid_request', detail, [{ path: 'until', message }]);
}
