/** From when to when a revision was live, in words. Pure. */
import type { LiveSpan } from '../../../contract/operations/history/content-history.js';
import { formatClock, formatMoment } from '../../parts/time/formats.js';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Such as `15 h`: in the largest unit of which there are two, rounded down. @param ms of a span */
export function formatLasting(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= 2 * each) ?? (['s', 1_000] as const);
  return `${Math.floor(ms / size)} ${unit}`;
}

/** Such as `Live Tue 24 Nov, 18:00 CET – Wed 25 Nov, 09:12 CET (15 h)`; the day is named once if it is the same. */
export function formatLiveSpan({ from, until }: LiveSpan, nowMs: number): string {
  const start = new Date(from);
  const begin = formatMoment(start, nowMs);
  if (until === null) return `Live since ${begin} (${formatLasting(nowMs - start.getTime())})`;
  const end = new Date(until);
  const lasting = formatLasting(end.getTime() - start.getTime());
  const isOneDay = start.toDateString() === end.toDateString();
  return isOneDay
    ? `Live ${begin.replace(formatClock(start), `${formatClock(start)} – ${formatClock(end)}`)} (${lasting})`
    : `Live ${begin} – ${formatMoment(end, nowMs)} (${lasting})`;
}
