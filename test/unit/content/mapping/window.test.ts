import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import {
  isOpen,
  isOpenAnywhere,
  nextEdgeAnywhereMs,
  nextEdgeMs,
  occurrences,
  spreadOf,
  type Window,
} from '../../../../src/content/mapping/window.js';
import { isOpenByOracle, type RepeatText, type WindowText } from './window-oracle.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const newYear = Date.parse('2026-01-01T00:00:00Z');

function windowOf(text: WindowText): Window {
  const parsed = parseMapping(Buffer.from(JSON.stringify([{ segment: 's', ...text }])));
  const rule = parsed.ok ? parsed.rules[0] : undefined;
  if (rule === undefined) throw new Error(JSON.stringify(parsed));
  return rule;
}

const at = (utcOffset: unknown) => makeEvaluationContext('u', { utcOffset }, null);

/** Instants at which the window opens and closes, as texts in UTC. */
function openings(text: WindowText, offset: number, max = 4, fromMs = newYear): string[][] {
  return occurrences(windowOf(text), offset, fromMs, fromMs + 400 * day, max).map(
    ({ startMs, endMs }) => [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 16)),
  );
}

const weekend: RepeatText = { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3 };

describe('a window without zones', () => {
  const sale = { from: '2026-11-27T18:00:00', until: '2026-11-30T00:00:00' };

  it('opens and closes when the clock of the user shows its times', () => {
    const window = windowOf(sale);
    const opens = (offset: unknown, instant: string) =>
      isOpen(window, at(offset), Date.parse(instant));
    expect(opens(540, '2026-11-27T08:59:59.999Z')).toBe(false);
    expect(opens(540, '2026-11-27T09:00:00Z')).toBe(true);
    expect(opens(540, '2026-11-29T14:59:59.999Z')).toBe(true);
    expect(opens(540, '2026-11-29T15:00:00Z')).toBe(false);
    expect(opens(-480, '2026-11-28T01:59:59.999Z')).toBe(false);
    expect(opens(-480, '2026-11-28T02:00:00Z')).toBe(true);
  });

  it('is in UTC for a caller whose offset is absent or invalid, which the caller remembers', () => {
    const window = windowOf(sale);
    for (const offset of [undefined, null, '540', 1.5, -721, 841, [], {}, true]) {
      const caller = at(offset);
      expect(isOpen(window, caller, Date.parse('2026-11-27T17:59:59Z'))).toBe(false);
      expect(isOpen(window, caller, Date.parse('2026-11-27T18:00:00Z'))).toBe(true);
      expect(caller.lacksUtcOffset).toBe(true);
    }
    const inherited = makeEvaluationContext('u', Object.create({ utcOffset: 540 }), null);
    expect(isOpen(window, inherited, Date.parse('2026-11-27T10:00:00Z'))).toBe(false);
    for (const offset of [-720, 0, 840]) {
      const caller = at(offset);
      isOpen(window, caller, Date.parse('2026-11-27T18:00:00Z'));
      expect(caller.lacksUtcOffset).toBe(false);
    }
  });

  it('asks for the offset only when the offset decides', () => {
    const window = windowOf(sale);
    const asked = (instant: string) => {
      const caller = at('none');
      isOpen(window, caller, Date.parse(instant));
      return caller.lacksUtcOffset;
    };
    expect(asked('2026-11-27T03:59:59Z')).toBe(false);
    expect(asked('2026-11-27T04:00:00Z')).toBe(true);
    expect(asked('2026-11-28T06:00:00Z')).toBe(false);
    expect(asked('2026-11-30T11:59:59Z')).toBe(true);
    expect(asked('2026-11-30T12:00:00Z')).toBe(false);
  });

  it('passes around the world in quarters of an hour', () => {
    const window = windowOf({ until: '2026-11-27T18:00:00' });
    const edges: number[] = [];
    let edge = nextEdgeAnywhereMs(window, newYear);
    for (; edge < Number.POSITIVE_INFINITY; edge = nextEdgeAnywhereMs(window, edge))
      edges.push(edge);
    expect(edges[0]).toBe(Date.parse('2026-11-27T04:00:00Z'));
    expect(edges.at(-1)).toBe(Date.parse('2026-11-28T06:00:00Z'));
    expect(new Set(edges.slice(1).map((ms, index) => ms - (edges[index] as number)))).toEqual(
      new Set([15 * minute]),
    );
  });
});

describe('occurrences', () => {
  it('belong to the day on which they start, and may end days later, each second week', () => {
    const text = {
      from: '2026-01-07T12:00:00Z',
      until: '2026-02-09T00:00:00Z',
      repeat: { ...weekend, everyWeeks: 2 },
    };
    expect(openings(text, 540)).toEqual([
      ['2026-01-09T18:00', '2026-01-12T10:00'],
      ['2026-01-23T18:00', '2026-01-26T10:00'],
      ['2026-02-06T18:00', '2026-02-09T00:00'],
    ]);
  });

  it('are on the clock of the zone of from, or else of until, or else of the user', () => {
    const repeat = { days: ['thu'], from: '18:00', until: '20:00' };
    const first = (text: object) => openings({ ...text, repeat }, 60, 1)[0]?.[0];
    expect(first({ from: '2025-12-31T00:00:00-08:00', until: '2027-01-01T00:00:00Z' })).toBe(
      '2026-01-02T02:00',
    );
    expect(first({ until: '2027-01-01T00:00:00+09:00' })).toBe('2026-01-01T09:00');
    expect(first({ until: '2027-01-01T00:00:00' })).toBe('2026-01-01T17:00');
    expect(first({})).toBe('2026-01-01T17:00');
  });

  it('that meet are one, and a week full of them has no edge', () => {
    const repeat = { days: ['sat', 'sun'], from: '06:00', until: '06:00' };
    expect(openings({ repeat }, 0, 1)).toEqual([['2026-01-03T06:00', '2026-01-05T06:00']]);
    const days = ['sun', 'sat', 'fri', 'thu', 'wed', 'tue', 'mon'];
    const full = windowOf({ repeat: { days, from: '06:00', until: '06:00' } });
    expect(isOpen(full, at(0), newYear)).toBe(true);
    expect(nextEdgeMs(full, 0, newYear)).toBe(Number.POSITIVE_INFINITY);
    const ended = windowOf({
      until: '2026-03-01T00:00:00',
      repeat: { days, from: '06:00', until: '06:00' },
    });
    expect(nextEdgeMs(ended, 60, newYear)).toBe(Date.parse('2026-02-28T23:00:00Z'));
  });

  it('are listed up to a limit', () => {
    expect(openings({ repeat: weekend }, 0, 7)).toHaveLength(7);
    expect(openings({ until: '2025-01-01T00:00:00', repeat: weekend }, 0)).toEqual([]);
  });
});

describe('a window agrees with an oracle that walks it minute by minute', () => {
  const pad = (value: number) => String(value).padStart(2, '0');
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 30, 45, 59))
    .map(([hours, minutes]) => `${pad(hours)}:${pad(minutes)}`);
  const repeat = fc
    .record(
      {
        days: fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { minLength: 1 }),
        from: time,
        until: time,
        plusDays: fc.integer({ min: 0, max: 6 }),
        everyWeeks: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ['days', 'from', 'until'] },
    )
    .filter(({ from, until, plusDays }) => plusDays !== 0 || until > from);
  const zone = fc.constantFrom('', '', 'Z', '+09:00', '-08:00', '+05:45', '-23:59');
  const text = fc
    .tuple(
      ...[zone, zone, fc.option(repeat)],
      ...[fc.integer({ min: -20_000, max: 600_000 }), fc.integer({ min: 1, max: 200_000 })],
      fc.constantFrom('both', 'both', 'from', 'until', 'none'),
    )
    .map(([a, b, repeating, start, length, ends]): WindowText => {
      const wall = (minutes: number) =>
        new Date(newYear + minutes * minute).toISOString().slice(0, 19);
      const other = a === '' ? '' : b === '' ? 'Z' : b;
      const { everyWeeks, ...often } = repeating ?? { everyWeeks: undefined };
      const counts = everyWeeks !== undefined && (ends === 'both' || ends === 'from');
      return {
        ...(ends === 'both' || ends === 'from' ? { from: wall(start) + a } : {}),
        // Two zones are up to 48 hours apart.
        ...(ends === 'both' || ends === 'until'
          ? { until: wall(start + length + 2_880) + other }
          : {}),
        ...(repeating === null
          ? {}
          : { repeat: { ...(often as RepeatText), ...(counts ? { everyWeeks } : {}) } }),
      };
    });
  const offset = fc.oneof(
    fc.constantFrom(-720, 0, 840, 345, -210),
    fc.integer({ min: -720, max: 840 }),
  );

  /** Whether it is open at each minute, and what the edges say of it from `fromMs` on. */
  const walk = (
    written: WindowText,
    minutes: number,
    fromMs: number,
    offsetOf: (ms: number) => number,
  ) => {
    const window = windowOf(written);
    let edge = Number.NEGATIVE_INFINITY;
    let knownOffset = Number.NaN;
    let was = false;
    for (let ms = fromMs; ms < fromMs + minutes * minute; ms += minute) {
      const minutesEast = offsetOf(ms);
      const open = isOpenByOracle(written, minutesEast, ms);
      if (isOpen(window, at(minutesEast), ms) !== open) return `open at ${new Date(ms).toJSON()}`;
      // An edge counts for as long as the clock of the user is not set.
      if (minutesEast !== knownOffset) {
        edge = nextEdgeMs(window, minutesEast, ms);
        knownOffset = minutesEast;
      } else if (open !== was) {
        if (edge !== ms) return `an edge at ${new Date(ms).toJSON()}`;
        edge = nextEdgeMs(window, minutesEast, ms);
      } else if (edge <= ms) {
        return `no edge at ${new Date(ms).toJSON()}`;
      }
      was = open;
    }
    return 'agreed';
  };

  it('for any window and offset over some weeks', () => {
    fc.assert(
      fc.property(text, offset, fc.integer({ min: -30, max: 420 }), (written, east, startDay) => {
        const fromMs = newYear + startDay * day;
        expect(walk(written, 25 * 1_440, fromMs, () => east)).toBe('agreed');
      }),
      { numRuns: 30 },
    );
  });

  it('over a year in which the clock of the user is set twice', () => {
    const [spring, autumn] = ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'].map(Date.parse) as [
      number,
      number,
    ];
    const berlin = (ms: number) => (spring <= ms && ms < autumn ? 120 : 60);
    const windows: WindowText[] = [
      { repeat: { days: ['sun'], from: '01:30', until: '02:30' } },
      { from: '2026-01-02T00:00:00', repeat: { ...weekend, everyWeeks: 2 } },
      { from: '2026-03-29T02:30:00', until: '2026-10-25T02:30:00' },
    ];
    for (const written of windows) {
      expect([written, walk(written, 365 * 1_440, newYear, berlin)]).toEqual([written, 'agreed']);
    }
  });

  it('on when each user is open, as a list', () => {
    fc.assert(
      fc.property(text, offset, (written, east) => {
        const window = windowOf(written);
        const spans = occurrences(window, east, newYear, newYear + 60 * day, 500);
        const opens = (ms: number) => isOpenByOracle(written, east, ms);
        for (const [index, { startMs, endMs }] of spans.entries()) {
          if (index > 0) expect(startMs).toBeGreaterThan(spans[index - 1]?.endMs ?? startMs);
          if (Number.isFinite(startMs))
            expect([opens(startMs - 1), opens(startMs)]).toEqual([false, true]);
          if (Number.isFinite(endMs))
            expect([opens(endMs - 1), opens(endMs)]).toEqual([true, false]);
        }
        for (let ms = newYear; ms < newYear + 60 * day; ms += 7 * hour) {
          const listed = spans.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
          expect(listed).toBe(opens(ms));
        }
      }),
    );
  });

  it('on whether it is open anywhere, and where it is not any more', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 600_000 }), (written, minutes) => {
        const window = windowOf(written);
        const nowMs = newYear + minutes * minute;
        const clocks = Array.from({ length: 105 }, (_, index) => -720 + index * 15);
        const opens = clocks.some((east) => isOpenByOracle(written, east, nowMs));
        expect(isOpenAnywhere(window, nowMs)).toBe(opens);
        const { startMs, endMs } = spreadOf(window);
        if (opens) expect(startMs <= nowMs && nowMs < endMs).toBe(true);
      }),
    );
    const local = spreadOf(windowOf({ from: '2026-11-27T18:00:00', until: '2026-11-28T00:00:00' }));
    expect(local.endMs - local.startMs).toBe((6 + 26) * hour);
  });

  it('on the next edge anywhere: no user with a clock in whole quarters has one before it', () => {
    const quarters = fc.integer({ min: -48, max: 56 }).map((count) => count * 15);
    fc.assert(
      fc.property(
        text,
        quarters,
        fc.integer({ min: 0, max: 400_000 }),
        (written, east, minutes) => {
          const window = windowOf(written);
          const nowMs = newYear + minutes * minute;
          const edge = nextEdgeAnywhereMs(window, nowMs);
          expect(edge).toBeGreaterThan(nowMs);
          expect(edge).toBeLessThanOrEqual(nextEdgeMs(window, east, nowMs));
        },
      ),
    );
  });
});
