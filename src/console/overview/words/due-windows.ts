/** Which windows and releases of a calendar the overview shows, the most pressing first. Pure. */
import type { CalendarRow, ReleaseLine, WindowLine } from '../../calendar/calendar-rows.js';

/** Live windows, and those that come with a release; windows of mere drafts reach no player. */
export function dueWindows(rows: readonly CalendarRow[], nowMs: number): readonly WindowLine[] {
  const lines = rows.flatMap(({ lines }) => lines.filter((line) => line.kind === 'window'));
  const due = lines.filter(({ entry, bars }) => {
    return bars.length > 0 && (entry.live || entry.release !== null);
  });
  return due.toSorted((one, other) => distance(one, nowMs) - distance(other, nowMs));
}

/** Each release once, however many content items it reaches. */
export function dueReleases(rows: readonly CalendarRow[]): readonly ReleaseLine[] {
  const byNumber = new Map<number, ReleaseLine>();
  for (const { lines } of rows) {
    for (const line of lines) if (line.kind === 'release') byNumber.set(line.entry.release, line);
  }
  return [...byNumber.values()].sort((one, other) => other.entry.release - one.entry.release);
}

/** Open for some player in the world. */
export function isOpen({ entry, bars }: WindowLine, nowMs: number): boolean {
  return (
    entry.live && bars.some((bar) => spanOf(bar).startMs <= nowMs && nowMs < spanOf(bar).endMs)
  );
}

/** How long until it opens or since it closed: open ones first, then those to come, then those that are over. */
function distance({ bars }: WindowLine, nowMs: number): number {
  const distances = bars.map((bar) => {
    const { startMs, endMs } = spanOf(bar);
    if (nowMs < startMs) return startMs - nowMs;
    return nowMs < endMs ? 0 : longAgo + nowMs - endMs;
  });
  return Math.min(...distances);
}

/** Beyond every range that is shown. */
const longAgo = 1e12;

function spanOf(bar: WindowLine['bars'][number]): { startMs: number; endMs: number } {
  return bar.ghost ?? bar;
}

/** The occurrence that people mean: the one that is open, else the next one, else the last one. */
export function shownBar({ bars }: WindowLine, nowMs: number): WindowLine['bars'][number] | null {
  return bars.find((bar) => nowMs < spanOf(bar).endMs) ?? bars.at(-1) ?? null;
}
