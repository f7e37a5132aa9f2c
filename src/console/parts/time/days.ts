/** Days without a time, given in UTC or as a clock on the wall that is read as UTC. Pure. */

const inUtc = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
const short = inUtc({ day: 'numeric', month: 'short' });
const weekday = inUtc({ weekday: 'short', day: 'numeric' });
const long = inUtc({ day: 'numeric', month: 'long', year: 'numeric' });

/** Such as `24 Nov`. */
export function formatShortDay(wallMs: number): string {
  return short.format(wallMs);
}

/** Such as `Tue 24`. */
export function formatWeekday(wallMs: number): string {
  return weekday.format(wallMs);
}

/** Such as `23 November – 27 December 2026`. */
export function formatDayRange(fromWallMs: number, untilWallMs: number): string {
  return long.formatRange(fromWallMs, untilWallMs);
}
