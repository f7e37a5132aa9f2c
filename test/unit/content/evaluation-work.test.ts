import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentPlan } from '../../../src/content/content-plan.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { evaluationWorkFor, evaluationWorkMax } from '../../../src/content/evaluation-work.js';
import { parseMapping } from '../../../src/content/mapping/mapping.js';
import { attributes, condition } from './condition/arbitrary-condition.js';
import { conditionOf } from './condition/condition-oracle.js';

const noon = Date.parse('2026-11-15T12:00:00Z');

function planOf(rules: readonly object[]): ContentPlan {
  const parsed = parseMapping(Buffer.from(JSON.stringify(rules)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return new ContentPlan('c', [], parsed.rules, () => undefined);
}

const repeat = (count: number, when: object): object[] =>
  Array.from({ length: count }, (_, i) => ({ segment: `s${i}`, when }));

const longText = 'x'.repeat(60_000);
const numbers = Array.from({ length: 30_000 }, () => 1);

describe('the work of the rules', () => {
  it('ends a selection that needs too much of it, and says so', () => {
    const hostile: readonly (readonly [when: object, p: Record<string, unknown>])[] = [
      [{ a: { $regex: 'x+y' } }, { a: longText }],
      [{ a: { $regex: '^[x ]*$' } }, { a: longText }],
      [{ a: { $regex: '[xy]*x[xy]{300}[cd]' } }, { a: 'xxyxyyxyxxyxyyyx'.repeat(3_000) }],
      [{ a: { $in: [2, 3] } }, { a: numbers }],
      [{ a: { $ini: ['b'] } }, { a: numbers }],
      [{ a: { $all: ['b'] } }, { a: numbers }],
      [{ a: { $all: [2, 'b'] } }, { a: numbers }],
      [{ a: { $elemMatch: { $gt: 5 } } }, { a: numbers }],
      [{ a: { $elemMatch: { $regex: '^[b]' } } }, { a: numbers.slice(0, 2_000) }],
    ];
    for (const [when, p] of hostile) {
      const caller = makeEvaluationContext('u', p, null);
      expect([planOf(repeat(400, when)).select(caller, noon), caller.isOverworked]).toEqual([
        null,
        true,
      ]);
    }
  });

  it('counts many tests, deep paths and long ids as well', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) as Record<string, unknown>;
    const path = Array.from({ length: 400 }, () => 'a').join('.');
    const many = { $or: Array.from({ length: 900 }, (_, i) => ({ a: { $gt: i } })) };
    const salted = { segment: 's', when: {}, salt: 'x', variants: [{ name: 'v', groups: [0, 9] }] };
    expect(
      planOf(repeat(300, { [path]: 2 })).select(makeEvaluationContext('u', deep, null), noon),
    ).toBeNull();
    expect(
      planOf(repeat(300, many)).select(makeEvaluationContext('u', { a: 0 }, null), noon),
    ).toBeNull();
    const rules = Array.from({ length: 100 }, () => salted);
    expect(planOf(rules).select(makeEvaluationContext(longText, {}, null), noon)).toBeNull();
    expect(
      planOf(rules).select(makeEvaluationContext('ordinary-id', {}, null), noon),
    ).not.toBeNull();
  });

  it('is one budget for all contents of a request', () => {
    const plan = planOf(repeat(3, { a: { $in: [2, 3] } }));
    const caller = makeEvaluationContext('u', { a: numbers }, null);
    let contents = 0;
    while (plan.select(caller, noon) !== null) contents++;
    expect(contents).toBeGreaterThan(0);
    expect(contents).toBeLessThan(20);
    expect(plan.select(caller, noon)).toBeNull();
  });

  it('is enough for ten rules on the largest attributes: each is made into text once', () => {
    const list = Array.from({ length: 15_000 }, (_, i) => i % 10);
    const version = '1.'.repeat(1_000);
    const rules = [
      ...repeat(500, { list: 'x' }),
      ...repeat(500, { list: { $gt: 5 } }),
      ...repeat(500, { version: { $vgt: '1.2.3' } }),
      ...repeat(500, { shout: { $ini: ['x'] } }),
      ...repeat(500, { digits: { $lt: 5 } }),
      ...repeat(500, { many: { b: 1 } }),
    ];
    const many = Object.fromEntries(list.slice(0, 2_000).map((_, i) => [`k${i}`, 1]));
    const p = { many, list, version, shout: 'X'.repeat(5_000), digits: '9'.repeat(5_000) };
    const caller = makeEvaluationContext('u', p, null);
    for (let from = 0; from < rules.length; from += 500) {
      expect(planOf(rules.slice(from, from + 500)).select(caller, noon)).not.toBeNull();
    }
  });

  it('is of the size that the body allows', () => {
    expect(evaluationWorkFor(2)).toBe(evaluationWorkMax);
    expect(evaluationWorkFor(65_536)).toBe(evaluationWorkMax);
    expect(evaluationWorkFor(131_072)).toBe(2 * evaluationWorkMax);
    expect(evaluationWorkFor(2 ** 40)).toBeLessThan(2 ** 30);
  });

  it('changes no answer: with it or without, and asked again, a condition says the same', () => {
    fc.assert(
      fc.property(condition, attributes, (when, p) => {
        const holds = conditionOf(when);
        const limited = makeEvaluationContext('u', p, '1.2.3');
        const unlimited = makeEvaluationContext('u', p, '1.2.3', Number.MAX_SAFE_INTEGER);
        const expected = holds(unlimited);
        // The second time what was made of the attributes is remembered.
        expect([holds(limited), holds(limited), holds(unlimited)]).toEqual(
          Array.from({ length: 3 }, () => expected),
        );
        expect(limited.isOverworked).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends a condition at any point without an exception', () => {
    const work = fc.integer({ min: -1, max: 3_000 });
    fc.assert(
      fc.property(condition, attributes, work, (when, p, workMax) => {
        const holds = conditionOf(when);
        const limited = makeEvaluationContext('u', p, '1.2.3', workMax);
        const result = holds(limited);
        if (!limited.isOverworked)
          expect(result).toBe(holds(makeEvaluationContext('u', p, '1.2.3')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a regular expression is charged though the engine is not ours', () => {
    const p = { a: 'xyxxyyxyxyyxxxyy'.repeat(60) };
    const [cold, warm] = [makeEvaluationContext('u', p, null), makeEvaluationContext('u', p, null)];
    const holds = conditionOf({ a: { $regex: '[xy]*x[xy]{12}[cd]' } });
    holds(cold);
    holds(warm);
    // The engine is metered where it makes a state: re2js may change, and this test says so.
    expect(cold.workLeft).toBeLessThan(evaluationWorkMax - 40_000);
    expect(warm.workLeft).toBeGreaterThan(cold.workLeft);
    expect(warm.workLeft).toBeLessThan(evaluationWorkMax - 900 * 20);
  });
});
