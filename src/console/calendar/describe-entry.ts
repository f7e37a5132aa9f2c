/** Entries of the calendar in words. Pure, but for the zone of the browser. */
import type {
  CalendarConflict,
  CalendarRelease,
  CalendarWindow,
} from '../../contract/operations/calendar.js';
import { describeRepeat } from '../mapping/window/describe-repeat.js';
import { formatInstant, formatWall, parseWall } from '../parts/time/wall-time.js';
import { stateLabels } from '../releases/words/release-states.js';

/** Such as `Fri 27 Nov, 18:00 – Mon 30 Nov, 10:00 player time`. */
export function describeTimes(
  times: { readonly from: string | null; readonly until: string | null },
  isLocal: boolean,
  nowMs: number,
): string {
  const from = times.from === null ? 'Always' : point(times.from, nowMs);
  const until = times.until === null ? 'no end' : point(times.until, nowMs);
  return `${from} – ${until}${isLocal ? ' player time' : ''}`;
}

function point(time: string, nowMs: number): string {
  const wallMs = parseWall(time);
  return wallMs === null ? formatInstant(Date.parse(time), nowMs) : formatWall(wallMs, nowMs);
}

/** Whether players get it already. */
export function describeState({ live, release, revision }: CalendarWindow): string {
  if (live) return `live r${revision}`;
  return release === null ? `draft r${revision}` : `comes with release #${release}`;
}

export function describeRepeats({ repeat, local }: CalendarWindow): string | null {
  if (repeat === null) return null;
  return describeRepeat(repeat, local ? "player's local time" : "by the rule's own zone");
}

export function describeRelease(
  { release, title, state, from, until }: CalendarRelease,
  nowMs: number,
): string {
  const begin = formatInstant(Date.parse(from), nowMs);
  const end =
    until === null
      ? ' – open'
      : until === from
        ? ''
        : ` – ${formatInstant(Date.parse(until), nowMs)}`;
  return `#${release} ${title}, ${stateLabels[state].toLowerCase()}, ${begin}${end}`;
}

/** The names of what conflicts, once each. */
export function describeConflicts(conflicts: readonly CalendarConflict[]): string {
  return [...new Set(conflicts.map(({ reason }) => reason))].join(' ');
}

/** Such as `1 week later`, `3 hours earlier`. */
export function describeShift(deltaMs: number): string {
  const hours = Math.abs(deltaMs) / 3_600_000;
  const [size, unit] =
    hours % 168 === 0
      ? [hours / 168, 'week']
      : hours % 24 === 0
        ? [hours / 24, 'day']
        : [hours, 'hour'];
  return `${size} ${unit}${size === 1 ? '' : 's'} ${deltaMs < 0 ? 'earlier' : 'later'}`;
}
