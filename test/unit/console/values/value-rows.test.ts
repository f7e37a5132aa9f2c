/** Which values of a content item changed against live, how they read, and the guard that allows them. */
import { describe, expect, it } from 'vitest';
import { guardOfPath } from '../../../../src/console/content/values/guard-of-path.js';
import { valueRows } from '../../../../src/console/content/values/value-rows.js';
import { formatSources, formatValues } from '../../../../src/console/content/values/value-words.js';
import type { Envelope, EnvelopePath } from '../../../../src/contract/operations/envelope.js';

const ofLine = (value: number) => ({ value, rule: null, segment: null, variant: null });
const ofRule = (value: number) => ({ value, rule: 0, segment: 'whales', variant: 'b' });

function aPath(path: string, more: Partial<EnvelopePath> = {}): EnvelopePath {
  return { path, types: ['string'], always: true, min: null, max: null, values: null, ...more };
}

function aNumber(path: string, min: number, max: number): EnvelopePath {
  const bounds = { min: ofLine(min), max: min === max ? ofLine(max) : ofRule(max) };
  return aPath(path, { types: ['number'], ...bounds });
}

function lines(...all: (readonly [string, ...EnvelopePath[]])[]): Pick<Envelope, 'lines'> {
  return {
    lines: all.map(([appVersion, ...paths]) => ({
      ...{ appVersion, paths, truncated: false, unbounded: false },
    })),
  };
}

describe('the rows of an envelope', () => {
  const live = lines(['0.0.0', aPath('/a'), aNumber('/b', 1, 2), aPath('/old')]);

  it('have what was found first, then what changed, then the rest in the order of the document', () => {
    const now = lines(['0.0.0', aPath('/a'), aNumber('/b', 1, 3), aPath('/c'), aPath('/new')]);
    const found = {
      ...{ appVersion: '0.0.0', path: '/c', severity: 'warn' as const, message: 'Look.' },
    };
    expect(
      valueRows(now, live, [found]).map(({ path, change, findings }) => [
        ...[path, change, findings.length],
      ]),
    ).toEqual([
      ['/c', 'added', 1],
      ['/b', 'changed', 0],
      ['/new', 'added', 0],
      ['/old', 'removed', 0],
      ['/a', 'same', 0],
    ]);
  });

  it('compare a new version line with the next lower one that is live', () => {
    const now = lines(['0.0.0', aNumber('/b', 1, 2)], ['2.0.0', aNumber('/b', 5, 5)]);
    const old = lines(['0.0.0', aNumber('/b', 1, 2)], ['1.0.0', aNumber('/b', 5, 5)]);
    expect(valueRows(now, old, []).map(({ change }) => change)).toEqual(['same', 'same']);
  });

  it('have no changes where nothing is live, or where only the source of a value is another', () => {
    expect(valueRows(live, null, []).every(({ change }) => change === 'same')).toBe(true);
    const moved = lines([
      '0.0.0',
      aPath('/b', { types: ['number'], min: ofRule(1), max: ofLine(1) }),
    ]);
    const before = lines(['0.0.0', aNumber('/b', 1, 1)]);
    expect(valueRows(moved, before, [])[0]?.change).toBe('same');
  });
});

describe('the values of a path', () => {
  it.each([
    [aNumber('/n', 4_990, 4_990), '4,990'],
    [aNumber('/n', 0.1, 50_000_000), '0.1 … 50,000,000'],
    [aNumber('/n', 1, 1e300), '1 … 1e+300'],
    [{ ...aNumber('/n', 1, 2), types: ['number', 'null'] as const }, '1 … 2 or null'],
    [aPath('/t', { values: ['true', 'false'] }), 'true, false'],
    [aPath('/t', { values: ['1', '2', '3', '4', '5'] }), '1, 2, 3 and 2 more'],
    [aPath('/o', { types: ['object', 'array'] }), 'object or array'],
  ])('%# read as %s', (path, words) => {
    expect(formatValues(path)).toBe(words);
  });

  it('say where each bound is written', () => {
    expect(formatSources(aNumber('/n', 1, 1), '2.1.0')).toBe('version 2.1.0');
    expect(formatSources(aNumber('/n', 1, 50), '2.1.0')).toBe(
      '1: version 2.1.0 · 50: rule whales (b), version 2.1.0',
    );
    expect(formatSources(aPath('/t'), '2.1.0')).toBe('');
  });
});

describe('the guard of a path', () => {
  it('allows exactly what is there', () => {
    expect(guardOfPath(aNumber('/n', 1, 50))).toEqual({
      ...{ path: '/n', min: 1, max: 50, type: ['number'], severity: 'block' },
    });
    expect(guardOfPath(aPath('/t', { values: ['"a"', 'null'] }))).toEqual({
      ...{ path: '/t', enum: ['a', null], severity: 'block' },
    });
    expect(guardOfPath(aPath('/o', { types: ['object'] }))).toEqual({
      ...{ path: '/o', type: ['object'], severity: 'block' },
    });
  });
});
