/** Says when a window is open in the plainest way there is: field by field of the text, for one minute at a time. */

export interface WindowText {
  readonly from?: string;
  readonly until?: string;
  readonly repeat?: RepeatText;
}

export interface RepeatText {
  readonly days: readonly string[];
  readonly from: string;
  readonly until: string;
  readonly plusDays?: number;
  readonly everyWeeks?: number;
}

const msPerMinute = 60_000;
const msPerDay = 86_400_000;
const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const zone = /(?:Z|[+-]\d\d:\d\d)$/;

/** @param offsetMinutes how far the user's clock is ahead of UTC */
export function isOpenByOracle(window: WindowText, offsetMinutes: number, nowMs: number): boolean {
  const { from, until, repeat } = window;
  const written = from ?? until;
  const zoneOf = written === undefined ? null : (zone.exec(written)?.[0] ?? null);
  const clockMinutes = zoneOf === null ? offsetMinutes : minutesOf(zoneOf);
  const instant = (text: string): number =>
    zone.test(text) ? Date.parse(text) : Date.parse(`${text}Z`) - offsetMinutes * msPerMinute;
  if (from !== undefined && nowMs < instant(from)) return false;
  if (until !== undefined && nowMs >= instant(until)) return false;
  if (repeat === undefined) return true;
  const wall = nowMs + clockMinutes * msPerMinute;
  const today = wall - (((wall % msPerDay) + msPerDay) % msPerDay);
  // An occurrence that holds this moment started at most a week ago.
  for (let back = 0; back <= 7; back++) {
    const day = today - back * msPerDay;
    if (!repeat.days.includes(names[new Date(day).getUTCDay()] ?? '')) continue;
    if (from !== undefined) {
      const anchor = instant(from) + clockMinutes * msPerMinute;
      const weeks = (mondayOf(day) - mondayOf(anchor)) / (7 * msPerDay);
      if (weeks % (repeat.everyWeeks ?? 1) !== 0) continue;
    }
    const plusDays = repeat.plusDays ?? (repeat.until > repeat.from ? 0 : 1);
    const start = day + timeOf(repeat.from);
    const end = day + plusDays * msPerDay + timeOf(repeat.until);
    if (start <= wall && wall < end) return true;
  }
  return false;
}

function minutesOf(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = text.slice(1).split(':').map(Number) as [number, number];
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1);
}

function timeOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  return (hours * 60 + minutes) * msPerMinute;
}

function mondayOf(ms: number): number {
  const date = new Date(ms);
  const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return day - ((date.getUTCDay() + 6) % 7) * msPerDay;
}
