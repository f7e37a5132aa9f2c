/** What the window of a rule is at a time, and when that changes next. Pure. */
import { occurrences, type Span, type Window } from '../../../content/mapping/window.js';
import { utcOffsetMax, utcOffsetMin } from '../../../content/utc-offset.js';
import { formatInstant, formatWall, msPerMinute } from '../../parts/time/wall-time.js';
import { readWindowSource, type WindowSource } from './read-window.js';

/** Of a local window, `running` is while it is open for any player in the world. */
export type WindowState = 'always' | 'later' | 'running' | 'over';

export interface WindowNow {
  readonly state: WindowState;
  /** Such as `Opens Fri 27 Nov, 18:00 player time`; empty: nothing is known of it. */
  readonly words: string;
}

/** A window that cannot be read counts as running; the server rejects it. */
export function windowNow(source: WindowSource, nowMs: number): WindowNow {
  if (source.from === null && source.until === null && source.repeat === null) {
    return { state: 'always', words: 'Always on' };
  }
  const window = readWindowSource(source);
  if (window === null) return { state: 'running', words: '' };
  const [next] = occurrences(window, 0, nowMs - latestMs(window), Number.POSITIVE_INFINITY, 1);
  const point = (atMs: number): string => formatPoint(window, atMs, nowMs);
  if (next === undefined) return { state: 'over', words: `Ended ${point(window.untilMs)}` };
  if (next.startMs - earliestMs(window) > nowMs) {
    return { state: 'later', words: `Opens ${point(next.startMs)}` };
  }
  const isOpenEnded = next.endMs === Number.POSITIVE_INFINITY;
  return { state: 'running', words: isOpenEnded ? 'Running' : `Open until ${point(next.endMs)}` };
}

/** A time on the window's clock; of a fixed window by the clock of the browser. */
function formatPoint({ isLocal }: Window, atMs: number, nowMs: number): string {
  return isLocal ? `${formatWall(atMs, nowMs)} player time` : formatInstant(atMs, nowMs);
}

/** Such as `Fri 27 Nov, 18:00 – Mon 30 Nov, 10:00 player time`. */
export function formatSpan(window: Window, { startMs, endMs }: Span, nowMs: number): string {
  const point = (atMs: number, absent: string): string => {
    if (!Number.isFinite(atMs)) return absent;
    return window.isLocal ? formatWall(atMs, nowMs) : formatInstant(atMs, nowMs);
  };
  const zone = window.isLocal ? ' player time' : '';
  return `${point(startMs, 'Always')} – ${point(endMs, 'no end')}${zone}`;
}

/** By how much the first player in the world is ahead of UTC. */
export function earliestMs({ isLocal }: Window): number {
  return isLocal ? utcOffsetMax * msPerMinute : 0;
}

/** By how much the last player in the world is behind UTC. */
export function latestMs({ isLocal }: Window): number {
  return isLocal ? -utcOffsetMin * msPerMinute : 0;
}
