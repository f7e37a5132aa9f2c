/**
 * By whose clock a rule is open: the player's own, or one for all. Switches between them and keeps the times of day. Pure,
 * but for the zone of the browser.
 */
import { parseWallTime } from '../../../content/mapping/instant.js';
import { weekdays } from '../../../content/mapping/window.js';
import {
  browserOffset,
  fromBrowserWall,
  instantText,
  msPerDay,
  msPerMinute,
  parseWall,
  toBrowserWall,
  wallText,
} from '../../parts/time/wall-time.js';
import { setRuleMember } from '../rules/rule-edits.js';
import type { WindowSource } from './read-window.js';
import { plusDaysMin, type RepeatFields, repeatSource } from './repeat-source.js';

export type Clock = 'local' | 'fixed';

/** @returns null where no time is written */
export function clockOf({ from, until, repeat }: WindowSource): Clock | null {
  const end = from ?? until;
  if (end === null) return repeat === null ? null : 'local';
  return parseWall(end) === null ? 'fixed' : 'local';
}

/** Minutes that the clock of a fixed window is ahead of UTC; null: it has no readable end. */
export function zoneOf({ from, until }: WindowSource): number | null {
  const end = from ?? until;
  return end === null ? null : (parseWallTime(end)?.zoneMinutes ?? null);
}

/** The source of an end of a fixed window: a repeat goes by the offset that the end is written with. */
export function fixedEnd(instantMs: number, { from, until, repeat }: WindowSource): string {
  if (repeat === null) return instantText(instantMs, 0);
  return instantText(instantMs, zoneOf({ from, until, repeat }) ?? browserOffset(instantMs));
}

/** Rewrites the ends of a rule for a clock; what cannot be read stays as it is. */
export function switchClock(
  mapping: string,
  index: number,
  window: WindowSource,
  clock: Clock,
  nowMs: number,
): string {
  let changed = mapping;
  for (const name of ['from', 'until'] as const) {
    const end = window[name];
    const text =
      end === null ? null : clock === 'local' ? toLocal(end, window) : toFixed(end, window);
    if (text === null || text === end) continue;
    changed = setRuleMember(changed, index, name, JSON.stringify(text));
  }
  // A repeat without an end would go by the player's clock.
  const needsFrom = clock === 'fixed' && window.repeat !== null && clockOf(window) === 'local';
  if (needsFrom && window.from === null && window.until === null) {
    return setRuleMember(changed, index, 'from', JSON.stringify(startOfToday('fixed', nowMs)));
  }
  return changed;
}

function toLocal(end: string, window: WindowSource): string {
  const time = parseWallTime(end);
  if (time?.zoneMinutes === null || time === null) return end;
  const instantMs = time.wallMs - time.zoneMinutes * msPerMinute;
  const zone = window.repeat === null ? null : zoneOf(window);
  return wallText(zone === null ? toBrowserWall(instantMs) : instantMs + zone * msPerMinute);
}

function toFixed(end: string, { repeat }: WindowSource): string {
  const wallMs = parseWall(end);
  if (wallMs === null) return end;
  const instantMs = fromBrowserWall(wallMs);
  return instantText(instantMs, repeat === null ? 0 : browserOffset(instantMs));
}

/** The beginning of a window that has none: the day begins on the clock of the browser. */
export function startOfToday(clock: Clock, nowMs: number): string {
  const wallMs = Math.floor(toBrowserWall(nowMs) / msPerDay) * msPerDay;
  if (clock === 'local') return wallText(wallMs);
  const instantMs = fromBrowserWall(wallMs);
  return instantText(instantMs, browserOffset(instantMs));
}

/** From Friday evening to Monday morning: what is repeated most. */
const weekend: RepeatFields = {
  days: ['fri'],
  from: '18:00',
  until: '10:00',
  plusDays: 3,
  everyWeeks: 1,
};

/** Lets a rule repeat: the window is the first occurrence where it is short enough, and then has no end of its own. */
export function addRepeat(
  mapping: string,
  index: number,
  window: WindowSource,
  clock: Clock,
  nowMs: number,
): string {
  const first = firstOccurrence(window, clock);
  let changed = setRuleMember(mapping, index, 'repeat', repeatSource(first ?? weekend));
  if (first !== null) changed = setRuleMember(changed, index, 'until', null);
  if (clock === 'local') return changed;
  const { from, until } = window;
  if (from === null && until === null) {
    return setRuleMember(changed, index, 'from', JSON.stringify(startOfToday(clock, nowMs)));
  }
  // The times of day are those that the browser showed: the ends name its offset.
  for (const [name, end] of Object.entries({ from, until: first === null ? until : null })) {
    const time = end === null ? null : parseWallTime(end);
    if (time === null || time.zoneMinutes === null) continue;
    const instantMs = time.wallMs - time.zoneMinutes * msPerMinute;
    const text = instantText(instantMs, browserOffset(instantMs));
    changed = setRuleMember(changed, index, name, JSON.stringify(text));
  }
  return changed;
}

const longestDays = 6;

function firstOccurrence({ from, until }: WindowSource, clock: Clock): RepeatFields | null {
  const [start, end] = [shownWall(from, clock), shownWall(until, clock)];
  if (start === null || end === null || end <= start) return null;
  const dayOf = (wallMs: number): number => Math.floor(wallMs / msPerDay);
  const timeOf = (wallMs: number): string => wallText(wallMs).slice(11, 16);
  const plusDays = dayOf(end) - dayOf(start);
  const isWhole = start % msPerMinute === 0 && end % msPerMinute === 0;
  if (!isWhole || plusDays > longestDays) return null;
  // 1970-01-01 was a Thursday.
  const day = weekdays[(((dayOf(start) + 3) % 7) + 7) % 7];
  if (day === undefined) return null;
  const times = { from: timeOf(start), until: timeOf(end) };
  if (plusDays < plusDaysMin(times.from, times.until)) return null;
  return { days: [day], ...times, plusDays, everyWeeks: 1 };
}

/** What the inputs show of an end. */
function shownWall(end: string | null, clock: Clock): number | null {
  const time = end === null ? null : parseWallTime(end);
  if (time === null) return null;
  if (clock === 'local') return time.zoneMinutes === null ? time.wallMs : null;
  if (time.zoneMinutes === null) return null;
  return toBrowserWall(time.wallMs - time.zoneMinutes * msPerMinute);
}
