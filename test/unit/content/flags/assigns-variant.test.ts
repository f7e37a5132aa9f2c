/** Whether a caller without a user id would be put into a group: held against what `select` does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentPlan } from '../../../../src/content/content-plan.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import { NOT_APPLIED } from '../../../../src/content/selection.js';
import { NO_VERSION } from '../../../../src/content/version.js';

const noon = Date.parse('2026-11-15T12:00:00Z');
const hour = 3_600_000;
const line = { version: NO_VERSION, versionText: '0.0.0', digest: 'd', hash: 'h' };

const at = (hours: number): string => new Date(noon + hours * hour).toISOString();

/** Whole groups, so that each draw chooses: then `select` itself shows that there was one. */
const rule = fc
  .record({
    when: fc.constantFrom({}, { a: 1 }, { a: { $gt: 1 } }, { '@u': '' }, { '@mod': 0 }, { b: 'x' }),
    isDrawn: fc.boolean(),
    salt: fc.constantFrom(null, 's'),
    hours: fc.constantFrom(null, [-2, -1], [-1, 1], [0, 1], [-1, 0], [1, 2]),
  })
  .map(({ when, isDrawn, salt, hours }, index = 0) => ({
    ...{ segment: `rule-${index}`, when, salt },
    ...(hours === null ? {} : { from: at(hours[0] as number), until: at(hours[1] as number) }),
    ...(isDrawn ? { variants: [{ name: 'v', groups: [0, 999] }] } : { merge: { x: 1 } }),
  }));
const attributes = fc.record({ a: fc.constantFrom(0, 1, 2), b: fc.constantFrom('x', 'y') });

describe('assignsVariant', () => {
  it('is true exactly when a rule with variants applies, where its groups are whole', () => {
    let drawn = 0;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), attributes, (mapping, p) => {
        const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
        const plan = new ContentPlan('c', [line], parsed.rules, () => undefined);
        const caller = makeEvaluationContext('', p, null);
        const selection = plan.select(caller, noon);
        const expected = parsed.rules.some(
          ({ variants }, place) => variants !== null && selection?.choices[place] !== NOT_APPLIED,
        );
        expect(plan.assignsVariant(caller, noon)).toBe(expected);
        drawn += Number(expected);
      }),
    );
    expect(drawn).toBeGreaterThan(0);
  });

  it('is true for a rule whose groups leave the caller out as well', () => {
    const mapping = [{ segment: 's', when: {}, variants: [{ name: 'v', groups: [500, 999] }] }];
    const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
    if (!parsed.ok) throw new Error('it parses');
    const plan = new ContentPlan('c', [line], parsed.rules, () => undefined);
    expect(plan.assignsVariant(makeEvaluationContext('', {}, null), noon)).toBe(true);
  });

  it('charges its work to the caller', () => {
    const mapping = Array.from({ length: 50 }, (_, i) => ({
      segment: `s${i}`,
      when: { a: 1 },
      variants: [{ name: 'v', groups: [0, 999] }],
    }));
    const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
    if (!parsed.ok) throw new Error('it parses');
    const plan = new ContentPlan('c', [line], parsed.rules, () => undefined);
    const caller = makeEvaluationContext('', { a: 2 }, null, 100);
    expect(plan.assignsVariant(caller, noon)).toBe(false);
    expect(caller.isOverworked).toBe(true);
  });
});
