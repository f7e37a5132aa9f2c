import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentPlan, type Selection } from '../../../src/content/content-plan.js';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../src/content/evaluation-context.js';
import { parseMapping, type Rule } from '../../../src/content/mapping/mapping.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';

const noon = Date.parse('2026-11-15T12:00:00Z');

/** Rules that are each switched by an attribute of their own: 2^count selections. */
function switches(count: number): readonly Rule[] {
  const rules = Array.from({ length: count }, (_, i) => ({
    segment: `s${i}`,
    when: { [`f${i}`]: true },
    merge: { [`m${i}`]: i },
  }));
  const parsed = parseMapping(Buffer.from(JSON.stringify(rules)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules;
}

function planOf(rules: readonly Rule[], budget?: SelectionBudget): ContentPlan {
  return new ContentPlan('c', [], rules, () => undefined, budget);
}

function callerOf(code: number, count: number) {
  const p: Record<string, boolean> = {};
  for (let i = 0; i < count; i++) if ((code >> i) & 1) p[`f${i}`] = true;
  return makeEvaluationContext('u', p, null);
}

/** The selection of a caller whose attributes are of ordinary size. */
function selected(plan: ContentPlan, caller: EvaluationContext): Selection {
  const selection = plan.select(caller, noon);
  if (selection === null) throw new Error('the rules need more work than a request may cause');
  return selection;
}

describe('the budget of all selections', () => {
  it('is never exceeded, and every selection is what a plan on its own selects', () => {
    const counts = [3, 5, 8, 60];
    const rules = counts.map(switches);
    const step = fc.record({
      plan: fc.nat({ max: counts.length - 1 }),
      code: fc.nat({ max: 255 }),
      attach: fc.nat({ max: 4_000 }),
      again: fc.nat({ max: 2 }),
      replace: fc.integer({ min: 0, max: 19 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, onlySeenAgain) => {
        const budget = new SelectionBudget(40_000, onlySeenAgain);
        const plans = rules.map((each) => planOf(each, budget));
        const alone = rules.map((each) => planOf(each));
        for (const { plan, code, attach, again, replace } of steps) {
          if (replace === 0) {
            plans[plan]?.release();
            plans[plan] = planOf(rules[plan] ?? [], budget);
          }
          const caller = callerOf(code, counts[plan] ?? 0);
          for (let time = 0; time <= again; time++) {
            const selection = plans[plan]?.select(caller, noon);
            const expected = alone[plan]?.select(caller, noon);
            expect(selection?.choices).toEqual(expected?.choices);
            expect(selection?.segJson).toBe(expected?.segJson);
            expect(selection?.mutationsKey).toBe(expected?.mutationsKey);
            expect(selection?.mutations).toEqual(expected?.mutations);
            selection?.countAttached(attach);
            expect(budget.bytes).toBeLessThanOrEqual(budget.bytesMax);
          }
        }
        for (const plan of plans) plan.release();
        expect([budget.bytes, budget.entries]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('retains next to nothing of combinations that are tried once', () => {
    const budget = new SelectionBudget(1e9, true);
    const plans = Array.from({ length: 10 }, () => planOf(switches(10), budget));
    for (const plan of plans) {
      for (let code = 0; code < 1_024; code++) selected(plan, callerOf(code, 10));
    }
    // A mark that is mistaken for another's is one in some billions here.
    expect(budget.entries).toBeLessThan(10);
  });

  it('remembers what is seen again, and hands out the same object from then on', () => {
    const budget = new SelectionBudget(1e9, true);
    const plan = planOf(switches(4), budget);
    const caller = callerOf(5, 4);
    const first = selected(plan, caller);
    expect(first.isKept).toBe(false);
    const second = selected(plan, caller);
    expect(second.isKept).toBe(true);
    expect(second).not.toBe(first);
    expect(selected(plan, caller)).toBe(second);
    expect(budget.entries).toBe(1);
    expect(budget.bytes).toBe(second.bytes);
  });

  it('lets go of what is not asked for, and keeps what is', () => {
    const budget = new SelectionBudget(100_000, false);
    const plan = planOf(switches(10), budget);
    const inUse = selected(plan, callerOf(1_023, 10));
    for (let code = 0; code < 1_000; code++) {
      selected(plan, callerOf(code, 10));
      expect(selected(plan, callerOf(1_023, 10))).toBe(inUse);
    }
    expect(budget.entries).toBeLessThan(100);
  });

  it('has its bytes back when a plan is replaced, and hears no more of that plan', () => {
    const budget = new SelectionBudget(1e9, false);
    const [old, other] = [planOf(switches(3), budget), planOf(switches(3), budget)];
    const selection = selected(old, callerOf(1, 3));
    selected(other, callerOf(1, 3));
    const bytes = budget.bytes / 2;
    old.release();
    expect([budget.bytes, budget.entries]).toEqual([bytes, 1]);
    expect(budget.evictions).toBe(0);
    // Requests under way still hold the old plan and its selections.
    selection.countAttached(1_000);
    expect(selected(old, callerOf(1, 3)).segJson).toBe(selection.segJson);
    expect([budget.bytes, budget.entries]).toEqual([bytes, 1]);
  });

  it('does not keep a selection that is larger than the budget', () => {
    const budget = new SelectionBudget(500, false);
    const plan = planOf(switches(3), budget);
    expect(selected(plan, callerOf(7, 3)).segJson).toBe(selected(plan, callerOf(7, 3)).segJson);
    expect([budget.bytes, budget.entries]).toEqual([0, 0]);
  });

  it('counts selections that gave way to others', () => {
    const budget = new SelectionBudget(2_000, false);
    const plan = planOf(switches(5), budget);
    for (let code = 0; code < 32; code += 1) selected(plan, callerOf(code, 5));
    expect(budget.entries).toBeLessThan(32);
    expect(budget.evictions).toBe(32 - budget.entries);
  });
});
