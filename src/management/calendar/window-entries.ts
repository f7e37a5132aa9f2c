/** Windows of rules as entries of a calendar: each with those of its occurrences that meet the range. */
import { type OpenSpans, openSpans, worldwide } from '../../content/conflicts/meeting.js';
import type { Span } from '../../content/mapping/window.js';
import { calendarEntriesMax, calendarOccurrencesMax } from '../../contract/limits.js';
import type { CalendarOccurrence, CalendarWindow } from '../../contract/operations/calendar.js';
import { clockText, instantText, windowJson } from '../window-json.js';
import type { CalendarRange } from './calendar-range.js';
import type { PlannedWindow } from './plan-mapping.js';

/** An entry, and when its window is open. */
export interface PlacedWindow {
  readonly entry: CalendarWindow;
  readonly open: OpenSpans;
}

/** Where a window comes from. */
export interface WindowOrigin {
  /** As it was created. */
  readonly content: string;
  readonly revision: number;
  readonly live: boolean;
  /** Number of the release that brings it; null: none. */
  readonly release: number | null;
}

export class WindowEntries {
  readonly all: CalendarWindow[] = [];
  areCut = false;
  areOccurrencesCut = false;
  #occurrences = 0;

  /**
   * @param range what it is shown in: of the calendar, or from a release on
   * @returns null: it is not open there, or there are too many entries
   */
  add(origin: WindowOrigin, planned: PlannedWindow, range: CalendarRange): PlacedWindow | null {
    const open = openSpans(planned, range.fromMs, range.untilMs);
    if (open.spans.length === 0) return null;
    if (this.all.length === calendarEntriesMax) {
      this.areCut = true;
      return null;
    }
    const { rule, segment, variants, isLocal } = planned;
    const shown = open.spans.slice(0, calendarOccurrencesMax - this.#occurrences);
    this.#occurrences += shown.length;
    if (shown.length < open.spans.length) this.areOccurrencesCut = true;
    const entry: CalendarWindow = {
      id: idOf(origin, rule),
      kind: 'window',
      content: origin.content,
      ...{ revision: origin.revision, rule, segment, variants, ...windowJson(planned) },
      occurrences: shown.map((span) => occurrenceOf(span, isLocal)),
      ...{ live: origin.live, release: origin.release },
    };
    this.all.push(entry);
    return { entry, open };
  }
}

function idOf({ content, revision, release }: WindowOrigin, rule: number): string {
  const brought = release === null ? '' : `:release-${release}`;
  return `window:${content}:${revision}:${rule}${brought}`;
}

function occurrenceOf(span: Span, isLocal: boolean): CalendarOccurrence {
  const { startMs, endMs } = worldwide(span, isLocal);
  return {
    from: clockText(span.startMs, isLocal),
    until: clockText(span.endMs, isLocal),
    earliest: instantText(startMs),
    latest: instantText(endMs),
  };
}
