import { describe, expect, it } from 'vitest';
import { tableRows } from '../../../../src/console/health/charts/chart-rows.js';
import {
  groupMarks,
  marksNear,
  marksOf,
  marksSummary,
  placeOf,
} from '../../../../src/console/health/charts/publish-marks.js';
import type { PublishedChange } from '../../../../src/contract/operations/health/changes.js';

const nowMs = Date.UTC(2026, 0, 1, 12);

function change(secondsAgo: number, more: Partial<PublishedChange> = {}): PublishedChange {
  const at = new Date(nowMs - secondsAgo * 1_000).toISOString();
  const shop = { environment: 'live', action: 'content.publish', name: 'shop', title: 'shop' };
  return { id: `event-${secondsAgo}`, at, by: 'nora', ...shop, ...more };
}

describe('marks of what was published', () => {
  it('are numbered from the first that the charts show', () => {
    const changes = [change(3_000), change(500), change(20, { action: 'content.rollback' })];
    const marks = marksOf(changes, '10 min', nowMs);
    expect(marks.map(({ number, words }) => [number, words])).toEqual([
      [1, 'published shop'],
      [2, 'rolled back shop'],
    ]);
    expect(marksOf(changes, '1 h', nowMs)).toHaveLength(3);
    expect(marksSummary(marks)).toContain('1: published shop, 2: rolled back shop');
    expect(marksSummary([])).toBe('');
  });

  it('name at most five to screen readers, the newest', () => {
    const changes = Array.from({ length: 8 }, (_, at) => change(80 - at * 10));
    const summary = marksSummary(marksOf(changes, '10 min', nowMs));
    expect(summary).toContain('3 earlier ones, 4: published shop');
  });

  it('link to what was changed', () => {
    const release = { action: 'release.start', name: '7', title: 'Weekend event' };
    expect(placeOf(change(1))).toBe('/env/live/contents/shop/history');
    expect(placeOf(change(1, release))).toBe('/env/live/releases/7');
    expect(placeOf(change(1, { action: 'environment.sync', name: 'live' }))).toBe(
      '/env/live/contents',
    );
    const [mark] = marksOf([change(1, release)], '10 min', nowMs);
    expect(mark?.words).toBe('started release Weekend event');
  });

  it('that would cover each other are one', () => {
    const at = (number: number, x: number) => ({ number, x });
    expect(groupMarks([at(1, 0), at(2, 10), at(3, 29), at(4, 31), at(5, 200)], 30)).toEqual([
      { x: 0, label: '1–3' },
      { x: 31, label: '4' },
      { x: 200, label: '5' },
    ]);
  });

  it('are pointed at from close by', () => {
    const marks = marksOf([change(300)], '10 min', nowMs);
    expect(marksNear(marks, nowMs / 1_000 - 295, '10 min')).toHaveLength(1);
    expect(marksNear(marks, nowMs / 1_000 - 200, '10 min')).toHaveLength(0);
  });
});

describe('the table of a chart', () => {
  it('has a row each half minute, and what was published until then in one of them', () => {
    const now = nowMs / 1_000;
    const times = Array.from({ length: 40 }, (_, at) => now - 78 + at * 2);
    const marks = marksOf([change(50), change(1)], '10 min', nowMs);
    const rows = tableRows({ times, span: '10 min', marks });
    expect(rows.map(({ at }) => now - (times[at] ?? 0))).toEqual([0, 30, 60]);
    expect(rows.map(({ published }) => published.map(({ number }) => number))).toEqual([
      [2],
      [1],
      [],
    ]);
  });

  it('has none before the first moment', () => {
    expect(tableRows({ times: [], span: '1 h', marks: [] })).toEqual([]);
  });
});
