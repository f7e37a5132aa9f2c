/** Windows of rules as entries of a calendar: each with those of its occurrences that meet the range. */
import { type OpenSpans, openSpans, worldwide } from '../../content/conflicts/meeting.js';
import type { Span } from '../../content/mapping/window.js';
import { calendarEntriesMax, calendarOccurrencesMax } from '../../contract/limits.js';
import type { CalendarOccurrence, CalendarWindow } from '../../contract/operations/calendar.js';
import { toIso } from '../to-iso.js';
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
    const { rule, segment, variants, isLocal: local } = planned;
    const shown = open.spans.slice(0, calendarOccurrencesMax - this.#occurrences);
    this.#occurrences += shown.length;
    if (shown.length < open.spans.length) this.areOccurrencesCut = true;
    const entry: CalendarWindow = {
      id: idOf(origin, rule),
      kind: 'window',
      content: origin.content,
      ...{ revision: origin.revision, rule, segment, variants, local },
      repeat: repeatOf(planned),
      from: clockText(planned.fromMs, local),
      until: clockText(planned.untilMs, local),
      occurrences: shown.map((span) => occurrenceOf(span, local)),
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

function repeatOf({ repeat }: PlannedWindow): CalendarWindow['repeat'] {
  if (repeat === null) return null;
  const { days, from, until, plusDays, everyWeeks } = repeat;
  return { days, from, until, plusDays, everyWeeks };
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

/** Wall time is kept as if the clock showed UTC. */
function clockText(ms: number, isLocal: boolean): string | null {
  const text = instantText(ms);
  return isLocal && text !== null ? text.replace(zeroMs, '').replace('Z', '') : text;
}

const zeroMs = /\.000(?=Z)/;

/** null: infinite. */
export function instantText(ms: number): string | null {
  return Number.isFinite(ms) ? toIso(ms) : null;
}
