/** The words of when a revision was live. */
import { expect, it } from 'vitest';
import {
  formatLasting,
  formatLiveSpan,
} from '../../../../src/console/content/history/format-live-span.js';

const nowMs = new Date(2026, 10, 25, 12, 0).getTime();
const iso = (day: number, hour: number, minute: number): string =>
  new Date(2026, 10, day, hour, minute).toISOString();
const withoutZone = (text: string): string => text.replace(/(\d:\d\d) [A-Z][\w+:-]*/g, '$1');

it('names both ends and how long it was', () => {
  const span = { from: iso(24, 18, 0), until: iso(25, 9, 12) };
  expect(withoutZone(formatLiveSpan(span, nowMs))).toBe(
    'Live Tue 24 Nov, 18:00 – Wed 25 Nov, 09:12 (15 h)',
  );
});

it('names a day once', () => {
  const span = { from: iso(24, 9, 5), until: iso(24, 9, 50) };
  expect(withoutZone(formatLiveSpan(span, nowMs))).toBe('Live Tue 24 Nov, 09:05 – 09:50 (45 min)');
});

it('says since when what is live now is', () => {
  const span = { from: iso(22, 12, 0), until: null };
  expect(withoutZone(formatLiveSpan(span, nowMs))).toBe('Live since Sun 22 Nov, 12:00 (3 d)');
});

it.each([
  [0, '0 s'],
  [119_999, '119 s'],
  [120_000, '2 min'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 d'],
])('%i ms are %s', (ms, text) => {
  expect(formatLasting(ms)).toBe(text);
});
