/** Reads when a rule is open: `from`, `until` and `repeat`. */

import { parseWallTime, type WallTime } from './instant.js';
import { repeatPlusDaysMax, repeatWeeksMax } from './mapping-limits.js';
import { type MappingIssue, MappingObject, type MappingValue } from './mapping-object.js';
import { clockMs, repeatOf } from './repeat.js';
import { occurrences, type Repeat, type Weekday, type Window, weekdays } from './window.js';

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** After an issue the window is only a stand-in. */
export function readWindow(rule: MappingObject, warnings: MappingIssue[]): Window {
  const from = readEnd(rule, 'from');
  const until = readEnd(rule, 'until');
  if (from !== null && until !== null && isLocalTime(from) !== isLocalTime(until)) {
    const [a, b] = isLocalTime(from) ? ['has a zone', 'none'] : ['has no zone', 'one'];
    const message = `${a} and from has ${b}; write both with a zone, or both without for the player's local time`;
    rule.value.reject(message, '.until');
  }
  const fromMs = from === null ? Number.NEGATIVE_INFINITY : clockMs(from);
  const untilMs = until === null ? Number.POSITIVE_INFINITY : clockMs(until);
  if (fromMs >= untilMs) rule.value.reject('must be after from', '.until');
  const member = rule.member('repeat');
  const repeat = member === null ? null : readRepeat(member, from, until);
  const end = from ?? until;
  const isLocal = end === null ? repeat !== null : isLocalTime(end);
  const window = { fromMs, untilMs, isLocal, repeat };
  if (repeat !== null && from !== null && isNeverOpen(window)) {
    const message = 'has no occurrence between from and until: the rule never applies';
    warnings.push({ path: `${rule.value.path}.repeat`, message });
  }
  return window;
}

function isLocalTime({ zoneMinutes }: WallTime): boolean {
  return zoneMinutes === null;
}

function readEnd(rule: MappingObject, name: string): WallTime | null {
  const member = rule.member(name);
  if (member === null) return null;
  const text = member.parse();
  const time = typeof text === 'string' ? parseWallTime(text) : null;
  if (time === null) {
    const [instant, local] = ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00'];
    member.reject(
      `must be an RFC 3339 date-time with its zone, such as ${instant}, or without one for the player's local time, such as ${local}`,
    );
  }
  return time;
}

function isNeverOpen(window: Window): boolean {
  return (
    occurrences({ ...window, isLocal: false }, 0, window.fromMs, window.untilMs, 1).length === 0
  );
}

function readRepeat(
  member: MappingValue,
  from: WallTime | null,
  until: WallTime | null,
): Repeat | null {
  const object = MappingObject.read(member);
  if (object === null) return null;
  const days = readDays(object);
  const start = readTimeOfDay(object, 'from');
  const end = readTimeOfDay(object, 'until');
  const plusDaysMin = end > start ? 0 : 1;
  const plusDays = readWhole(object, 'plusDays', plusDaysMin, repeatPlusDaysMax) ?? plusDaysMin;
  const everyWeeks = readWhole(object, 'everyWeeks', 1, repeatWeeksMax) ?? 1;
  if (everyWeeks > 1 && from === null) {
    member.reject("needs the rule's from: weeks are counted from its week", '.everyWeeks');
  }
  object.rejectOthers();
  if (days.length === 0) return null;
  const times = { days, from: start, until: end, plusDays, everyWeeks };
  return repeatOf(times, from ?? until);
}

/** Monday first; none after an issue. */
function readDays(repeat: MappingObject): Weekday[] {
  const member = repeat.member('days');
  if (member === null) {
    repeat.value.reject('is missing', '.days');
    return [];
  }
  const named = member.parse();
  const known: readonly unknown[] = weekdays;
  if (!Array.isArray(named) || named.length === 0 || !named.every((day) => known.includes(day))) {
    member.reject(`must be a list of days, at least one of ${weekdays.join(', ')}`);
    return [];
  }
  if (new Set(named).size < named.length) {
    member.reject('names a day twice');
    return [];
  }
  return weekdays.filter((day) => named.includes(day));
}

/** HH:MM, which sorts as the times do. */
function readTimeOfDay(repeat: MappingObject, name: string): string {
  const member = repeat.member(name);
  const text = member?.parse();
  if (typeof text === 'string' && timeOfDay.test(text)) return text;
  if (member === null) repeat.value.reject('is missing', `.${name}`);
  else member.reject('must be a time of day from 00:00 to 23:59, as HH:MM');
  return '00:00';
}

/** Null when it is absent, or after an issue. */
function readWhole(repeat: MappingObject, name: string, min: number, max: number): number | null {
  const member = repeat.member(name);
  if (member === null) return null;
  const value = member.parse();
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) {
    return value as number;
  }
  member.reject(`must be a whole number from ${min} to ${max}`);
  return null;
}
