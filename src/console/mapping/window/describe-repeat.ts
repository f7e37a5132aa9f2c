/** A repeat in a sentence: "Every second Friday 18:00 to Monday 10:00, player's local time." Pure. */
import { type Weekday, weekdays } from '../../../content/mapping/window.js';
import type { RepeatFields } from './repeat-source.js';

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** @param clock such as `player's local time` or `UTC+01:00` */
export function describeRepeat(fields: RepeatFields, clock: string): string {
  return `${wordDays(fields)} ${fields.from} to ${wordEnd(fields)}, ${clock}.`;
}

function wordDays({ days, everyWeeks }: RepeatFields): string {
  const names =
    days.length === weekdays.length ? 'day' : list.format(days.map((day) => dayNames[day]));
  if (everyWeeks === 1) return `Every ${names}`;
  if (everyWeeks === 2 && days.length === 1) return `Every second ${names}`;
  const week = everyWeeks === 2 ? 'Every second week' : `Every ${everyWeeks} weeks`;
  return days.length === weekdays.length ? `${week} every day` : `${week} on ${names}`;
}

function wordEnd({ days, until, plusDays }: RepeatFields): string {
  const [only] = days;
  if (plusDays === 0) return until;
  if (only !== undefined && days.length === 1)
    return `${dayNames[dayAfter(only, plusDays)]} ${until}`;
  return plusDays === 1 ? `${until} the next day` : `${until} ${plusDays} days later`;
}

export function dayAfter(day: Weekday, days: number): Weekday {
  return weekdays[(weekdays.indexOf(day) + days) % weekdays.length] ?? day;
}
