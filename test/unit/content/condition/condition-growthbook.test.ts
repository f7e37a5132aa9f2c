/**
 * Goal: conditions mean what they mean to GrowthBook's SDKs.
 * Method: random conditions on random attributes (arbitrary-condition.ts);
 * ours and the SDK's own evaluator must agree. Left out is what the two differ in on purpose: names that an object
 * inherits, numbers in versions of more than five digits, syntax that RE2 lacks, and operators unknown to the SDK
 * (`$notRegex` is put to it as `$not` of `$regex`).
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import {
  attributes,
  condition,
  json,
  listOperator,
  one,
  orderOperator,
  pattern,
  scalar,
  text,
  version,
  versionOperator,
} from './arbitrary-condition.js';
import { conditionOf, evaluateByGrowthBook } from './condition-oracle.js';

describe('conditions and the evaluator of the GrowthBook SDK', () => {
  it('agree on random conditions and attributes', () => {
    let held = 0;
    let count = 0;
    fc.assert(
      fc.property(condition, attributes, (when, p) => {
        const ours = conditionOf(when)(makeEvaluationContext('', p, null));
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
        expect(conditionOf(when)(makeEvaluationContext('', { a }, null))).toBe(
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
        const caller = makeEvaluationContext('', { a }, null);
        expect(conditionOf({ a: { [operator]: source } })(caller)).toBe(expected);
        if (source === '(' || source === 'a**') return; // Malformed: refused under a negation.
        const negation = ignoreCase ? '$notRegexi' : '$notRegex';
        expect(conditionOf({ a: { [negation]: source } })(caller)).toBe(!expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
