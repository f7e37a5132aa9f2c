import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonEqual } from '../../../../src/content/mutation/json-equal.js';
import { canonicalNumber } from '../../../../src/content/mutation/json-number.js';
import { Untouched } from '../../../../src/content/mutation/json-value.js';
import { anyTree, numberLexeme } from '../json/arbitrary-json.js';
import { printRaw, type RawTree } from '../json/raw-tree.js';
import { documentOf } from './splicing.js';

const equal = (one: string, other: string): boolean =>
  jsonEqual(new Untouched(documentOf(one), 0), new Untouched(documentOf(other), 0));

const sameNumber = (one: string, other: string): boolean =>
  canonicalNumber(one) === canonicalNumber(other);

describe('jsonEqual', () => {
  it('compares strings by what they mean', () => {
    expect(equal('"a\\u0062\\/"', '"ab/"')).toBe(true);
    expect(equal('"\\ud83d\\ude00"', '"😀"')).toBe(true);
    expect(equal('"\\ud800"', '"\ufffd"')).toBe(false);
    expect(equal('"a"', '"A"')).toBe(false);
    expect(equal('"1"', '1')).toBe(false);
  });

  it('compares members without their order, elements with it', () => {
    expect(equal('{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}')).toBe(true);
    expect(equal('[1,2]', '[2,1]')).toBe(false);
    expect(equal('[1,2]', '[1]')).toBe(false);
    expect(equal('[1]', '[1,2]')).toBe(false);
    expect(equal('{"a":1}', '{"a":1,"b":2}')).toBe(false);
    expect(equal('{"a":1,"b":2}', '{"a":1,"c":2}')).toBe(false);
    expect(equal('[]', '{}')).toBe(false);
    expect(equal('null', 'false')).toBe(false);
  });

  it('compares keys by what they mean, and takes the last of a repeated one', () => {
    expect(equal('{"\\u0061":1}', '{"a":1}')).toBe(true);
    expect(equal('{"a":1,"a":2}', '{"a":2}')).toBe(true);
    expect(equal('{"a":1,"a":2}', '{"a":1}')).toBe(false);
    expect(equal('{"__proto__":1}', '{}')).toBe(false);
    expect(equal('{"__proto__":{"a":1.0}}', '{"__proto__":{"a":1}}')).toBe(true);
  });

  it('survives deep values', () => {
    const deep = (leaf: string): string => '['.repeat(1_000) + leaf + ']'.repeat(1_000);
    expect(equal(deep('1.0'), deep('1'))).toBe(true);
    expect(equal(deep('1.0'), deep('2'))).toBe(false);
  });

  it('finds a value equal to itself with its members reversed and its strings escaped', () => {
    const respell = (tree: RawTree): RawTree => {
      if (tree.kind === 'array') return { kind: 'array', items: tree.items.map(respell) };
      if (tree.kind === 'scalar') {
        return tree.raw.startsWith('"') ? { kind: 'scalar', raw: escaped(tree.raw) } : tree;
      }
      const last = new Map(tree.members.map((m) => [JSON.parse(m.key) as string, m.value]));
      const members = [...last].reverse();
      return {
        kind: 'object',
        members: members.map(([key, value]) => ({
          key: escaped(JSON.stringify(key)),
          value: respell(value),
        })),
      };
    };
    const escaped = (lexeme: string): string => {
      const text = JSON.parse(lexeme) as string;
      const units = text
        .split('')
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
      return `"${units.join('')}"`;
    };
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(equal(printRaw(tree), printRaw(respell(tree)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('numbers are the same', () => {
  it('when their exact decimals are', () => {
    expect(sameNumber('1e2', '100.0')).toBe(true);
    expect(sameNumber('1e400', '10e399')).toBe(true);
    expect(sameNumber('0.001', '1E-3')).toBe(true);
    expect(sameNumber('-1.50', '-15e-1')).toBe(true);
    expect(sameNumber('0', '-0.000e+99')).toBe(true);
    expect(sameNumber('9007199254740993', '9007199254740992')).toBe(false);
    expect(sameNumber('0.1', '0.10000000000000001')).toBe(false);
    expect(sameNumber('1', '-1')).toBe(false);
    expect(sameNumber('1e400', '1e401')).toBe(false);
  });

  it('with exponents that no machine could expand', () => {
    const nines = '9'.repeat(5_000);
    const power = `1${'0'.repeat(5_000)}`;
    expect(sameNumber(`10e${nines}`, `1e${power}`)).toBe(true);
    expect(sameNumber(`10e-${power}`, `1e-${nines}`)).toBe(true);
    expect(sameNumber(`0.1e-${nines}`, `1e-${power}`)).toBe(true);
    expect(sameNumber(`0.1e${power}`, `1e+000${nines}`)).toBe(true);
    expect(sameNumber(`1e${power}`, `1e${nines}`)).toBe(false);
    expect(sameNumber(`1e${power}`, `1e-${power}`)).toBe(false);
    expect(sameNumber('10e999999999999999', '1e1000000000000000')).toBe(true);
    expect(sameNumber('1e-1000000000000000', '0.1e-999999999999999')).toBe(true);
  });

  /** Ten to the 400th of it, so that every lexeme of the test is a whole number. */
  const exact = (lexeme: string): bigint => {
    const [, sign, integer, fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(lexeme) as unknown as string[];
    const magnitude =
      BigInt(integer + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length);
    return sign === '-' ? -magnitude : magnitude;
  };
  const lexeme = numberLexeme.map((text) => text.replace(/([eE][-+]?)\d*(\d\d)$/, '$1$2'));

  it('exactly when integers of any size say so', () => {
    const moved = fc.tuple(lexeme, fc.integer({ min: -9, max: 9 })).map(([text, by]) => {
      const [mantissa, exponent = '0'] = text.split(/[eE]/);
      const respelt =
        by >= 0 && !mantissa?.includes('.') ? `${mantissa}${'0'.repeat(by)}` : mantissa;
      const shift = respelt === mantissa ? 0 : by;
      return [text, `${respelt}e${Number(exponent) - shift}`] as const;
    });
    fc.assert(
      fc.property(fc.oneof(moved, fc.tuple(lexeme, lexeme)), ([one, other]) => {
        expect(sameNumber(one, other)).toBe(exact(one) === exact(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('exactly when integers say so, where many meet', () => {
    const small = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.constantFrom('0', '1', '10', '100', '11'),
        fc.constantFrom('', '.0', '.1', '.01', '.10'),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([sign, integer, fraction, exponent]) => `${sign}${integer}${fraction}e${exponent}`);
    fc.assert(
      fc.property(small, small, (one, other) => {
        expect(sameNumber(one, other)).toBe(exact(one) === exact(other));
      }),
      { numRuns: 5_000 },
    );
  });
});
