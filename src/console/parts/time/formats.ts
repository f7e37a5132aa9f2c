/** The forms in which the console writes times: 24 hours, day before month, and a zone wherever a time could be read in two. Pure. */

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;

const commaAfterWeekday = /^(\p{L}+),/u;

const clock = new Intl.DateTimeFormat('en-GB', time);
const clockSeconds = new Intl.DateTimeFormat('en-GB', { ...time, second: '2-digit' });
const ofDay = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZoneName: 'short' });
const ofDayAndYear = new Intl.DateTimeFormat('en-GB', {
  ...{ ...day, ...time, year: 'numeric', timeZoneName: 'short' },
});
const exact = new Intl.DateTimeFormat('en-GB', {
  ...{ ...day, ...time, year: 'numeric', second: '2-digit', timeZoneName: 'short' },
});
const fullDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const zoneName = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

/** Some versions of ICU write a comma after the weekday, others none. */
function withoutFirstComma(text: string): string {
  return text.replace(commaAfterWeekday, '$1');
}

/** Such as `18:00`, below a heading that names the day and the zone. */
export function formatClock(at: Date): string {
  return clock.format(at);
}

/** Such as `18:00:05`, on the axis of a chart. */
export function formatClockSeconds(at: Date): string {
  return clockSeconds.format(at);
}

/** Such as `Fri 27 Nov, 18:00 CET`; with the year where it is not that of now. */
export function formatMoment(at: Date, nowMs: number): string {
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return withoutFirstComma((isThisYear ? ofDay : ofDayAndYear).format(at));
}

/** Such as `Fri 27 Nov 2026, 18:00:05 CET`: for tooltips and details. @param at RFC 3339 */
export function exactTime(at: string): string {
  return withoutFirstComma(exact.format(new Date(at)));
}

/** Such as `Friday 27 November 2026`, as the heading of what happened on it. */
export function formatFullDay(at: Date): string {
  return withoutFirstComma(fullDay.format(at));
}

/** The zone of the browser as people abbreviate it, at a time: `CET`. */
export function zoneAbbreviation(at: Date): string {
  return zoneName.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** The IANA name of the browser's zone: `Europe/Berlin`. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
