/*
 * Goal: the interference map has exactly the pairs of tests that some player is in at once and whose changes meet.
 * Method: random mappings of tests with conditions, layers, the holdout, salts and windows against 10^5 contexts (callers and instants)
 * that the kernel selects for. Slices and groups are wide enough that, of a pair that can meet, some caller does with near certainty.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findInterferences } from '../../../../src/content/conflicts/interference.js';
import { ContentPlan } from '../../../../src/content/content-plan.js';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../../src/content/evaluation-context.js';
import { evaluationWorkMax } from '../../../../src/content/evaluation-work.js';
import type { Layers } from '../../../../src/content/layers.js';
import { parseMapping, type Rule } from '../../../../src/content/mapping/mapping.js';
import { NOT_APPLIED } from '../../../../src/content/selection.js';

/** Times the instants: more than 10^5 contexts. */
const callers = 25_000;
const nowMs = Date.UTC(2026, 10, 24);
const hourMs = 3_600_000;

const layers: Layers = {
  layers: [
    { name: 'shop', salt: 'layer-1' },
    { name: 'menu', salt: 'layer-2' },
  ],
  holdout: { salt: 'out', groups: [0, 199] },
};

const when = fc.constantFrom<object>(
  ...[{}, { country: 'US' }, { country: { $ne: 'US' } }, { level: { $lt: 10 } }],
  ...[{ level: { $gte: 10 } }, { country: { $in: ['DE', 'FR'] }, level: { $gte: 10 } }],
);

const sharing = fc.oneof(
  fc.record({ salt: fc.constantFrom(null, 's1', 's2') }),
  fc.record({ salt: fc.constantFrom('s1', 'out'), holdout: fc.constant(true) }),
  fc.record({
    layer: fc.constantFrom('shop', 'shop', 'menu'),
    slice: fc.constantFrom([0, 299], [300, 599], [200, 499], [600, 999]),
    // The last is that of a layer: a rule of it has no player in the variants outside its slice.
    salt: fc.constantFrom('s1', 's2', 'layer-2'),
    holdout: fc.boolean(),
  }),
);

const window = fc.constantFrom<object>(
  {},
  { until: '2026-11-30T00:00:00Z' },
  { from: '2026-11-28T00:00:00Z', until: '2026-12-05T00:00:00Z' },
  { from: '2026-12-02T00:00:00Z' },
);

const merge = fc.constantFrom<object>({ a: 1 }, { b: 1 }, { a: { c: 1 } }, { d: 1, b: 2 });

const rule: fc.Arbitrary<{ when: object }> = fc
  .tuple(when, sharing, window, merge, fc.constantFrom(300, 500, 700), fc.boolean())
  .map(([condition, members, open, change, at, isFirst]) => {
    const arms = [
      { name: 'x', groups: [0, at - 1] },
      { name: 'y', groups: [at, 999] },
    ];
    const variants = arms.map((arm, index) =>
      isFirst === (index === 0) ? { ...arm, merge: change } : arm,
    );
    return { segment: 's', when: condition, ...members, ...open, variants };
  });

/** Every combination of attributes, each with users of its own. */
const people: readonly EvaluationContext[] = Array.from({ length: callers }, (_, at) => {
  const country = ['US', 'DE', 'FR', 'JP'][at % 4];
  const level = at % 8 < 4 ? 5 : 20;
  return makeEvaluationContext(at % 1_000 === 0 ? '' : `player-${at}`, { country, level }, null);
});

/** One instant between each two at which a window begins or ends. */
const instants = [
  nowMs,
  Date.UTC(2026, 10, 29),
  Date.UTC(2026, 11, 1),
  Date.UTC(2026, 11, 4),
  Date.UTC(2026, 11, 8),
];

/** The first change is of buckets that the slice lacks, of the layer's own salt; the others are of rules that all players meet. */
const withoutPlayers = [
  {
    ...{ segment: 's', when: {}, layer: 'menu', slice: [0, 299], salt: 'layer-2' },
    variants: [
      { name: 'x', groups: [0, 499] },
      { name: 'y', groups: [500, 999], merge: { a: 1 } },
    ],
  },
  ...['s1', 's2', 's1', 's2'].map((salt, at) => ({
    ...{ segment: 's', when: {}, salt },
    variants: [{ name: 'x', groups: [0, 499], merge: at < 2 ? { a: 1 } : { b: 1 } }],
  })),
];

it('has exactly the pairs of tests that some of 100,000 contexts is in at once', () => {
  const seen = { pairs: 0, apart: 0 };
  fc.assert(
    fc.property(fc.array(rule, { minLength: 5, maxLength: 5 }), (mapping) => {
      const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      const { rules } = parsed;
      const found = findInterferences(
        rules.map((one, at) => ({ rule: one, when: mapping[at]?.when })),
        layers,
        { fromMs: nowMs, untilMs: nowMs + 400 * 24 * hourMs },
        { left: 1e9 },
      );
      expect(found.cut).toBe(false);
      // No caller here has a list as an attribute, which is named as what a player in both would need.
      const plain = found.pairs.filter(({ lists }) => lists.length === 0);
      const met = [...pairsMet(rules)].sort();
      expect(plain.map(({ a, b }) => `${a} ${b}`).sort()).toEqual(met);
      seen.pairs += met.length;
      seen.apart += 10 - met.length;
    }),
    { numRuns: 6, examples: [[withoutPlayers]] },
  );
  expect(Math.min(seen.pairs, seen.apart)).toBeGreaterThan(3);
});

it('takes a merge of nothing, as a new variant has it, for no change', () => {
  const test = (merge: object) => ({
    ...{ segment: 's', when: {}, salt: null },
    variants: [
      { name: 'x', groups: [0, 499], merge: {} },
      { name: 'y', groups: [500, 999], merge },
    ],
  });
  const pathsOf = (mapping: readonly { when: object }[]): unknown => {
    const parsed = parseMapping(Buffer.from(JSON.stringify(mapping)));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const rules = parsed.rules.map((one, at) => ({ rule: one, when: mapping[at]?.when }));
    const range = { fromMs: nowMs, untilMs: nowMs + hourMs };
    return findInterferences(rules, layers, range, { left: 1e9 }).pairs.map(({ paths }) => paths);
  };
  expect(pathsOf([test({ price: 1 }), test({ menu: 2 })])).toEqual([]);
  expect(pathsOf([test({ price: 1 }), test({})])).toEqual([]);
  // Below the root it can replace a value that is no object.
  expect(pathsOf([test({ price: {} }), test({ price: 2 })])).toEqual([['/price']]);
});

/** Pairs of rules that change the same for one caller at one instant. */
function pairsMet(rules: readonly Rule[]): ReadonlySet<string> {
  const plan = new ContentPlan('c', [], rules, () => undefined, undefined, layers);
  const met = new Set<string>();
  for (const atMs of instants) {
    for (const caller of people) {
      caller.workLeft = evaluationWorkMax;
      const choices = plan.select(caller, atMs)?.choices ?? [];
      const changes = rules.map((one, at) => changeOf(one, choices[at] ?? NOT_APPLIED));
      for (const [a, first] of changes.entries()) {
        if (first === null) continue;
        for (let b = a + 1; b < changes.length; b++) {
          const second = changes[b] ?? null;
          if (second !== null && meets(first, second)) met.add(`${a} ${b}`);
        }
      }
    }
  }
  return met;
}

const parsedChanges = new WeakMap<object, Record<string, unknown>>();

function changeOf(rule: Rule, choice: number): Record<string, unknown> | null {
  const mutation = choice === NOT_APPLIED ? null : (rule.variants?.[choice]?.mutation ?? null);
  if (mutation === null) return null;
  const known = parsedChanges.get(mutation);
  const change = known ?? JSON.parse(Buffer.from(mutation.document.bytes).toString());
  parsedChanges.set(mutation, change);
  return change;
}

function meets(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return Object.keys(a).some((name) => Object.hasOwn(b, name));
}
