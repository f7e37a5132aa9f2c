import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionKey } from '../../../src/content/condition/version-key.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import {
  compareVersions,
  NO_VERSION,
  parseVersion,
  type Version,
} from '../../../src/content/version.js';
import { conditionOf } from './condition/condition-oracle.js';

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === null) throw new Error(text);
  return parsed;
}

describe('an app version', () => {
  it('is three runs of one to nine digits', () => {
    for (const text of ['0.0.0', '1.2.3', '007.0.00', '999999999.999999999.999999999']) {
      expect(parseVersion(text)).not.toBeNull();
    }
    const refused = [
      '',
      '1',
      '1.2',
      '1.2.3.4',
      '1..3',
      '.1.2',
      '1.2.',
      '1.2.3-rc',
      'v1.2.3',
      ' 1.2.3',
      '1.2.3\n',
      '1.2.x',
      '1234567890.0.0',
      '0.1234567890.0',
      '0.0.0000000001',
      '+1.2.3',
      '-1.2.3',
      '1.2.3+b',
      '١.٢.٣',
      '1,2,3',
      '1.2. 3',
    ];
    for (const text of refused) expect([text, parseVersion(text)]).toEqual([text, null]);
  });

  it('compares by its parts as numbers', () => {
    const part = fc.oneof(
      fc.nat({ max: 12 }),
      fc.integer({ min: 998, max: 1_001 }),
      fc.nat({ max: 999_999_999 }),
      fc.constantFrom(0, 999, 1_000, 99_999, 100_000, 999_999_999),
    );
    const triple = fc.tuple(part, part, part);
    fc.assert(
      fc.property(triple, triple, fc.nat({ max: 3 }), (a, b, shared) => {
        const c = b.map((value, i) => (i < shared ? (a[i] ?? value) : value));
        const different = a.findIndex((value, i) => value !== c[i]);
        const expected =
          different === -1 ? 0 : Math.sign((a[different] ?? 0) - (c[different] ?? 0));
        expect(compareVersions(version(a.join('.')), version(c.join('.')))).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not count leading zeros', () => {
    expect(compareVersions(version('01.002.0003'), version('1.2.3'))).toBe(0);
  });

  it('that is absent lies above every other', () => {
    expect(compareVersions(NO_VERSION, version('999999999.999999999.999999999'))).toBe(1);
    expect(compareVersions(version('999999999.999999999.999999999'), NO_VERSION)).toBe(-1);
    expect(compareVersions(NO_VERSION, NO_VERSION)).toBe(0);
  });
});

describe('version operators', () => {
  const orders = { $veq: [0], $vne: [-1, 1], $vlt: [-1], $vlte: [-1, 0], $vgt: [1], $vgte: [0, 1] };

  /** Every operator must see `a` and `b` in this order, on an attribute. */
  function expectOrder(a: string, b: string, order: number): void {
    for (const [operator, holding] of Object.entries(orders)) {
      const condition = conditionOf({ game: { [operator]: b } });
      expect([a, operator, b, condition(makeEvaluationContext('', { game: a }, null))]).toEqual([
        a,
        operator,
        b,
        holding.includes(order),
      ]);
    }
  }

  /** The same on the caller's app version. */
  function expectAppOrder(v: string, b: string, order: number): void {
    for (const [operator, holding] of Object.entries(orders)) {
      const condition = conditionOf({ '@v': { [operator]: b } });
      expect([v, operator, b, condition(makeEvaluationContext('', {}, v))]).toEqual([
        v,
        operator,
        b,
        holding.includes(order),
      ]);
    }
  }

  it('order numbers as numbers, pre-releases before their release and fewer parts before more', () => {
    const ascending = [
      '0.9.99',
      '1',
      '1.0',
      '1.0.0-0.0',
      '1.0.0-99',
      '1.0.0-100',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '9.0.0',
      '10.0.0',
      '9999.0.0',
      '10000.0.0',
    ];
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expectOrder(a, b, Math.sign(i - j));
    }
  });

  it('leave a leading v and the build aside', () => {
    expectOrder('v1.2.3', '1.2.3', 0);
    expectOrder('1.2.3+build.7', '1.2.3', 0);
    expectOrder('1.2.3-rc.1+a', 'v1.2.3-rc.1+b', 0);
    expectOrder('1-2-3', '1.2.3', 0);
    expectAppOrder('1.2.3', 'v1.2.3+build.7', 0);
  });

  it('compare parts of more than five digits as numbers, where the SDKs compare them as text', () => {
    const ascending = [
      '1.99999.0',
      '1.100000.0',
      '1.999999.0',
      '1.20250101.0',
      '1.999999999.0',
      '1.1000000000.0',
    ];
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expectOrder(a, b, Math.sign(i - j));
    }
    expectOrder('1.000002.0', '1.2.0', 0);
    expectOrder('100000.0.0', 'a.b.c', -1);
    expectAppOrder('1.100000.0', '1.99999.0', 1);
    expectAppOrder('999999999.0.0', '100000000.0.0', 1);
  });

  it('compare the parts of @v as numbers, leading zeros or not', () => {
    expectAppOrder('1.04.0', '1.4.0', 0);
    expectAppOrder('1.4.0', '01.04.000', 0);
    expectAppOrder('1.4.0', '1.4.0-rc.1', 1);
    expectAppOrder('01.4.0', '1.4.0-rc.1', 1);
    expectAppOrder('1.4.0', '1.4', 1);
    expectAppOrder('1.3.9', '1.4', -1);
    expectAppOrder('2.0.0', '10', -1);
  });

  it('take what is no version for 0, and a number for its text', () => {
    expect(conditionOf({ game: { $veq: '0' } })(makeEvaluationContext('', {}, null))).toBe(true);
    expect(
      conditionOf({ game: { $vlt: '1.0.0' } })(makeEvaluationContext('', { game: [] }, null)),
    ).toBe(true);
    expect(
      conditionOf({ game: { $veq: 1.5 } })(makeEvaluationContext('', { game: '1.5' }, null)),
    ).toBe(true);
  });

  it('take time in proportion to the text, which may be as long as a body', () => {
    const size = 64 * 1024;
    for (const text of [
      '9'.repeat(size),
      '.'.repeat(size),
      '+'.repeat(size),
      `${'+'.repeat(size)}\n`,
      '1-'.repeat(size / 2),
    ]) {
      const before = process.cpuUsage();
      expect(versionKey(text).length).toBeLessThan(8 * size);
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
    }
  });
});
