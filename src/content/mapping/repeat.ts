/** Makes the repeat of a window from its days and times: the occurrences of one period, from a Monday on. Pure. */

import type { WallTime } from './instant.js';
import { type Repeat, type Span, weekdays } from './window.js';

const msPerMinute = 60_000;
const minutesPerDay = 1_440;
const msPerWeek = 7 * minutesPerDay * msPerMinute;

/** 1969-12-29, a Monday, as milliseconds since the epoch. */
const someMondayMs = -3 * minutesPerDay * msPerMinute;

export type RepeatTimes = Pick<Repeat, 'days' | 'from' | 'until' | 'plusDays' | 'everyWeeks'>;

/**
 * @param times valid, days Monday first
 * @param end of the window, whose week and zone count; null: it has none
 */
export function repeatOf(times: RepeatTimes, end: WallTime | null): Repeat {
  const { days, from, until, plusDays, everyWeeks } = times;
  const start = minutesOf(from);
  const lengthMinutes = plusDays * minutesPerDay + minutesOf(until) - start;
  const periodMs = everyWeeks * msPerWeek;
  const spans = days.map((day) => {
    const startMinutes = weekdays.indexOf(day) * minutesPerDay + start;
    return {
      startMs: startMinutes * msPerMinute,
      endMs: (startMinutes + lengthMinutes) * msPerMinute,
    };
  });
  return { ...times, mondayMs: mondayOf(end), periodMs, spans: unionOf(spans, periodMs) };
}

/** @param time HH:MM */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** The instant; of local time, the wall time read as UTC. */
export function clockMs({ wallMs, zoneMinutes }: WallTime): number {
  return wallMs - (zoneMinutes ?? 0) * msPerMinute;
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
