/** Reads when a rule is open: `from`, `until` and `repeat`. */

import { parseWallTime, type WallTime } from './instant.js';
import { repeatPlusDaysMax, repeatWeeksMax } from './mapping-limits.js';
import { type MappingIssue, MappingObject, type MappingValue } from './mapping-object.js';
import {
  occurrences,
  type Repeat,
  type Span,
  type Weekday,
  type Window,
  weekdays,
} from './window.js';

const msPerMinute = 60_000;
const minutesPerDay = 1_440;
const msPerWeek = 7 * minutesPerDay * msPerMinute;

/** 1969-12-29, a Monday, as milliseconds since the epoch. */
const someMondayMs = -3 * minutesPerDay * msPerMinute;

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)$/;

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

/** The instant; of local time, the wall time read as UTC. */
function clockMs({ wallMs, zoneMinutes }: WallTime): number {
  return wallMs - (zoneMinutes ?? 0) * msPerMinute;
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
  const plusDaysMin = end.minutes > start.minutes ? 0 : 1;
  const plusDays = readWhole(object, 'plusDays', plusDaysMin, repeatPlusDaysMax) ?? plusDaysMin;
  const everyWeeks = readWhole(object, 'everyWeeks', 1, repeatWeeksMax) ?? 1;
  if (everyWeeks > 1 && from === null) {
    member.reject("needs the rule's from: weeks are counted from its week", '.everyWeeks');
  }
  object.rejectOthers();
  if (days.length === 0) return null;
  const periodMs = everyWeeks * msPerWeek;
  const lengthMinutes = plusDays * minutesPerDay + end.minutes - start.minutes;
  const spans = days.map((day) => {
    const startMinutes = weekdays.indexOf(day) * minutesPerDay + start.minutes;
    return {
      startMs: startMinutes * msPerMinute,
      endMs: (startMinutes + lengthMinutes) * msPerMinute,
    };
  });
  return {
    ...{ days, from: start.text, until: end.text, plusDays, everyWeeks },
    mondayMs: mondayOf(from ?? until),
    periodMs,
    spans: unionOf(spans, periodMs),
  };
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

interface TimeOfDay {
  readonly text: string;
  /** Minutes since midnight. */
  readonly minutes: number;
}

function readTimeOfDay(repeat: MappingObject, name: string): TimeOfDay {
  const member = repeat.member(name);
  const text = member?.parse();
  const match = typeof text === 'string' ? timeOfDay.exec(text) : null;
  if (member === null) repeat.value.reject('is missing', `.${name}`);
  else if (match === null) member.reject('must be a time of day from 00:00 to 23:59, as HH:MM');
  if (match === null) return { text: '', minutes: 0 };
  return { text: match[0], minutes: Number(match[1]) * 60 + Number(match[2]) };
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

/** 00:00 on the Monday of the week of `time`, on the same clock; of any week without a time. */
function mondayOf(time: WallTime | null): number {
  if (time === null) return someMondayMs;
  const weeks = Math.floor((time.wallMs - someMondayMs) / msPerWeek);
  return clockMs({ wallMs: someMondayMs + weeks * msPerWeek, zoneMinutes: time.zoneMinutes });
}

/** @param spans ascending by start, which lies in the first week of the period; all are of the same length */
function unionOf(spans: readonly Span[], periodMs: number): Span[] {
  const union: Span[] = [];
  for (const span of spans) {
    const last = union.at(-1);
    if (last === undefined || last.endMs < span.startMs) union.push(span);
    else union[union.length - 1] = { startMs: last.startMs, endMs: span.endMs };
  }
  // The last of a period and the first ones of the next are one span where they meet.
  let [first, last] = [union[0], union.at(-1)];
  while (first !== undefined && last !== undefined && last.endMs >= first.startMs + periodMs) {
    if (union.length === 1) return [always];
    union.shift();
    last = { startMs: last.startMs, endMs: Math.max(last.endMs, first.endMs + periodMs) };
    union[union.length - 1] = last;
    first = union[0];
  }
  return union;
}

const always: Span = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
