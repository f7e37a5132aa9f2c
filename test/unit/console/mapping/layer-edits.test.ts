/** Layers in the rule editor: what is written into the mapping, which the server accepts. */
import { describe, expect, it } from 'vitest';
import {
  freeSlice,
  joinLayer,
  keepsHoldout,
  leaveLayer,
  setHoldout,
} from '../../../../src/console/mapping/layer/layer-edits.js';
import { type RuleView, readMapping } from '../../../../src/console/mapping/rules/rule-view.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const plain = '[{ "segment": "price", "when": {}, "merge": { "a": 1 } }]';

function ruleOf(mapping: string): RuleView {
  const view = readMapping(mapping);
  const rule = view.ok ? view.rules[0] : null;
  if (rule === null || rule === undefined) throw new Error('The mapping has a rule.');
  return rule;
}

const joined = (mapping: string, taken: readonly (readonly [number, number])[] = []): string =>
  joinLayer(mapping, 0, ruleOf(mapping), { layer: 'shop', content: 'Shop', taken });

describe('a rule that joins a layer', () => {
  it('gets a slice and a salt, and is valid', () => {
    const mapping = joined(plain);
    expect(ruleOf(mapping)).toMatchObject({ layer: 'shop', slice: [0, 199], others: [] });
    expect(ruleOf(mapping).salt).toMatch(/^Shop-price-[a-z0-9]{6}$/);
    expect(parseMapping(Buffer.from(mapping)).ok).toBe(true);
  });

  it('keeps the salt that it has', () => {
    const salted = '[{ "segment": "price", "when": {}, "salt": "mine", "merge": {} }]';
    expect(ruleOf(joined(salted)).salt).toBe('mine');
  });

  it('leaves it as it was before, but for the salt', () => {
    const left = leaveLayer(joined(plain), 0);
    expect(ruleOf(left)).toMatchObject({ layer: null, slice: null });
    expect(parseMapping(Buffer.from(left)).ok).toBe(true);
  });

  it.each([
    [[], [0, 199]],
    [[[0, 199]], [200, 399]],
    [
      [
        [500, 999],
        [0, 99],
      ],
      [100, 299],
    ],
    [
      [
        [0, 449],
        [500, 899],
      ],
      [900, 999],
    ],
    [[[0, 999]], [0, 999]],
  ])('beside %j takes %j', (taken, slice) => {
    expect(freeSlice(taken as [number, number][])).toEqual(slice);
  });
});

describe('the holdout of a rule', () => {
  it('is written only where it is not what the layer says', () => {
    const layered = joined(plain);
    expect([keepsHoldout(ruleOf(plain)), keepsHoldout(ruleOf(layered))]).toEqual([false, true]);
    const open = setHoldout(layered, 0, ruleOf(layered), false);
    expect(keepsHoldout(ruleOf(open))).toBe(false);
    expect(open).toContain('"holdout": false');
    expect(setHoldout(open, 0, ruleOf(open), true)).not.toContain('holdout');
    const held = setHoldout(plain, 0, ruleOf(plain), true);
    expect(held).toContain('"holdout": true');
    expect(parseMapping(Buffer.from(held)).ok).toBe(true);
  });
});
