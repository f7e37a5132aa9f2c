/*
 * Goal: layer and holdout admit the callers that the contract says, whatever the mapping; and a rule without them is selected as
 * it always was.
 * Method: random mappings, definitions and callers; the plan's choices are compared with an oracle that reads the contract naively.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../src/content/bucket.js';
import { ContentPlan } from '../../../src/content/content-plan.js';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { changeOfLayers, type Layers, noLayers } from '../../../src/content/layers.js';
import { parseMapping, type Rule } from '../../../src/content/mapping/mapping.js';
import { NOT_APPLIED } from '../../../src/content/selection.js';

interface WrittenRule {
  readonly when: { readonly country?: string };
  readonly layer?: string;
  readonly slice?: readonly [number, number];
  readonly salt?: string;
  readonly holdout?: boolean;
  readonly variants?: readonly {
    readonly name: string;
    readonly groups: readonly [number, number];
  }[];
}

const range = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 999 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

const variants = fc.integer({ min: 0, max: 998 }).map((at) => [
  { name: 'a', groups: [0, at] as const },
  { name: 'b', groups: [at + 1, 999] as const },
]);

const rule: fc.Arbitrary<WrittenRule> = fc
  .tuple(
    fc.record({ when: fc.constantFrom({}, { country: 'US' }) }),
    fc.oneof(
      fc.record({ holdout: fc.boolean() }, { requiredKeys: [] }),
      fc.record(
        {
          layer: fc.constantFrom('shop', 'menu', 'gone'),
          slice: range,
          salt: fc.constantFrom('s1', 's2'),
          holdout: fc.boolean(),
        },
        { requiredKeys: ['layer', 'slice', 'salt'] },
      ),
    ),
    fc.record({ variants }, { requiredKeys: [] }),
  )
  .map(([when, sharing, arms]) => ({ ...when, ...sharing, ...arms }));

const layersOf: fc.Arbitrary<Layers> = fc.record({
  layers: fc.constantFrom(
    [],
    [{ name: 'shop', salt: 'l1' }],
    [
      { name: 'shop', salt: 'l1' },
      { name: 'menu', salt: 'l2' },
    ],
  ),
  holdout: fc.option(fc.record({ salt: fc.constantFrom('h', 'l1'), groups: range })),
});

const caller = fc.record({
  u: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 6, arbitrary: fc.uuid() }),
  p: fc.constantFrom({}, { country: 'US' }),
});

function rulesOf(mapping: readonly WrittenRule[]): readonly Rule[] {
  const text = JSON.stringify(mapping.map((one) => ({ segment: 's', ...one })));
  const parsed = parseMapping(Buffer.from(text));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules;
}

function planOf(mapping: readonly WrittenRule[], layers: Layers): ContentPlan {
  return new ContentPlan('c', [], rulesOf(mapping), () => undefined, undefined, layers);
}

/** Design page "Experiments", section 1, word for word. */
function choiceOf(
  { when, layer, slice, salt, holdout = layer !== undefined, variants: arms }: WrittenRule,
  { layers, holdout: heldOut }: Layers,
  { u, p }: { readonly u: string; readonly p: { readonly country?: string } },
): number {
  const { mod } = makeEvaluationContext(u, p, null);
  const bucket = (of: string | null) => bucketOf(of, { u, mod });
  if (layer !== undefined) {
    const found = layers.find(({ name }) => name === layer);
    if (u === '' || found === undefined || slice === undefined) return NOT_APPLIED;
    const drawn = bucket(found.salt);
    if (drawn < slice[0] || drawn > slice[1]) return NOT_APPLIED;
  }
  if (holdout && heldOut !== null && u !== '') {
    const drawn = bucket(heldOut.salt);
    if (heldOut.groups[0] <= drawn && drawn <= heldOut.groups[1]) return NOT_APPLIED;
  }
  if (when.country !== undefined && when.country !== p.country) return NOT_APPLIED;
  if (arms === undefined) return 0;
  const drawn = bucket(salt ?? null);
  return arms.findIndex(({ groups }) => groups[0] <= drawn && drawn <= groups[1]);
}

describe('a rule with a layer or the holdout', () => {
  it('is selected as the contract reads, for any mapping, definitions and caller', () => {
    const seen = { applied: 0, not: 0 };
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 6 }),
        layersOf,
        fc.array(caller, { minLength: 1, maxLength: 20 }),
        (mapping, layers, callers) => {
          const plan = planOf(mapping, layers);
          for (const one of callers) {
            const context = makeEvaluationContext(one.u, one.p, null);
            const choices = plan.select(context, 0)?.choices;
            const expected = mapping.map((written) => choiceOf(written, layers, one));
            expect(choices).toEqual(expected);
            for (const choice of expected) seen[choice === NOT_APPLIED ? 'not' : 'applied']++;
          }
        },
      ),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.applied, seen.not)).toBeGreaterThan(5_000);
  });

  it('assigns no variant to a caller without a user id, where it is in a layer', () => {
    const layers = { layers: [{ name: 'shop', salt: 'l' }], holdout: null };
    const arms = [{ name: 'a', groups: [0, 999] as const }];
    const layered = {
      when: {},
      layer: 'shop',
      slice: [0, 999] as const,
      salt: 's',
      variants: arms,
    };
    const anonymous = makeEvaluationContext('', {}, null);
    expect(planOf([layered], layers).assignsVariant(anonymous, 0)).toBe(false);
    expect(planOf([{ when: {}, variants: arms }], layers).assignsVariant(anonymous, 0)).toBe(true);
  });

  it('counts for the next change only of callers that it is for', () => {
    const layers = { layers: [{ name: 'shop', salt: 'l' }], holdout: null };
    const users = Array.from({ length: 50 }, (_, at) => `user-${at}`);
    const until = '2026-06-01T00:00:00Z';
    const windowed = { when: {}, layer: 'shop', slice: [0, 499] as const, salt: 's', until };
    const plan = planOf([windowed], layers);
    const edges = users.map((u) => plan.changesAtMs(makeEvaluationContext(u, {}, null), 0));
    const inside = users.map((u) => bucketOf('l', makeEvaluationContext(u, {}, null)) < 500);
    expect(edges).toEqual(inside.map((is) => (is ? Date.parse(until) : Number.POSITIVE_INFINITY)));
    expect(new Set(inside).size).toBe(2);
  });

  it('spends work that ends with the budget of a request', () => {
    const layers = { layers: [{ name: 'shop', salt: 'l' }], holdout: null };
    const one = { when: {}, layer: 'shop', slice: [0, 0] as const, salt: 's' };
    const plan = planOf(
      Array.from({ length: 500 }, () => one),
      layers,
    );
    const context = makeEvaluationContext('u', {}, null);
    const { workLeft } = context;
    plan.select(context, 0);
    expect(workLeft - context.workLeft).toBeGreaterThan(500 * 100);
  });
});

describe('what differs between the layers of two times', () => {
  const shop = { name: 'shop', salt: '1' };
  it('are layers that come, go or assign others, and the holdout', () => {
    const before = { layers: [shop, { name: 'menu', salt: '2' }], holdout: null };
    expect(changeOfLayers(before, before)).toEqual({ layers: new Set(), holdout: false });
    const names = (after: Layers) => [...changeOfLayers(before, after).layers].sort();
    expect(names(noLayers)).toEqual(['menu', 'shop']);
    expect(names({ ...before, layers: [...before.layers, { name: 'new', salt: '3' }] })).toEqual([
      'new',
    ]);
    expect(names({ ...before, layers: [{ ...shop, salt: '9' }] })).toEqual(['menu', 'shop']);
    const holdout = { salt: 'h', groups: [0, 9] as const };
    const held = { ...before, holdout };
    expect(changeOfLayers(before, held)).toEqual({ layers: new Set(), holdout: true });
    const again = { ...before, holdout: { ...holdout, groups: [0, 9] as const } };
    expect(changeOfLayers(held, again).holdout).toBe(false);
    const wider = { ...before, holdout: { ...holdout, groups: [0, 10] as const } };
    expect(changeOfLayers(held, wider).holdout).toBe(true);
  });
});
