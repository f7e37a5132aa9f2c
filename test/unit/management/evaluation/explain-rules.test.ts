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
import { NOT_APPLIED } from '../../../../src/content/selection.js';
import type { RuleResult } from '../../../../src/contract/operations/evaluate.js';
import { type Candidate, readCandidate } from '../../../../src/management/evaluation/candidate.js';
import { explainRules } from '../../../../src/management/evaluation/explain-rules.js';
import { attributes, condition } from '../../content/condition/arbitrary-condition.js';

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
      from: fc.constantFrom('2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z'),
      until: fc.constantFrom('2026-07-02T00:00:00Z', '2026-08-01T00:00:00Z'),
      salt: fc.constantFrom(null, 's1', 's2'),
      variants,
    },
    { requiredKeys: [] },
  )
  .map((members) => ({ segment: 'saved', ...members }));
const mapping = fc.array(rule, { minLength: 1, maxLength: 5 });
const caller = fc
  .tuple(fc.string({ maxLength: 8 }), attributes)
  .map(([u, p]) => makeEvaluationContext(u, p, null));

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
    for (const outcome of ['applied', 'condition_failed', 'not_open_yet', 'group_not_in_test']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(100);
    }
  });

  it('are never explained otherwise than they were selected', () => {
    const candidate = candidateOf([{ segment: 'a', when: { level: 1 } }], {});
    const who = makeEvaluationContext('u', { level: 1 }, null);
    expect(() => explain(candidate, who, [NOT_APPLIED])).toThrow('what is selected');
  });
});
