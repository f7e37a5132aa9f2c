/** Conflicts of a calendar: two of its entries that touch the same values of the same players at the same time. */
import { alwaysOpen, firstMeeting } from '../../content/conflicts/meeting.js';
import type { Span } from '../../content/mapping/window.js';
import { calendarConflictsMax, calendarPathsShownMax } from '../../contract/limits.js';
import type { CalendarConflict } from '../../contract/operations/calendar.js';
import { instantText } from '../window-json.js';
import type { CalendarRange } from './calendar-range.js';
import type { PlannedTouch } from './plan-mapping.js';
import { releaseId } from './release-entries.js';
import type { PlacedWindow } from './window-entries.js';

interface Found extends Pick<CalendarConflict, 'a' | 'b' | 'content' | 'kind' | 'reason'> {
  readonly paths: readonly string[];
  readonly lists: readonly string[];
  readonly when: Span;
}

/** A release, and the part of the calendar's range in which it may reach players. */
export interface RangedRelease {
  readonly release: number;
  readonly range: CalendarRange;
}

export class Conflicts {
  readonly all: CalendarConflict[] = [];
  areCut = false;

  /** Two rules with windows. */
  addWindows(
    a: PlacedWindow,
    b: PlacedWindow,
    { paths, lists }: PlannedTouch,
    { fromMs, untilMs }: CalendarRange,
  ): void {
    const when = firstMeeting(a.open, b.open, fromMs, untilMs);
    if (when === null) return;
    const { content } = a.entry;
    const players =
      lists.length === 0
        ? 'for players who can be in both'
        : `for players whose ${lists.join(' and ')} is a list with values of both`;
    const reason = `"${a.entry.segment}" and "${b.entry.segment}" both change ${pathText(paths)} of "${content}" ${players}.`;
    const ids = { a: a.entry.id, b: b.entry.id };
    this.#add({ ...ids, content, kind: 'windows', paths, lists, when, reason });
  }

  /**
   * A release that changes or removes a rule, or brings one without a window that changes the same.
   * @param touch null: the rule itself is changed or removed
   */
  addRelease(
    window: PlacedWindow,
    { release, range }: RangedRelease,
    paths: readonly string[],
    touch: Pick<PlannedTouch, 'lists'> | null,
  ): void {
    const when = firstMeeting(window.open, alwaysOpen, range.fromMs, range.untilMs);
    if (when === null) return;
    const { content, segment } = window.entry;
    const reason =
      touch === null
        ? `Release ${release} changes or removes the rule "${segment}" of "${content}" while its window is open.`
        : `Release ${release} brings a rule that changes ${pathText(paths)} of "${content}", as "${segment}" does while its window is open.`;
    this.#add({
      ...{ a: window.entry.id, b: releaseId(release), content, kind: 'changed_by_release' },
      ...{ paths, lists: touch?.lists ?? [], reason },
      when: { ...when, startMs: Math.max(when.startMs, range.fromMs) },
    });
  }

  /** Two releases that change one content. */
  addReleases(a: RangedRelease, b: RangedRelease, content: string): void {
    const reason = `Release ${a.release} and release ${b.release} both change "${content}": the one that goes live second must be rebased before.`;
    const startMs = Math.max(a.range.fromMs, b.range.fromMs);
    this.#add({
      ...{ a: releaseId(a.release), b: releaseId(b.release), content, kind: 'releases' },
      ...{ paths: [''], lists: [], reason },
      when: { startMs, endMs: Number.POSITIVE_INFINITY },
    });
  }

  #add({ paths, when, ...conflict }: Found): void {
    if (this.all.length === calendarConflictsMax) {
      this.areCut = true;
      return;
    }
    const shown = paths.slice(0, calendarPathsShownMax);
    this.all.push({
      ...conflict,
      paths: shown,
      pathsLeftOut: paths.length - shown.length,
      when: { from: instantText(when.startMs), until: instantText(when.endMs) },
    });
  }
}

function pathText([first = '', ...others]: readonly string[]): string {
  const name = first === '' ? 'the whole' : first;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
