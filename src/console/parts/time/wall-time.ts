/** Times as a clock on the wall shows them, without a zone: milliseconds since the epoch, read as if the clock showed UTC. Pure. */
import { parseWallTime } from '../../../content/mapping/instant.js';

export const msPerMinute = 60_000;
export const msPerHour = 3_600_000;
export const msPerDay = 86_400_000;

/** @returns null where the text is no date and time, or names a zone */
export function parseWall(text: string | null): number | null {
  const time = text === null ? null : parseWallTime(text);
  return time === null || time.zoneMinutes !== null ? null : time.wallMs;
}

/** Such as `2026-11-27T18:00:00`. */
export function wallText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19);
}

/** An instant as a clock with an offset writes it: `2026-11-27T18:00:00+01:00`. */
export function instantText(instantMs: number, zoneMinutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(zoneMinutes);
  const sign = zoneMinutes < 0 ? '-' : '+';
  const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return wallText(instantMs + zoneMinutes * msPerMinute) + (zoneMinutes === 0 ? 'Z' : zone);
}

/** Minutes that the clock of the browser is ahead of UTC at an instant. */
export function browserOffset(instantMs: number): number {
  return -new Date(instantMs).getTimezoneOffset();
}

/** The instant at which the clock of the browser shows a time. */
export function fromBrowserWall(wallMs: number): number {
  return Date.parse(wallText(wallMs));
}

export function toBrowserWall(instantMs: number): number {
  return instantMs + browserOffset(instantMs) * msPerMinute;
}

/** Such as `Fri 27 Nov, 18:00`; with the year where it is not that of now. */
export function formatWall(wallMs: number, nowMs: number): string {
  const date = new Date(wallMs);
  const isThisYear = date.getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  const day = (isThisYear ? dayOfYear : dayOfAnyYear).format(date).replace(',', '');
  return `${day}, ${timeOfDay.format(date)}`;
}

/** An instant by the clock of the browser. */
export function formatInstant(instantMs: number, nowMs: number): string {
  return formatWall(toBrowserWall(instantMs), nowMs);
}

/** Such as `UTC+05:30`. */
export function formatOffset(minutes: number): string {
  return minutes === 0
    ? 'UTC'
    : `UTC${instantText(0, minutes).slice('1970-01-01T00:00:00'.length)}`;
}

const dayParts = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const dayOfYear = new Intl.DateTimeFormat('en-GB', dayParts);
const dayOfAnyYear = new Intl.DateTimeFormat('en-GB', { ...dayParts, year: 'numeric' });
const timeOfDay = new Intl.DateTimeFormat('en-GB', {
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
});
