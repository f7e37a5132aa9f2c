import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import {
  valueAttributesMax,
  valueCharsMax,
  valueReportEveryMs,
  valuesPerAttributeMax,
  valueUsersMin,
} from '../../../../src/delivery/limits.js';
import { ValueSketch } from '../../../../src/delivery/traffic/value-sketch.js';
import type { SeenValues } from '../../../../src/published/traffic.js';

type Attributes = Record<string, unknown>;

/** Each request is of another user. */
function carry(sketch: ValueSketch, requests: readonly Attributes[], prefix = 'player-'): void {
  for (const [at, p] of requests.entries()) {
    sketch.add(makeEvaluationContext(`${prefix}${at}`, p, null));
  }
}

function times(count: number, p: (at: number) => Attributes): Attributes[] {
  return Array.from({ length: count }, (_, at) => p(at));
}

const valuesOf = (seen: readonly SeenValues[]): Record<string, string[]> =>
  Object.fromEntries(seen.map(({ name, values }) => [name, values.map(([json]) => json)]));

describe('the frequent values of attributes', () => {
  it('are counted, the most frequent first', () => {
    const sketch = new ValueSketch(() => 0);
    const countries = ['DE', 'DE', 'FR', 'US', 'US', 'US'];
    carry(
      sketch,
      times(120, (at) => ({ country: countries[at % 6], vip: at % 2 === 0, level: at % 3 })),
    );
    expect(sketch.take()).toEqual([
      {
        name: 'country',
        looked: 120,
        values: [
          ['"US"', 60],
          ['"DE"', 40],
          ['"FR"', 20],
        ],
      },
      {
        name: 'vip',
        looked: 120,
        values: [
          ['true', 60],
          ['false', 60],
        ],
      },
      {
        name: 'level',
        looked: 120,
        values: [
          ['0', 40],
          ['1', 40],
          ['2', 40],
        ],
      },
    ]);
  });

  it('are reported again after an hour, as far as they were not, and a new one at once', () => {
    let now = 0;
    const sketch = new ValueSketch(() => now);
    carry(
      sketch,
      times(50, () => ({ country: 'DE' })),
    );
    expect(sketch.take()).toEqual([{ name: 'country', looked: 50, values: [['"DE"', 50]] }]);
    carry(
      sketch,
      times(30, () => ({ country: 'DE' })),
    );
    expect(sketch.take()).toEqual([]);
    now = valueReportEveryMs;
    expect(sketch.take()).toEqual([{ name: 'country', looked: 30, values: [['"DE"', 30]] }]);
    carry(
      sketch,
      times(40, () => ({ country: 'FR' })),
    );
    expect(valuesOf(sketch.take())).toEqual({ country: ['"FR"'] });
  });

  it('are none that one user has, however often it is sent', () => {
    const sketch = new ValueSketch(() => 0);
    for (let count = 0; count < 1_000; count += 1) {
      sketch.add(makeEvaluationContext('player-1', { clan: 'The Lonely' }, null));
      sketch.add(makeEvaluationContext('', { clan: 'No one' }, null));
    }
    expect(sketch.take()).toEqual([]);
  });

  it('are none of an attribute whose values mostly differ', () => {
    const sketch = new ValueSketch(() => 0);
    const words = (at: number): string =>
      `w${'abcdefghij'[at % 10]}${String.fromCharCode(97 + (Math.floor(at / 10) % 26))}${String.fromCharCode(97 + (Math.floor(at / 260) % 26))}`;
    carry(
      sketch,
      times(6_000, (at) => ({ greeting: at % 4 === 0 ? 'hello' : words(at) })),
    );
    expect(sketch.take()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['userId', 'alpha'],
    ['device_id', 'alpha'],
    ['e-mail', 'alpha'],
    ['lastName', 'alpha'],
    ['pushToken', 'alpha'],
    ['contact', 'ada@example.com'],
    ['site', 'https://example.com'],
    ['phoneLike', '+49 170 1234567'],
    ['key', 'b1946ac92492d2347c6235b4d2611184'],
    ['ref', '6f1ed002-ab54-4ee5-8a3c-111111111111'],
    ['from', '10.1.2.3'],
    ['from6', 'fe80::1ff:fe23:4567:890a'],
    ['jwt', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9'],
    ['steam', 76_561_198_000_000_000],
    ['at', 1_732_500_000],
    ['at', 52.520_008_1],
    ['text', 'x'.repeat(valueCharsMax + 1)],
    ['text', ''],
    ['text', 'a\u202Eb'],
    ['list', ['a']],
    ['object', { a: 1 }],
    ['nothing', null],
  ])('are none that could say who a player is, or that no list could show: %s', (name, value) => {
    const sketch = new ValueSketch(() => 0);
    carry(
      sketch,
      times(100, () => ({ [name]: value })),
    );
    expect(sketch.take()).toEqual([]);
  });

  it('are known of models of devices, languages, versions and stores', () => {
    const sketch = new ValueSketch(() => 0);
    const p = { model: 'Samsung-SM-G991B', lang: 'pt-BR', os: '17.4.1', store: 'play', cohort: 7 };
    carry(
      sketch,
      times(100, () => p),
    );
    expect(Object.keys(valuesOf(sketch.take()))).toEqual(Object.keys(p));
  });

  it('begin again each day', () => {
    let now = 0;
    const sketch = new ValueSketch(() => now);
    carry(
      sketch,
      times(valueUsersMin - 5, () => ({ country: 'DE' })),
    );
    now = 24 * 3_600_000;
    carry(
      sketch,
      times(valueUsersMin - 5, () => ({ country: 'DE' })),
      'other-',
    );
    expect(sketch.take()).toEqual([]);
  });

  it('are bounded, never too many, and none that fewer than ten users had, whatever clients send', () => {
    const attribute = fc.constantFrom('a', 'b', 'country', 'userId');
    const value = fc.oneof(
      fc.constantFrom('DE', 'FR', 'US', true, 3),
      fc.string({ maxLength: 60 }),
      fc.double(),
      fc.boolean(),
    );
    const request = fc.record({
      u: fc.integer({ min: 0, max: 30 }).map((at) => (at === 0 ? '' : `player-${at}`)),
      p: fc.dictionary(attribute, value, { maxKeys: 4 }),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 400 }), (requests) => {
        const sketch = new ValueSketch(() => 0);
        const users = new Map<string, Set<string>>();
        const counts = new Map<string, number>();
        for (const { u, p } of requests) {
          sketch.add(makeEvaluationContext(u, p, null));
          for (const [name, one] of Object.entries(p)) {
            const key = `${name} ${JSON.stringify(one)}`;
            users.set(key, (users.get(key) ?? new Set()).add(u));
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
        }
        const seen = sketch.take();
        expect(seen.length).toBeLessThanOrEqual(valueAttributesMax);
        for (const { name, looked, values } of seen) {
          expect(name).not.toBe('userId');
          expect(values.length).toBeLessThanOrEqual(valuesPerAttributeMax);
          for (const [json, count] of values) {
            const key = `${name} ${json}`;
            expect(users.get(key)?.size).toBeGreaterThanOrEqual(valueUsersMin);
            expect(count).toBeLessThanOrEqual(counts.get(key) ?? 0);
            expect(count).toBeLessThanOrEqual(looked);
            expect(json.length).toBeLessThanOrEqual(6 * valueCharsMax + 2);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
