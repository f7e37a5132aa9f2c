/** What the calendar draws where, in the zone of this process: its range of days, the rows, and what a move saves. */
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../../src/console/calendar/calendar-rows.js';
import { describeShift } from '../../../../src/console/calendar/describe-entry.js';
import { prepareMove } from '../../../../src/console/calendar/prepare-move.js';
import { previewPath } from '../../../../src/console/calendar/preview-path.js';
import {
  draggedMs,
  percentOf,
  scaleFrom,
  shifted,
  ticksOf,
  zooms,
} from '../../../../src/console/calendar/time-scale.js';
import { newContent } from '../../../../src/console/draft/content-query.js';
import { offsetOf, withOffset } from '../../../../src/console/preview/contexts/clock-of-user.js';
import type {
  Calendar,
  CalendarConflict,
  CalendarRelease,
  CalendarStep,
  CalendarWindow,
} from '../../../../src/contract/operations/calendar.js';

const hour = 3_600_000;
const day = 24 * hour;
const thursday = new Date(2026, 10, 26, 15, 30).getTime();
const now = Date.parse('2026-11-24T12:00:00Z');

const entry: CalendarWindow = {
  ...{ id: 'window:shop:2:0', kind: 'window', content: 'shop', revision: 2, rule: 0 },
  ...{ segment: 'sale', variants: null, local: true, repeat: null, live: true, release: null },
  ...{ from: '2026-11-27T18:00:00', until: '2026-11-30T10:00:00' },
  occurrences: [
    {
      ...{ from: '2026-11-27T18:00:00', until: '2026-11-30T10:00:00' },
      ...{ earliest: '2026-11-27T04:00:00.000Z', latest: '2026-11-30T22:00:00.000Z' },
    },
  ],
};

describe('the range of the calendar', () => {
  it.each(zooms)('of a %s begins on the Monday, and shows each of its days', (zoom) => {
    const scale = scaleFrom(zoom, thursday);
    expect(new Date(scale.fromMs).toString()).toContain('Mon Nov 23 2026 00:00:00');
    expect(scaleFrom(zoom, scale.fromMs)).toEqual(scale);
    const ticks = ticksOf(scale).map(({ atMs }) => percentOf(scale, atMs));
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    expect(ticks[0]).toBe(0);
    expect(shifted(shifted(scale, 1), -1)).toEqual(scale);
  });

  it('cuts what lies beyond it', () => {
    const scale = scaleFrom('week', thursday);
    expect(percentOf(scale, Number.NEGATIVE_INFINITY)).toBe(0);
    expect(percentOf(scale, Number.POSITIVE_INFINITY)).toBe(100);
  });

  it('makes whole steps of a drag', () => {
    const scale = scaleFrom('month', thursday);
    expect(draggedMs(scale, 205, 1_000)).toBe(7 * day);
    expect(draggedMs(scale, -3, 1_000)).toBe(-0);
    expect(draggedMs(scaleFrom('week', thursday), 6, 1_000)).toBe(hour);
    expect([7 * day, -2 * day, -hour].map(describeShift)).toEqual([
      '1 week later',
      '2 days earlier',
      '1 hour earlier',
    ]);
  });
});

describe('the rows of the calendar', () => {
  const release: CalendarRelease = {
    ...{ id: 'release:1', kind: 'release', release: 1, title: 'Winter', state: 'scheduled' },
    ...{ contents: ['shop', 'banner'], contentsLeftOut: 0, projected: true },
    ...{ from: '2026-11-28T00:00:00.000Z', until: '2026-11-29T00:00:00.000Z' },
  };
  const step: CalendarStep = {
    ...{ id: 'step:1:0', kind: 'step', release: 1, step: 0, percent: 5, projected: true },
    ...{ from: '2026-11-28T00:00:00.000Z', until: '2026-11-29T00:00:00.000Z' },
  };
  const conflict: CalendarConflict = {
    ...{ a: entry.id, b: release.id, content: 'shop', kind: 'changed_by_release', paths: [''] },
    ...{ pathsLeftOut: 0, lists: [], when: { from: null, until: null }, reason: 'Both change it.' },
  };
  const calendar: Calendar = {
    ...{ from: '2026-11-23T00:00:00.000Z', until: '2026-12-28T00:00:00.000Z' },
    entries: [entry, release, step],
    conflicts: [conflict],
    truncated: { entries: false, occurrences: false, conflicts: false },
  };

  it('are one for each content item, with the windows and releases that reach it', () => {
    const rows = rowsOf(calendar);
    expect(rows.map(({ content, lines }) => [content, lines.map(({ kind }) => kind)])).toEqual([
      ['banner', ['release']],
      ['shop', ['window', 'release']],
    ]);
    expect(rows.flatMap(({ lines }) => lines.map(({ conflicts }) => conflicts.length))).toEqual([
      0, 1, 1,
    ]);
  });

  it('draw a local window by the clock of the browser, within the outline of the world', () => {
    const line = rowsOf(calendar)[1]?.lines[0];
    expect(line?.kind === 'window' ? line.bars : []).toMatchObject([
      {
        startMs: new Date(2026, 10, 27, 18).getTime(),
        endMs: new Date(2026, 10, 30, 10).getTime(),
        ghost: {
          startMs: Date.parse('2026-11-27T04:00:00Z'),
          endMs: Date.parse('2026-11-30T22:00:00Z'),
        },
      },
    ]);
  });
});

describe('a move', () => {
  const mapping =
    '[{"segment": "sale", "from":"2026-11-27T18:00:00", "until" : "2026-11-30T10:00:00", "merge": {"a":1.10}}]';
  const content = { ...newContent('staging', 'shop'), newest: 2, live: 2, mapping };
  const reasonOf = (move: ReturnType<typeof prepareMove>): string => (move.ok ? '' : move.reason);

  it('saves the other ends and leaves every other byte of the content item', () => {
    const move = prepareMove(content, entry, 7 * day, now);
    expect(move.ok && move.state.lines).toBe(content.lines);
    expect(move.ok && move.state.mapping).toBe(
      mapping.replace('11-27', '12-04').replace('11-30', '12-07'),
    );
    expect(move.ok && [move.before, move.after]).toEqual([
      ['Fri 27 Nov, 18:00 – Mon 30 Nov, 10:00 player time'],
      ['Fri 4 Dec, 18:00 – Mon 7 Dec, 10:00 player time'],
    ]);
  });

  it('is refused where another edit would go live with it, or be lost', () => {
    expect(reasonOf(prepareMove({ ...content, newest: 3 }, entry, day, now))).toMatch(/^Draft r3/);
    expect(reasonOf(prepareMove({ ...content, newest: 3, live: 3 }, entry, day, now))).toMatch(
      /saved since/,
    );
    expect(reasonOf(prepareMove(content, { ...entry, segment: 'other' }, day, now))).toMatch(
      /saved since/,
    );
    expect(reasonOf(prepareMove(content, { ...entry, release: 4 }, day, now))).toMatch(/#4/);
  });
});

describe('the clock of a previewed user', () => {
  it('is an attribute beside the others, which keep their spelling', () => {
    const user = { u: 'ada', v: '', p: '{ "spent": 1.10 }' };
    const tokyo = withOffset(user, 540);
    expect(tokyo.p).toBe('{ "spent": 1.10, "utcOffset": 540 }');
    expect(offsetOf(tokyo)).toBe(540);
    expect(withOffset(tokyo, null).p).toBe(user.p);
    expect(offsetOf({ ...user, p: '{"utcOffset": 9000}' })).toBeNull();
  });

  it('is part of the address of a preview', () => {
    const moment = { content: 'shop', atMs: now, utcOffset: -480 };
    expect(previewPath('staging', moment)).toBe(
      '/env/staging/contents/shop/preview?at=2026-11-24T12%3A00%3A00Z&utcOffset=-480',
    );
  });
});
