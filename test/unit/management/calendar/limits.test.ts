/* Goal: a calendar has a size whatever it is made of, and says what it leaves out. */
import { describe, expect, it } from 'vitest';
import { noLayers } from '../../../../src/content/layers.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import {
  calendarConflictsMax,
  calendarEntriesMax,
  calendarOccurrencesMax,
  calendarPathsShownMax,
} from '../../../../src/contract/limits.js';
import { Conflicts } from '../../../../src/management/calendar/conflicts.js';
import {
  type PlannedWindow,
  planMapping,
} from '../../../../src/management/calendar/plan-mapping.js';
import { WindowEntries } from '../../../../src/management/calendar/window-entries.js';

const range = { fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2027, 0, 1) };
const origin = { content: 'shop', revision: 1, live: true, release: null };
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const daily = { days, from: '10:00', until: '11:00' };

function planned(rule: number, more: object): PlannedWindow {
  const text = JSON.stringify([{ segment: 'sale', when: {}, ...more }]);
  const parsed = parseMapping(Buffer.from(text));
  if (!parsed.ok || parsed.rules[0] === undefined) throw new Error(text);
  return { ...parsed.rules[0], rule, liveRule: null, variants: null };
}

describe('a calendar', () => {
  it('lists so many entries', () => {
    const entries = new WindowEntries();
    const window = planned(0, { from: '2026-02-01T00:00:00Z' });
    for (let at = 0; at < calendarEntriesMax; at++) entries.add(origin, window, range);
    expect([entries.all.length, entries.areCut]).toEqual([calendarEntriesMax, false]);
    expect(entries.add(origin, window, range)).toBeNull();
    expect([entries.all.length, entries.areCut]).toEqual([calendarEntriesMax, true]);
  });

  it('lists so many occurrences, and looks for conflicts in all of them', () => {
    const entries = new WindowEntries();
    const window = planned(0, { repeat: daily });
    const count = Math.ceil(calendarOccurrencesMax / 366) + 1;
    const added = Array.from({ length: count }, () => entries.add(origin, window, range));
    expect(entries.areOccurrencesCut).toBe(true);
    const listed = entries.all.reduce((sum, { occurrences }) => sum + occurrences.length, 0);
    expect(listed).toBe(calendarOccurrencesMax);
    expect(added.at(-1)?.open.spans.length).toBeGreaterThan(365);
  });

  it('lists so many conflicts, each with some of its paths', () => {
    const [conflicts, entries] = [new Conflicts(), new WindowEntries()];
    const placed = entries.add(origin, planned(0, { repeat: daily }), range);
    if (placed === null) throw new Error('the window is open in the range');
    const paths = Array.from({ length: calendarPathsShownMax + 5 }, (_, at) => `/a/${at}`);
    const touch = { a: 0, b: 1, paths, lists: [] };
    for (let at = 0; at < calendarConflictsMax; at++) {
      conflicts.addWindows(placed, placed, touch, range);
    }
    expect([conflicts.all.length, conflicts.areCut]).toEqual([calendarConflictsMax, false]);
    expect(conflicts.all[0]?.paths).toHaveLength(calendarPathsShownMax);
    expect(conflicts.all[0]?.pathsLeftOut).toBe(5);
    conflicts.addWindows(placed, placed, touch, range);
    expect([conflicts.all.length, conflicts.areCut]).toEqual([calendarConflictsMax, true]);
  });

  it('compares so many pairs of rules, and says where there are more', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ segment: `s${at}`, when: { level: at }, from: '2026-02-01T00:00:00Z' },
        merge: { [`a${at}`]: 1 },
      }));
    const plan = (count: number) => {
      const mapping = Buffer.from(JSON.stringify(rules(count)));
      return planMapping({ now: { mapping, segments: [], layers: noLayers }, live: null });
    };
    expect(plan(300).cut).toBe(false);
    const large = plan(500);
    expect([large.cut, large.windows.length]).toEqual([true, 500]);
  });
});
