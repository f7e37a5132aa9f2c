/** Reads points in time as RFC 3339 writes them: a date, a time and a zone; and without the zone, as a wall clock shows them. */

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|([+-])(\d{2}):(\d{2}))?$/;

const msPerMinute = 60_000;

/** What a clock on the wall shows. */
export interface WallTime {
  /** Read as if the clock showed UTC: milliseconds since the epoch. */
  readonly wallMs: number;
  /** Minutes that the clock is ahead of UTC; null when the text names no zone. */
  readonly zoneMinutes: number | null;
}

/**
 * Milliseconds since the epoch, or null when `text` is no RFC 3339 date-time. A leap second (`:60`) is the first
 * moment of the next minute; digits after the millisecond are dropped.
 */
export function parseInstant(text: string): number | null {
  const time = parseWallTime(text);
  if (time === null || time.zoneMinutes === null) return null;
  return time.wallMs - time.zoneMinutes * msPerMinute;
}

/** As `parseInstant`, for a text that may lack the zone. */
export function parseWallTime(text: string): WallTime | null {
  const match = dateTime.exec(text);
  if (match === null) return null;
  const field = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [field(1), field(2), field(3)];
  const [hour, minute, second] = [field(4), field(5), field(6)];
  const [zoneHour, zoneMinute] = [field(10), field(11)];
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const fraction = Number((match[7] ?? '').slice(1, 4).padEnd(3, '0'));
  // Not `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, fraction);
  const zone = (zoneHour * 60 + zoneMinute) * (match[9] === '-' ? -1 : 1);
  return { wallMs: date.getTime(), zoneMinutes: match[8] === undefined ? null : zone };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
