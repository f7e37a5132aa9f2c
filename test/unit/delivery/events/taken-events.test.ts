/** Events as clients send them, and as nobody should: what is taken, what its line says, and why the rest is refused. */
import { describe, expect, it } from 'vitest';
import { EventNames } from '../../../../src/delivery/events/event-names.js';
import { refusals } from '../../../../src/delivery/events/refusals.js';
import { type Reporter, TakenEvents } from '../../../../src/delivery/events/taken-events.js';
import { eventNamesMax, rejectionsShownMax } from '../../../../src/delivery/limits.js';
import { type EventLine, parseEventLine } from '../../../../src/published/event-line.js';

const nowMs = Date.UTC(2026, 10, 24, 12);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const at = (ms: number): string => new Date(ms).toISOString();

const reporter: Reporter = {
  before: `{"r":${nowMs},"env":"live","u":"player-1","k":0,"e":`,
  after: '}\n',
  receivedAtMs: nowMs,
  admitsName: () => true,
};

const metric = (more: object = {}): object => ({
  ...{ t: 'metric', n: 'purchase', x: 4.99, at: at(nowMs - minuteMs), eid: 'e1' },
  ...more,
});
const exposure = (more: object = {}): object => ({
  ...{ t: 'exposure', id: 'Shop', tag: '0123456789abcdef', at: at(nowMs), eid: 'e2' },
  ...{ seg: [{ n: 'price-test', v: 'high', i: 'promo' }] },
  ...more,
});

const take = (...events: unknown[]): TakenEvents => TakenEvents.of(events, reporter);

function linesOf({ lines }: TakenEvents): EventLine[] {
  const texts = lines.split('\n');
  expect(texts.pop()).toBe('');
  return texts.map((text) => parseEventLine(text) as EventLine);
}

const eventOf = (event: unknown): unknown => linesOf(take(event))[0]?.e;
const reasonOf = (event: unknown): string | undefined => take(event).rejected[0]?.reason;

describe('an event that is taken', () => {
  it('becomes one line, with its members and those of the request', () => {
    const all = take(metric(), exposure());
    expect(all.taken).toBe(2);
    expect(all.rejected).toEqual([]);
    const line = { r: nowMs, env: 'live', u: 'player-1', k: 0 };
    expect(linesOf(all)).toEqual([
      { ...line, e: { t: 'metric', n: 'purchase', x: 4.99, at: nowMs - minuteMs, eid: 'e1' } },
      {
        ...line,
        e: {
          ...{ t: 'exposure', id: 'Shop', tag: '0123456789abcdef' },
          ...{ seg: [{ n: 'price-test', v: 'high', i: 'promo' }], at: nowMs, eid: 'e2' },
        },
      },
    ]);
  });

  it('keeps nothing else that the client has sent', () => {
    const extra = { extra: 'x'.repeat(1_000), __proto__: null, seg: [{ n: 'a', v: null, z: 1 }] };
    expect(eventOf({ ...exposure(), ...extra })).not.toHaveProperty('extra');
    expect(eventOf({ ...exposure(), ...extra })).toMatchObject({ seg: [{ n: 'a', v: null }] });
    expect(take({ ...exposure(), ...extra }).lines).not.toContain('"z"');
  });

  it('stays one line whatever its texts are', () => {
    for (const text of ['a\nb', '"', '\\', '\u2028', '\ud800', '😀', '</script>', '__proto__']) {
      const all = take(metric({ n: text, eid: text }), exposure({ seg: [{ n: text, v: text }] }));
      expect(all.taken).toBe(2);
      expect(all.lines.match(/\n/g)).toHaveLength(2);
      expect(linesOf(all)[0]?.e).toMatchObject({ n: text, eid: text });
    }
  });

  it('may come without a tag, and from a rule without variants', () => {
    const { tag: _, ...rest } = exposure() as Record<string, unknown>;
    expect(eventOf({ ...rest, seg: [{ n: 'whales', v: null }] })).not.toHaveProperty('tag');
  });

  it('writes numbers as JSON has them', () => {
    for (const x of [0, -0, 1e-7, 1e12, -1e12, 0.1, 123456789.125]) {
      expect((eventOf(metric({ x })) as { x: number }).x + 0).toBe(x + 0);
    }
  });
});

describe('when an event happened', () => {
  it('is what the client says, up to 7 days ago', () => {
    expect(eventOf(metric({ at: at(nowMs - 7 * dayMs) }))).toMatchObject({ at: nowMs - 7 * dayMs });
    expect(reasonOf(metric({ at: at(nowMs - 7 * dayMs - 1) }))).toBe('too_old');
    expect(reasonOf(metric({ at: '1970-01-01T00:00:00Z' }))).toBe('too_old');
  });

  it('is now, if the device is up to an hour ahead; beyond that its clock is wrong', () => {
    expect(eventOf(metric({ at: at(nowMs + 60 * minuteMs) }))).toMatchObject({ at: nowMs });
    expect(reasonOf(metric({ at: at(nowMs + 60 * minuteMs + 1) }))).toBe('in_future');
    expect(reasonOf(metric({ at: '9999-12-31T23:59:59Z' }))).toBe('in_future');
  });

  it('may have any zone, and must have one', () => {
    expect(eventOf(metric({ at: '2026-11-24T13:59:00+02:00' }))).toMatchObject({
      at: nowMs - minuteMs,
    });
    for (const bad of ['2026-11-24T12:00:00', 'now', '', nowMs, null, [], '2026-13-01T00:00:00Z']) {
      expect(reasonOf(metric({ at: bad }))).toBe('at_invalid');
    }
  });
});

describe('an event that is refused', () => {
  it.each([
    ['malformed', 'a text'],
    ['malformed', null],
    ['malformed', []],
    ['malformed', {}],
    ['malformed', metric({ t: 'click' })],
    ['malformed', metric({ t: ['metric'] })],
    ['eid_invalid', metric({ eid: undefined })],
    ['eid_invalid', metric({ eid: '' })],
    ['eid_invalid', metric({ eid: 7 })],
    ['eid_invalid', metric({ eid: 'e'.repeat(65) })],
    ['eid_invalid', metric({ eid: 'a\0b' })],
    ['name_invalid', metric({ n: '' })],
    ['name_invalid', metric({ n: 'n'.repeat(101) })],
    ['name_invalid', metric({ n: { toString: 'x' } })],
    ['name_invalid', metric({ n: 'a\0' })],
    ['value_invalid', metric({ x: '4.99' })],
    ['value_invalid', metric({ x: null })],
    ['value_invalid', metric({ x: undefined })],
    ['value_invalid', metric({ x: JSON.parse('1e400') })],
    ['value_invalid', { ...metric(), x: Number.NaN }],
    ['value_invalid', metric({ x: 1.000_001e12 })],
    ['exposure_invalid', exposure({ id: 'a b' })],
    ['exposure_invalid', exposure({ id: '..' })],
    ['exposure_invalid', exposure({ id: 'a'.repeat(129) })],
    ['exposure_invalid', exposure({ tag: 5 })],
    ['exposure_invalid', exposure({ tag: 'x'.repeat(65) })],
    ['exposure_invalid', exposure({ seg: [] })],
    ['exposure_invalid', exposure({ seg: {} })],
    ['exposure_invalid', exposure({ seg: ['price-test'] })],
    ['exposure_invalid', exposure({ seg: [{ v: 'high' }] })],
    ['exposure_invalid', exposure({ seg: [{ n: 'a', v: 1 }] })],
    ['exposure_invalid', exposure({ seg: [{ n: 'a', v: 'b', i: {} }] })],
    ['exposure_invalid', exposure({ seg: [{ n: 'a\0', v: 'b' }] })],
  ])('%s: %j', (reason, event) => {
    const all = take(metric(), event, metric());
    expect(all.rejected).toMatchObject([{ reason }]);
    expect(all.taken).toBe(2);
    expect(linesOf(all)).toHaveLength(2);
  });

  it('is named by its eid where that is one', () => {
    const all = take(metric({ eid: 'mine', x: 'none' }), metric({ eid: 7 }), 5);
    expect(all.rejected).toEqual([
      { eid: 'mine', reason: 'value_invalid' },
      { eid: null, reason: 'eid_invalid' },
      { eid: null, reason: 'malformed' },
    ]);
  });

  it('is counted, and the first hundred are listed', () => {
    const all = TakenEvents.none(new Array(5_000).fill(0), refusals.notTaken);
    expect(all.rejected).toHaveLength(rejectionsShownMax);
    expect(all.refusedCounts).toEqual(new Map([[refusals.notTaken, 5_000]]));
    expect(all.taken).toBe(0);
  });
});

describe('names of metric events', () => {
  it('are bounded for each environment in a day', () => {
    const names = new EventNames();
    const live = { id: 'live', settings: { metricEvents: ['purchase'] } };
    let admitted = 0;
    for (let n = 0; n < 1_000_000; n += 1) {
      if (names.admits(live, `name-${n}`, nowMs)) admitted += 1;
    }
    expect(admitted).toBe(eventNamesMax);
    expect(names.admits(live, 'name-0', nowMs)).toBe(true);
    expect(names.admits(live, 'another', nowMs)).toBe(false);
    // Made-up names keep out no event that a metric counts.
    expect(names.admits(live, 'purchase', nowMs)).toBe(true);
    expect(names.admits({ ...live, id: 'test' }, 'another', nowMs)).toBe(true);
    expect(names.admits(live, 'another', nowMs + dayMs)).toBe(true);
  });
});
