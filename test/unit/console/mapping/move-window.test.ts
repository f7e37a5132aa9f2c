/** A window that is moved opens and closes later or earlier by just that much, and nothing else in the mapping changes. */
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../../src/console/mapping/rules/rule-view.js';
import { moveWindow } from '../../../../src/console/mapping/window/move-window.js';
import { readWindowSource } from '../../../../src/console/mapping/window/read-window.js';
import { occurrences } from '../../../../src/content/mapping/window.js';
import { seededRandom } from '../../../support/seeded-random.js';

const hour = 3_600_000;
const day = 24 * hour;
const week = 7 * day;

const ruleOf = (window: string): string =>
  `[ { "segment":"a" },\n  {"segment": "sale", ${window}, "merge": {"p" : 1.10}}]`;

function sourceOf(mapping: string) {
  const view = readMapping(mapping);
  const rule = view.ok ? view.rules[1] : null;
  if (rule === null || rule === undefined) throw new Error(`No rule in ${mapping}`);
  return rule;
}

function move(window: string, deltaMs: number): string | null {
  const mapping = ruleOf(window);
  return moveWindow(mapping, 1, sourceOf(mapping), deltaMs);
}

describe('moving a window', () => {
  it('rewrites its ends and leaves all other bytes', () => {
    expect(move('"until":"2026-11-30T10:00:00",  "from": "2026-11-27T18:00:00"', week)).toBe(
      ruleOf('"until":"2026-12-07T10:00:00",  "from": "2026-12-04T18:00:00"'),
    );
  });

  it('keeps the offset of a fixed one', () => {
    const moved = move('"from": "2026-11-27T18:00:00+09:30"', hour);
    expect(moved).toBe(ruleOf('"from": "2026-11-27T19:00:00+09:30"'));
  });

  it('moves the days and the times of a repeat', () => {
    const repeat = (text: string): string => `"repeat": { ${text} }`;
    expect(
      move(repeat('"days": ["fri"], "from": "18:00", "until": "10:00", "plusDays": 3'), 7 * hour),
    ).toBe(ruleOf(repeat('"days": ["sat"], "from": "01:00", "until": "17:00", "plusDays": 2')));
  });

  it('moves a repeat every second week into the other weeks', () => {
    const window = (date: string): string =>
      `"from": "${date}T18:00:00", "repeat": { "days": ["fri"], "from": "18:00", "until": "10:00", "plusDays": 3, "everyWeeks": 2 }`;
    expect(move(window('2026-11-27'), week)).toBe(ruleOf(window('2026-12-04')));
  });

  it('is not possible where only some days of a second week would fall into the next', () => {
    const window =
      '"from": "2026-11-23T00:00:00", "repeat": { "days": ["mon", "sun"], "from": "10:00", "until": "12:00", "everyWeeks": 2 }';
    expect(move(window, day)).toBeNull();
    expect(move(window, week)).not.toBeNull();
  });

  it('is not possible for a rule that is always open, or that the server rejects', () => {
    expect(move('"info": "x"', week)).toBeNull();
    expect(move('"from": "soon"', week)).toBeNull();
  });

  it('moves each occurrence of any repeat by just that much', () => {
    const random = seededRandom(19);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    let moved = 0;
    for (let round = 0; round < 400; round++) {
      const days = names.filter(() => random() < 0.3);
      const zone = pick(['', 'Z', '+01:00', '-08:00']);
      const from = `2026-11-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}T0${Math.floor(random() * 9)}:00:00${zone}`;
      const repeat = {
        days: days.length === 0 ? ['fri'] : days,
        from: pick(['00:00', '09:30', '18:00']),
        until: pick(['00:00', '10:00', '23:45']),
        ...(random() < 0.4 && { plusDays: 1 + Math.floor(random() * 3) }),
        ...(random() < 0.5 && { everyWeeks: 1 + Math.floor(random() * 3) }),
      };
      const mapping = ruleOf(`"from": "${from}", "repeat": ${JSON.stringify(repeat)}`);
      const deltaMs = pick([hour, -hour, day, -day, 3 * day, week, -week, 2 * week + 5 * hour]);
      const result = moveWindow(mapping, 1, sourceOf(mapping), deltaMs);
      if (result === null) continue;
      moved++;
      const [before, after] = [mapping, result].map((text) => readWindowSource(sourceOf(text)));
      if (before === null || before === undefined || after === null || after === undefined) {
        throw new Error(`Not valid: ${result}`);
      }
      const start = Date.parse('2026-10-01T00:00:00Z');
      const old = occurrences(before, 0, start, start + 30 * week, 500);
      expect(occurrences(after, 0, start + deltaMs, start + 30 * week + deltaMs, 500)).toEqual(
        old.map(({ startMs, endMs }) => ({ startMs: startMs + deltaMs, endMs: endMs + deltaMs })),
      );
    }
    // Most can be moved; which cannot is a matter of weeks.
    expect(moved).toBeGreaterThan(250);
  });
});
