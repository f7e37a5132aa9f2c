/**
 * The one parser of times that people type. Days are UTC days, as in all output; a time of day without a zone is local.
 */

import { InvalidArgumentError } from 'commander';

/** Which way `2h` and `monday` lead. */
type Direction = 'ago' | 'ahead';

const relative = /^(\d{1,5})([mhdw])(?: ago)?$/;
const absolute = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const dayMs = 86_400_000;
const namedDays: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** For the help of an option, after its own words. */
export const pastHelp = '2h, 3d, yesterday, monday, 2026-11-01, 2026-11-01T10:00 (local time)';
export const aheadHelp = '2h, 3d, tomorrow, monday, 2026-11-01, 2026-11-01T10:00 (local time)';

export const never = 'never';

/**
 * A moment from now on, or any that is written out.
 * @returns an RFC 3339 time in UTC
 * @throws InvalidArgumentError
 */
export function parseMoment(text: string): string {
  return timeOf(text, 'ahead');
}

/** As `parseMoment`; takes `never` too. */
export function parseMomentOrNever(text: string): string {
  return text === never ? never : parseMoment(text);
}

/**
 * A past moment, or any that is written out.
 * @returns an RFC 3339 time in UTC
 * @throws InvalidArgumentError
 */
export function parsePast(text: string): string {
  return timeOf(text, 'ago');
}

/** As `parsePast`; an RFC 3339 time stays as it is, for output that repeats it. */
export function parsePastAsGiven(text: string): string {
  const time = parsePast(text);
  return absolute.exec(text)?.[3] === undefined ? time : text;
}

function timeOf(text: string, direction: Direction): string {
  const timeMs = parseTime(text.trim().toLowerCase(), direction, Date.now());
  if (timeMs === null) throw new InvalidArgumentError(formats(direction));
  return new Date(timeMs).toISOString();
}

function formats(direction: Direction): string {
  const [where, day] = direction === 'ago' ? ['ago', 'yesterday'] : ['from now', 'tomorrow'];
  return `It must be a time ${where} such as 15m, 2h, 3d or 1w; today, ${day} or a weekday such as monday; a date such as 2026-11-01; or a time such as 2026-11-01T10:00 (local) or 2026-11-01T10:00:00Z. Days begin at midnight UTC.`;
}

/**
 * @param text in lower case
 * @returns in milliseconds; null: it is no time
 */
export function parseTime(text: string, direction: Direction, nowMs: number): number | null {
  const sign = direction === 'ago' ? -1 : 1;
  const [, count, unit = ''] = relative.exec(text) ?? [];
  if (count !== undefined) return nowMs + sign * Number(count) * (unitMs[unit] ?? 0);
  if (text === 'now') return nowMs;
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const days = namedDays.get(text);
  if (days !== undefined) return todayMs + days * dayMs;
  const weekday = weekdays.indexOf(text);
  // A weekday is another day than today: `monday` on a Monday is a week away.
  if (weekday >= 0) return todayMs + sign * dayMs * daysTo(weekday, new Date(todayMs), sign);
  return parseWritten(text.toUpperCase());
}

function daysTo(weekday: number, today: Date, sign: 1 | -1): number {
  return ((sign * (weekday - today.getUTCDay()) + 13) % 7) + 1;
}

function parseWritten(text: string): number | null {
  const [, date = ''] = absolute.exec(text) ?? [];
  const midnightMs = Date.parse(date);
  // The engine takes the 30th of February for the 2nd of March.
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(date)) return null;
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : timeMs;
}
