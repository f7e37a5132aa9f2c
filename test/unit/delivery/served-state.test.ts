import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { ServedState } from '../../../src/delivery/render/served-state.js';

const line = { version: '0.0.0', digest: 'd', hash: 'h', bytes: 2 };

function contentOf(
  rules: readonly object[],
  budget: SelectionBudget,
  flags: readonly string[] = [],
): ServedState {
  const mapping = Buffer.from(JSON.stringify(rules));
  const row = { lines: [line], mapping, mappingDigest: 'm', flags };
  return new ServedState('c', row, () => undefined, budget);
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

describe('the tag of a content in bulk evaluations', () => {
  const tagsOf = (content: ServedState, context = caller): string[] =>
    [1, 2, 3].map(() => content.flagsTag(context, 0));

  it('is empty for one that lists no flags', () => {
    expect(contentOf(rules, new SelectionBudget(1e6, true)).flagsTag(caller, 0)).toBe('');
  });

  it('is the same for the same body, another for another one and for other flags', () => {
    const content = contentOf(rules, new SelectionBudget(1e6, true), ['', '/n']);
    const other = contentOf(rules, new SelectionBudget(1e6, true), ['/n']);
    const unmatched = makeEvaluationContext('u', {}, null);
    const tags = [tagsOf(content), tagsOf(content, unmatched), tagsOf(other)];
    expect(tags.map((texts) => new Set(texts).size)).toEqual([1, 1, 1]);
    expect(new Set(tags.flat()).size).toBe(3);
  });

  it('says where a targeting key is missing', () => {
    const variants = [{ name: 'x', groups: [0, 999] }];
    const drawing = [{ segment: 's', when: {}, salt: 's', variants }];
    const content = contentOf(drawing, new SelectionBudget(1e6, true), ['']);
    const keyless = content.flagsTag(makeEvaluationContext('', {}, null), 0);
    expect(keyless).toMatch(/^[0-9a-f]{64} key$/);
    expect(content.flagsTag(caller, 0)).not.toBe(keyless);
  });

  it('is counted with the selection that keeps it, once', () => {
    const budget = new SelectionBudget(1e6, true);
    const content = contentOf(rules, budget, ['']);
    for (let times = 0; times < 3; times += 1) {
      content.slot(caller, Form.Wrapped, Coding.Identity, 0);
    }
    const bytes = budget.bytes;
    content.flagsTag(caller, 0);
    const counted = budget.bytes;
    expect(counted).toBeGreaterThan(bytes);
    content.flagsTag(caller, 0);
    expect(budget.bytes).toBe(counted);
    content.release();
    expect(budget.bytes).toBe(0);
  });
});
