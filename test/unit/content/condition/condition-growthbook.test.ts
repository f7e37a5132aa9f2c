/**
 * Goal: conditions mean what they mean to GrowthBook's SDKs.
 * Method: random conditions over a small stock of names and values, so that they often hold, on random attributes;
 * ours and the SDK's own evaluator must agree. Left out is what the two differ in on purpose: names that an object
 * inherits, numbers in versions of more than five digits, syntax that RE2 lacks, and operators unknown to the SDK
 * (`$notRegex` is put to it as `$not` of `$regex`).
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCaller } from '../../../../src/content/caller.js';
import { conditionOf, evaluateByGrowthBook } from './condition-oracle.js';

const text = fc.constantFrom(
  'a',
  'A',
  'b',
  'B',
  'ab',
  '',
  '8',
  '10',
  ' 1 ',
  'null',
  'true',
  'é',
  'É',
  '1,2',
);
const number = fc.constantFrom(0, -0, 1, 2, 8, 10, -1, 1.5, 1e21, Number.POSITIVE_INFINITY);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const version = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'v'),
      fc.array(fc.constantFrom('0', '1', '2', '10', '12', '99999', '01', 'rc', 'beta', 'x', ''), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom('.', '-'),
      fc.constantFrom('', '+build.5', '+', '-rc.1', '-alpha'),
    )
    .map(([prefix, parts, separator, end]) => prefix + parts.join(separator) + end),
  fc.constantFrom('1.2.3', '1.2.10', '1.10.0', '1.2.3-rc.1', '1.2', '1'),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    version,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'x.y', '1', '$a'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;
const attributes = fc.dictionary(fc.constantFrom('a', 'b', 'c', '$groups'), json, { maxKeys: 4 });
const path = fc.constantFrom(
  'a',
  'b',
  'c',
  'a.a',
  'a.b',
  'b.a.1',
  'a.0',
  'b.0.a',
  'c.length',
  'a.',
  '',
  '$groups',
);
const pattern = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^$',
  'A|b',
  '[0-9]+',
  '(a)(b)?',
  'l{2}',
  '\\.',
  'object',
  ',',
  '/',
  '(',
  'a**',
);
const orderOperator = fc.constantFrom('$eq', '$ne', '$lt', '$lte', '$gt', '$gte');
const listOperator = fc.constantFrom('$in', '$nin', '$ini', '$nini');
const versionOperator = fc.constantFrom('$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte');
const typeName = fc.constantFrom(
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'null',
  'int',
  1,
);

type Members = Record<string, unknown>;
const one = (name: fc.Arbitrary<string>, operand: fc.Arbitrary<unknown>): fc.Arbitrary<Members> =>
  fc.tuple(name, operand).map(([key, value]) => ({ [key]: value }));

const { condition } = fc.letrec<{ condition: Members; value: unknown; operators: Members }>(
  (tie) => ({
    operators: fc
      .array(
        fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          one(orderOperator, json),
          one(listOperator, fc.oneof(fc.array(json, { maxLength: 4 }), scalar)),
          one(versionOperator, fc.oneof(version, scalar)),
          one(fc.constantFrom('$regex', '$regexi'), pattern),
          one(fc.constant('$exists'), scalar),
          one(fc.constant('$type'), typeName),
          one(fc.constantFrom('$not', '$size'), tie('value')),
          one(
            fc.constantFrom('$all', '$alli'),
            fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.array(text, { maxLength: 3 })),
          ),
          one(
            fc.constant('$elemMatch'),
            fc.oneof(tie('operators'), tie('condition').filter(isLiteral)),
          ),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((parts) => Object.assign({}, ...parts)),
    value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, json.filter(isLiteral), tie('operators')),
    condition: fc
      .array(
        fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          one(
            path.filter((name) => name !== '$groups'),
            tie('value'),
          ),
          one(path, tie('operators')),
          one(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('condition'), { maxLength: 3 })),
          one(fc.constant('$not'), tie('condition')),
        ),
        { maxLength: 3 },
      )
      .map((parts) => Object.assign({}, ...parts)),
  }),
);

/** Not `{"$a": ...}`, which would be an unknown operator. */
function isLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const names = Object.keys(value);
  return names.length === 0 || names.some((name) => !name.startsWith('$'));
}

describe('conditions and the evaluator of the GrowthBook SDK', () => {
  it('agree on random conditions and attributes', () => {
    let held = 0;
    let count = 0;
    fc.assert(
      fc.property(condition, attributes, (when, p) => {
        const ours = conditionOf(when)(makeCaller('', p, null));
        expect(ours).toBe(evaluateByGrowthBook(p, when));
        count++;
        if (ours) held++;
      }),
      { numRuns: 8_000 },
    );
    // The property says something only if both answers are common.
    expect(held / count).toBeGreaterThan(0.15);
    expect(held / count).toBeLessThan(0.85);
  });

  it('agree on every operator by itself, on values close to its operand', () => {
    const operators = fc.oneof(
      one(orderOperator, scalar),
      one(listOperator, fc.array(scalar, { maxLength: 4 })),
      one(versionOperator, version),
      one(fc.constantFrom('$all', '$alli'), fc.array(text, { maxLength: 3 })),
      one(fc.constant('$elemMatch'), one(orderOperator, scalar)),
      one(fc.constant('$size'), fc.integer({ min: 0, max: 3 })),
    );
    const value = fc.oneof(scalar, version, fc.array(scalar, { maxLength: 4 }));
    fc.assert(
      fc.property(operators, value, (test, a) => {
        const when = { a: test };
        expect(conditionOf(when)(makeCaller('', { a }, null))).toBe(
          evaluateByGrowthBook({ a }, when),
        );
      }),
      { numRuns: 8_000 },
    );
  });

  it('agree on a regular expression and its negation', () => {
    fc.assert(
      fc.property(pattern, fc.boolean(), json, (source, ignoreCase, a) => {
        const operator = ignoreCase ? '$regexi' : '$regex';
        const expected = evaluateByGrowthBook({ a }, { a: { [operator]: source } });
        const caller = makeCaller('', { a }, null);
        expect(conditionOf({ a: { [operator]: source } })(caller)).toBe(expected);
        if (source === '(' || source === 'a**') return; // Malformed: refused under a negation.
        const negation = ignoreCase ? '$notRegexi' : '$notRegex';
        expect(conditionOf({ a: { [negation]: source } })(caller)).toBe(!expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
