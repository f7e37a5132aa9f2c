/** The range of time that the calendar shows, and where a moment lies in it. Days are those of the browser's clock. Pure. */
import { formatDayRange, formatShortDay, formatWeekday } from '../parts/time/days.js';
import { fromBrowserWall, msPerDay, msPerHour, toBrowserWall } from '../parts/time/wall-time.js';

export type Zoom = 'week' | 'month' | 'quarter';

export const zooms: readonly Zoom[] = ['week', 'month', 'quarter'];

export interface Scale {
  /** `days`: the few days of the overview. */
  readonly zoom: Zoom | 'days';
  /** 00:00; on a Monday, but for `days`. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const days: Readonly<Record<Scale['zoom'], number>> = { days: 9, week: 7, month: 35, quarter: 91 };

/** By how much a window moves at once. */
export const stepMs: Readonly<Record<Scale['zoom'], number>> = {
  days: msPerHour,
  week: msPerHour,
  month: msPerDay,
  quarter: msPerDay,
};

/** The range that begins with the week of a moment. */
export function scaleFrom(zoom: Scale['zoom'], atMs: number): Scale {
  const wallMs = toBrowserWall(atMs);
  // 1970-01-01 was a Thursday.
  const sinceMonday = (((Math.floor(wallMs / msPerDay) + 3) % 7) + 7) % 7;
  const monday = Math.floor(wallMs / msPerDay) - sinceMonday;
  return {
    zoom,
    fromMs: fromBrowserWall(monday * msPerDay),
    untilMs: fromBrowserWall((monday + days[zoom]) * msPerDay),
  };
}

/** Days before today that the overview shows: what was published on Friday is there on Monday. */
const daysBefore = 3;

/** The days around a moment: some before it, more after it. */
export function scaleAround(atMs: number): Scale {
  const first = Math.floor(toBrowserWall(atMs) / msPerDay) - daysBefore;
  return {
    zoom: 'days',
    fromMs: fromBrowserWall(first * msPerDay),
    untilMs: fromBrowserWall((first + days.days) * msPerDay),
  };
}

/** The range before (-1) or after (1), which has a week in common with a month. */
export function shifted({ zoom, fromMs }: Scale, direction: -1 | 1): Scale {
  const by = zoom === 'month' ? days.month - 7 : days[zoom];
  return scaleFrom(zoom, fromBrowserWall(toBrowserWall(fromMs) + direction * by * msPerDay));
}

/** From 0 to 100 per cent of the range. */
export function percentOf({ fromMs, untilMs }: Scale, atMs: number): number {
  const share = (atMs - fromMs) / (untilMs - fromMs);
  return Math.min(1, Math.max(0, share)) * 100;
}

export interface Tick {
  readonly atMs: number;
  /** Null: a line only. */
  readonly label: string | null;
}

/** The days of the range, or its weeks where days would be too many. */
export function ticksOf(scale: Scale): Tick[] {
  const first = Math.round(toBrowserWall(scale.fromMs) / msPerDay);
  const every = scale.zoom === 'quarter' ? 7 : 1;
  return Array.from({ length: days[scale.zoom] / every }, (_, at) => {
    const wallMs = (first + at * every) * msPerDay;
    const isLabelled = scale.zoom !== 'month' || at % 7 === 0;
    return {
      atMs: fromBrowserWall(wallMs),
      label: isLabelled ? (namesWeekdays(scale) ? formatWeekday : formatShortDay)(wallMs) : null,
    };
  });
}

function namesWeekdays({ zoom }: Scale): boolean {
  return zoom === 'days' || zoom === 'week';
}

/** Such as `23 November – 27 December 2026`. */
export function describeRange({ fromMs, untilMs }: Scale): string {
  return formatDayRange(toBrowserWall(fromMs), toBrowserWall(untilMs) - msPerHour);
}

/** Pixels of a drag as time, in whole steps. */
export function draggedMs(scale: Scale, pixels: number, widthPixels: number): number {
  const ms = (pixels / Math.max(1, widthPixels)) * (scale.untilMs - scale.fromMs);
  return Math.round(ms / stepMs[scale.zoom]) * stepMs[scale.zoom];
}
