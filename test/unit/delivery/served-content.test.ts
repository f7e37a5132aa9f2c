import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { ServedContent } from '../../../src/delivery/render/served-content.js';

const line = { version: '0.0.0', digest: 'd', hash: 'h', bytes: 2 };

function contentOf(rules: readonly object[], budget: SelectionBudget): ServedContent {
  const mapping = Buffer.from(JSON.stringify(rules));
  const row = { environment: 'e', id: 'c', lines: [line], mapping, mappingDigest: 'm', flags: [] };
  return new ServedContent(row, () => undefined, budget);
}

const rules = [{ segment: 's', when: { a: 1 }, merge: { n: 1 } }];
const caller = makeEvaluationContext('u', { a: 1 }, null);

describe('the slots of a content', () => {
  it('are kept from the second time on that a selection is seen, and counted', () => {
    const budget = new SelectionBudget(1e6, true);
    const content = contentOf(rules, budget);
    const ask = (form: Form, coding: Coding) => content.slot(caller, form, coding, 0);
    const first = ask(Form.Wrapped, Coding.Identity);
    expect(budget.bytes).toBe(0);
    const second = ask(Form.Wrapped, Coding.Identity);
    expect(second).not.toBe(first);
    expect(second?.key).toBe(first?.key);
    const bytes = budget.bytes;
    expect(bytes).toBeGreaterThan(second?.bytes ?? 0);
    expect(ask(Form.Wrapped, Coding.Identity)).toBe(second);
    expect(budget.bytes).toBe(bytes);
    const gzip = ask(Form.Wrapped, Coding.Gzip);
    expect(ask(Form.Wrapped, Coding.Gzip)).toBe(gzip);
    expect(budget.bytes).toBe(bytes + (gzip?.bytes ?? 0));
    content.release();
    expect([budget.bytes, budget.entries]).toEqual([0, 0]);
  });

  it('of plain delivery are kept at once: there is one for each line', () => {
    const content = contentOf(rules, new SelectionBudget(1e6, true));
    const slot = content.slot(caller, Form.Plain, Coding.Identity, 0);
    expect(content.slot(caller, Form.Plain, Coding.Identity, 0)).toBe(slot);
  });

  it('have the same suffix whether or not they are kept', () => {
    const content = contentOf(rules, new SelectionBudget(1e6, true));
    const suffixes = [1, 2, 3].map(() => {
      const slot = content.slot(caller, Form.Wrapped, Coding.Identity, 0);
      return Buffer.from(slot?.suffix([]) ?? []).toString();
    });
    expect(new Set(suffixes)).toEqual(new Set([',"seg":[{"n":"s","v":null}]}}']));
  });
});
