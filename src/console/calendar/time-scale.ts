/** The range of time that the calendar shows, and where a moment lies in it. Days are those of the browser's clock. Pure. */
import { fromBrowserWall, msPerDay, msPerHour, toBrowserWall } from '../parts/time/wall-time.js';

export type Zoom = 'week' | 'month' | 'quarter';

export const zooms: readonly Zoom[] = ['week', 'month', 'quarter'];

export interface Scale {
  readonly zoom: Zoom;
  /** 00:00 on a Monday. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const days: Readonly<Record<Zoom, number>> = { week: 7, month: 35, quarter: 91 };

/** By how much a window moves at once. */
export const stepMs: Readonly<Record<Zoom, number>> = {
  week: msPerHour,
  month: msPerDay,
  quarter: msPerDay,
};

/** The range that begins with the week of a moment. */
export function scaleFrom(zoom: Zoom, atMs: number): Scale {
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
      label: isLabelled ? (scale.zoom === 'week' ? weekday : date).format(wallMs) : null,
    };
  });
}

const weekday = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', timeZone: 'UTC' },
});
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Such as `23 November – 27 December 2026`. */
export function describeRange({ fromMs, untilMs }: Scale): string {
  return long.formatRange(toBrowserWall(fromMs), toBrowserWall(untilMs) - msPerHour);
}

const long = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
});

/** Pixels of a drag as time, in whole steps. */
export function draggedMs(scale: Scale, pixels: number, widthPixels: number): number {
  const ms = (pixels / Math.max(1, widthPixels)) * (scale.untilMs - scale.fromMs);
  return Math.round(ms / stepMs[scale.zoom]) * stepMs[scale.zoom];
}
