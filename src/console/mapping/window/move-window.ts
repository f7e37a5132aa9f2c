/**
 * Moves the window of a rule in time, with its repeat. The ends, the days and the times of day are rewritten; all other bytes of
 * the mapping stay. Pure, but for the zone of the browser.
 */
import { parseWallTime } from '../../../content/mapping/instant.js';
import { repeatPlusDaysMax } from '../../../content/mapping/mapping-limits.js';
import { occurrences, type Window, weekdays } from '../../../content/mapping/window.js';
import {
  browserOffset,
  fromBrowserWall,
  instantText,
  msPerDay,
  msPerMinute,
  toBrowserWall,
  wallText,
} from '../../parts/time/wall-time.js';
import { setRuleMember } from '../rules/rule-edits.js';
import { readMapping } from '../rules/rule-view.js';
import { readWindowSource, type WindowSource } from './read-window.js';
import { changeRepeat, type RepeatFields, repeatFields } from './repeat-source.js';

const msPerWeek = 7 * msPerDay;
const minutesPerDay = 1_440;

/**
 * @param deltaMs whole minutes
 * @returns the mapping; null where the moved window cannot be written, such as a repeat every second week of which only
 *   some days would fall into the next week
 */
export function moveWindow(
  mapping: string,
  index: number,
  source: WindowSource,
  deltaMs: number,
): string | null {
  const window = readWindowSource(source);
  if (window === null || !isBounded(window)) return null;
  const [from, until] = [source.from, source.until].map((end) =>
    end === null ? null : movedEnd(end, deltaMs, window),
  );
  let moved = mapping;
  const set = (name: 'from' | 'until', text: string | null | undefined): void => {
    if (text !== null && text !== undefined) {
      moved = setRuleMember(moved, index, name, JSON.stringify(text));
    }
  };
  set('until', until);
  if (source.repeat === null) {
    set('from', from);
    return moved;
  }
  const before = repeatFields(source.repeat);
  const after = before === null ? null : movedRepeat(before, deltaMs);
  if (before === null || after === null) return null;
  moved = changeRepeat(moved, index, before, after);
  for (const start of startsFor(from ?? null, after)) {
    set('from', start);
    const result = windowAt(moved, index);
    if (result !== null && isSameMoved(window, result, deltaMs)) return moved;
  }
  return null;
}

function windowAt(mapping: string, index: number): Window | null {
  const view = readMapping(mapping);
  const rule = view.ok ? view.rules[index] : null;
  return rule === null || rule === undefined ? null : readWindowSource(rule);
}

function isBounded({ fromMs, untilMs, repeat }: Window): boolean {
  return repeat !== null || Number.isFinite(fromMs) || Number.isFinite(untilMs);
}

/** Keeps the time of day across a change of the clocks, unless a repeat fixes the offset. */
function movedEnd(end: string, deltaMs: number, { repeat }: Window): string {
  const time = parseWallTime(end);
  if (time === null) return end;
  const { wallMs, zoneMinutes } = time;
  if (zoneMinutes === null) return wallText(wallMs + deltaMs);
  const instantMs = wallMs - zoneMinutes * msPerMinute;
  if (repeat !== null) return instantText(instantMs + deltaMs, zoneMinutes);
  const movedMs = fromBrowserWall(toBrowserWall(instantMs) + deltaMs);
  const isBrowsers = zoneMinutes !== 0 && zoneMinutes === browserOffset(instantMs);
  return instantText(movedMs, isBrowsers ? browserOffset(movedMs) : zoneMinutes);
}

function movedRepeat(fields: RepeatFields, deltaMs: number): RepeatFields | null {
  const start = minutesOf(fields.from) + Math.round(deltaMs / msPerMinute);
  const length = fields.plusDays * minutesPerDay + minutesOf(fields.until) - minutesOf(fields.from);
  const carried = Math.floor(start / minutesPerDay);
  const timeMinutes = start - carried * minutesPerDay;
  const plusDays = Math.floor((timeMinutes + length) / minutesPerDay);
  if (plusDays > repeatPlusDaysMax) return null;
  const shift = ((carried % 7) + 7) % 7;
  const days = fields.days.map((day) => (weekdays.indexOf(day) + shift) % 7);
  return {
    days: weekdays.filter((_, at) => days.includes(at)),
    from: timeOfDay(timeMinutes),
    until: timeOfDay((timeMinutes + length) % minutesPerDay),
    plusDays,
    everyWeeks: fields.everyWeeks,
  };
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOfDay(minutes: number): string {
  return wallText(minutes * msPerMinute).slice(11, 16);
}

/** Weeks are counted from the week of `from`: where its own no longer fits, the next Monday that does. */
function startsFor(from: string | null, { everyWeeks }: RepeatFields): (string | null)[] {
  const time = from === null ? null : parseWallTime(from);
  if (time === null || everyWeeks === 1) return [from];
  const { wallMs, zoneMinutes } = time;
  // 1970-01-05 was a Monday.
  const weeks = Math.floor((wallMs - 4 * msPerDay) / msPerWeek);
  const mondays = Array.from({ length: everyWeeks }, (_, at) => {
    const mondayMs = (weeks + at + 1) * msPerWeek + 4 * msPerDay;
    return zoneMinutes === null
      ? wallText(mondayMs)
      : instantText(mondayMs - zoneMinutes * msPerMinute, zoneMinutes);
  });
  return [from, ...mondays];
}

const comparedMax = 400;

/** Whether the occurrences are the old ones, moved. */
function isSameMoved(before: Window, after: Window, deltaMs: number): boolean {
  const weeks = 2 * ((before.repeat?.periodMs ?? msPerWeek) / msPerWeek) + 2;
  const startMs = Number.isFinite(before.fromMs) ? before.fromMs - msPerWeek : 0;
  const endMs = startMs + weeks * msPerWeek;
  const old = occurrences(before, 0, startMs, endMs, comparedMax);
  const now = occurrences(after, 0, startMs + deltaMs, endMs + deltaMs, comparedMax);
  return (
    old.length === now.length &&
    old.every(
      (span, at) =>
        span.startMs + deltaMs === now[at]?.startMs && span.endMs + deltaMs === now[at]?.endMs,
    )
  );
}
