/** What the calendar draws: a row for each content item, with a line for each window and release that reaches it. Pure. */
import type {
  Calendar,
  CalendarConflict,
  CalendarOccurrence,
  CalendarRelease,
  CalendarStep,
  CalendarWindow,
} from '../../contract/operations/calendar.js';
import { fromBrowserWall, parseWall } from '../parts/time/wall-time.js';

export interface Bar {
  readonly key: string;
  /** Of a local window: for a player whose clock is that of the browser. Infinite where it has no end. */
  readonly startMs: number;
  readonly endMs: number;
  /** Of a local window: from the first player in the world to the last one. */
  readonly ghost: { readonly startMs: number; readonly endMs: number } | null;
  readonly occurrence: CalendarOccurrence;
}

export interface WindowLine {
  readonly kind: 'window';
  readonly entry: CalendarWindow;
  readonly bars: readonly Bar[];
  readonly conflicts: readonly CalendarConflict[];
}

export interface ReleaseLine {
  readonly kind: 'release';
  readonly entry: CalendarRelease;
  readonly steps: readonly CalendarStep[];
  readonly conflicts: readonly CalendarConflict[];
}

export interface CalendarRow {
  /** Id of the content item; null: releases that reach none. */
  readonly content: string | null;
  readonly lines: readonly (WindowLine | ReleaseLine)[];
}

export function rowsOf({ entries, conflicts }: Calendar): CalendarRow[] {
  const rows = new Map<string | null, (WindowLine | ReleaseLine)[]>();
  const add = (content: string | null, line: WindowLine | ReleaseLine): void => {
    const lines = rows.get(content);
    if (lines === undefined) rows.set(content, [line]);
    else lines.push(line);
  };
  const byEntry = conflictsByEntry(conflicts);
  const allSteps = entries.filter((entry) => entry.kind === 'step');
  for (const entry of entries) {
    const ofEntry = byEntry.get(entry.id) ?? [];
    if (entry.kind === 'window') {
      const bars = entry.occurrences.map((occurrence, at) => barOf(entry, occurrence, at));
      add(entry.content, { kind: 'window', entry, bars, conflicts: ofEntry });
    } else if (entry.kind === 'release') {
      const steps = allSteps.filter(({ release }) => release === entry.release);
      const reached = entry.contents.length === 0 ? [null] : entry.contents;
      for (const content of reached) {
        const here = ofEntry.filter((conflict) => conflict.content === content);
        add(content, { kind: 'release', entry, steps, conflicts: here });
      }
    }
  }
  return [...rows]
    .map(([content, lines]) => ({ content, lines }))
    .sort((one, other) => ((one.content ?? '') < (other.content ?? '') ? -1 : 1));
}

function conflictsByEntry(conflicts: readonly CalendarConflict[]): Map<string, CalendarConflict[]> {
  const byEntry = new Map<string, CalendarConflict[]>();
  for (const conflict of conflicts) {
    for (const id of [conflict.a, conflict.b]) {
      byEntry.set(id, [...(byEntry.get(id) ?? []), conflict]);
    }
  }
  return byEntry;
}

function barOf(entry: CalendarWindow, occurrence: CalendarOccurrence, at: number): Bar {
  const { from, until, earliest, latest } = occurrence;
  return {
    key: `${entry.id} ${from ?? at}`,
    startMs: pointMs(from, Number.NEGATIVE_INFINITY),
    endMs: pointMs(until, Number.POSITIVE_INFINITY),
    ghost: entry.local
      ? {
          startMs: pointMs(earliest, Number.NEGATIVE_INFINITY),
          endMs: pointMs(latest, Number.POSITIVE_INFINITY),
        }
      : null,
    occurrence,
  };
}

function pointMs(time: string | null, absent: number): number {
  if (time === null) return absent;
  const wallMs = parseWall(time);
  return wallMs === null ? Date.parse(time) : fromBrowserWall(wallMs);
}
