/*
 * Goal: what is explained of a mapping's rules is what delivery selects.
 * Method: random mappings (conditions of their own and saved ones, windows, salts, variants) and random callers, read
 * as an evaluation reads them; each rule's verdict must be the plan's choice for it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../../src/content/evaluation-context.js';
import type { Layers } from '../../../../src/content/layers.js';
import { NOT_APPLIED } from '../../../../src/content/selection.js';
import type { RuleResult } from '../../../../src/contract/schemas/rule-result.js';
import { type Candidate, readCandidate } from '../../../../src/management/evaluation/candidate.js';
import { explainRules } from '../../../../src/management/evaluation/explain-rules.js';
import { attributes, condition } from '../../content/condition/arbitrary-condition.js';

const layers: Layers = {
  layers: [
    { name: 'shop', salt: 'layer-1' },
    { name: 'menu', salt: 'layer-2' },
  ],
  holdout: { salt: 'out', groups: [0, 399] },
};

const nowMs = Date.UTC(2026, 5, 1);

const variants = fc
  .tuple(fc.integer({ min: 0, max: 499 }), fc.integer({ min: 500, max: 999 }))
  .map(([first, last]) => [
    { name: 'low', groups: [0, first] },
    { name: 'high', groups: [last, 999], merge: { high: true } },
  ]);
const rule = fc
  .record(
    {
      when: condition,
      window: fc.record(
        {
          from: fc.constantFrom(
            '2026-05-01T00:00:00',
            '2026-06-01T00:00:00',
            '2026-07-01T00:00:00',
          ),
          until: fc.constantFrom('2026-07-02T00:00:00', '2026-08-01T00:00:00'),
          zone: fc.constantFrom('Z', 'Z', ''),
          repeat: fc.constantFrom(
            { days: ['mon'], from: '00:00', until: '01:00' },
            { days: ['sun'], from: '20:00', until: '18:00' },
          ),
        },
        { requiredKeys: ['zone'] },
      ),
      salt: fc.constantFrom(null, 's1', 's2'),
      sharing: fc.oneof(
        fc.record({ holdout: fc.boolean() }),
        fc.record({
          layer: fc.constantFrom('shop', 'menu'),
          slice: fc.constantFrom([0, 199], [100, 799], [0, 999]),
          salt: fc.constantFrom('s1', 's3'),
        }),
      ),
      variants,
    },
    { requiredKeys: [] },
  )
  .map(({ window: { zone, ...window } = { zone: '' }, sharing, ...members }) => {
    const zoned = Object.entries(window).map(([name, end]) =>
      typeof end === 'string' ? [name, end + zone] : [name, end],
    );
    return { segment: 'saved', ...members, ...sharing, ...Object.fromEntries(zoned) };
  });
const mapping = fc.array(rule, { minLength: 1, maxLength: 5 });
const caller = fc
  .tuple(fc.string({ maxLength: 8 }), attributes, fc.constantFrom(-720, -300, 0, 60, 840))
  .map(([u, p, utcOffset]) => makeEvaluationContext(u, { ...p, utcOffset }, null));

function candidateOf(rules: unknown, saved: unknown): Candidate {
  const candidate = readCandidate(
    {
      candidate: {
        id: 'shop',
        lines: [{ version: '0.0.0', text: Buffer.from('{}'), saved: null }],
        mapping: Buffer.from(JSON.stringify(rules)),
        mappingEdited: true,
      },
      segments: [{ name: 'saved', condition: JSON.stringify(saved) }],
      layers,
    },
    100,
  );
  if ('code' in candidate) throw new Error(JSON.stringify(candidate.errors));
  return candidate;
}

function explain(
  candidate: Candidate,
  who: EvaluationContext,
  choices: readonly number[],
): RuleResult[] {
  return explainRules(candidate, who, nowMs, choices, new Map());
}

describe('explained rules', () => {
  it('end as the plan chooses, on random mappings and callers', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(mapping, condition, caller, (rules, saved, who) => {
        const candidate = candidateOf(rules, saved);
        const choices = candidate.plan.select(who, nowMs)?.choices ?? [];
        for (const verdict of explain(candidate, who, choices)) {
          const choice = choices[verdict.rule] ?? NOT_APPLIED;
          expect(verdict.applied).toBe(choice !== NOT_APPLIED);
          const { variants: arms } = candidate.rules[verdict.rule] ?? { variants: null };
          expect(verdict.variant).toBe(arms?.[choice]?.name ?? null);
          outcomes.set(verdict.outcome, (outcomes.get(verdict.outcome) ?? 0) + 1);
        }
      }),
      { numRuns: 1_500 },
    );
    // The property says something only if every end is common.
    const common = ['applied', 'condition_failed', 'not_open_yet', 'group_not_in_test'];
    for (const outcome of [...common, 'outside_slice', 'held_out', 'no_user_id']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(50);
    }
  });

  it('are never explained otherwise than they were selected', () => {
    const candidate = candidateOf([{ segment: 'a', when: { level: 1 } }], {});
    const who = makeEvaluationContext('u', { level: 1 }, null);
    expect(() => explain(candidate, who, [NOT_APPLIED])).toThrow('what is selected');
  });
});

describe('an explained window', () => {
  const reasonOf = (rule: object, utcOffset: unknown, atMs = nowMs): readonly string[] => {
    const candidate = candidateOf([{ segment: 'a', when: {}, ...rule }], {});
    const who = makeEvaluationContext('u', { utcOffset }, null);
    const choices = candidate.plan.select(who, atMs)?.choices ?? [];
    const [result] = explainRules(candidate, who, atMs, choices, new Map());
    return [result?.outcome ?? '', result?.reason ?? ''];
  };
  const repeat = { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3 };

  it('between instants says when it begins or ended, and nothing while it is open', () => {
    expect(reasonOf({ from: '2026-06-02T00:00:00+02:00' }, 540)).toEqual([
      'not_open_yet',
      'It begins at 2026-06-01T22:00:00.000Z.',
    ]);
    expect(reasonOf({ until: '2026-06-01T00:00:00Z' }, 540)).toEqual([
      'closed',
      'It ended at 2026-06-01T00:00:00.000Z.',
    ]);
    expect(reasonOf({ from: '2026-06-01T00:00:00Z' }, 540)).toEqual([
      'applied',
      'Its condition matches every user.',
    ]);
  });

  it('in local time says what the clock of the player shows, why, and when it changes', () => {
    const text = "The player's clock shows 2026-06-01T09:00:00 (p.utcOffset is 540).";
    expect(reasonOf({ from: '2026-06-01T10:00:00' }, 540)).toEqual([
      'not_open_yet',
      `${text} It begins at 2026-06-01T01:00:00.000Z, 2026-06-01T10:00:00 for the player.`,
    ]);
    expect(reasonOf({ until: '2026-06-01T10:00:00' }, 540)).toEqual([
      'applied',
      `${text} It is open until 2026-06-01T01:00:00.000Z, 2026-06-01T10:00:00 for the player. Its condition matches every user.`,
    ]);
    expect(reasonOf({ until: '2026-06-01T09:00:00' }, 540)).toEqual([
      'closed',
      `${text} It ended at 2026-06-01T09:00:00 on the player's clock.`,
    ]);
    const unknown = 'UTC, because p.utcOffset is not a whole number from -720 to 840';
    expect(reasonOf({ from: '2026-06-01T00:00:00' }, '540')).toEqual([
      'applied',
      `The player's clock shows 2026-06-01T00:00:00 (${unknown}). It is open and never closes. Its condition matches every user.`,
    ]);
  });

  it('that repeats is not open yet until its last occurrence, and closed after it', () => {
    // 2026-06-01 is a Monday.
    const window = { until: '2026-06-08T00:00:00Z', repeat };
    const at = (text: string) => reasonOf(window, 540, Date.parse(text));
    expect(at('2026-06-01T09:00:00Z')).toEqual([
      'applied',
      'It is open until 2026-06-01T10:00:00.000Z. Its condition matches every user.',
    ]);
    expect(at('2026-06-01T10:00:00Z')).toEqual([
      'not_open_yet',
      'It opens next at 2026-06-05T18:00:00.000Z.',
    ]);
    expect(at('2026-06-08T00:00:00Z')).toEqual(['closed', 'It ended at 2026-06-08T00:00:00.000Z.']);
    const last = { ...window, until: '2026-06-12T00:00:00Z' };
    expect(reasonOf(last, 0, Date.parse('2026-06-08T10:00:00Z'))).toEqual([
      'closed',
      'It does not open again.',
    ]);
  });
});
