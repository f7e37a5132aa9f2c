/** The head of a rule says for whom it is and what it changes. */
import { describe, expect, it } from 'vitest';
import { describeRule } from '../../../../src/console/mapping/rules/describe-rule.js';
import { readMapping } from '../../../../src/console/mapping/rules/rule-view.js';

function headOf(rule: object): string {
  const view = readMapping(JSON.stringify([rule]));
  const [found] = view.ok ? view.rules : [];
  if (found === null || found === undefined) throw new Error('This is no rule.');
  return describeRule(found);
}

describe('the head of a rule', () => {
  it.each([
    [
      {
        segment: 'eu',
        when: { country: { $in: ['DE', 'FR'] } },
        merge: { banner: { title: 'a' } },
      },
      'Country is one of DE, FR · changes banner.title',
    ],
    [
      {
        segment: 'whales',
        merge: { packs: { small: { price: 1 }, big: { price: 2 } }, sale: null },
      },
      'Saved segment · changes packs.small.price, packs.big.price and 1 more',
    ],
    [
      { segment: 'all', when: {}, patch: [{ op: 'replace', path: '/bundles/0/price', value: 1 }] },
      'All players · changes bundles.0.price',
    ],
    [{ segment: 'all', when: {}, replace: { a: 1 } }, 'All players · replaces all'],
    [{ segment: 'all', when: {}, merge: {} }, 'All players · no change'],
    [
      {
        segment: 'test',
        when: { '@v': { $vgte: '2.0.0' } },
        variants: [{ name: 'a' }, { name: 'b' }],
      },
      /^A\/B test of 2 variants · App version/,
    ],
  ])('%j', (rule, words) => {
    if (words instanceof RegExp) expect(headOf(rule)).toMatch(words);
    else expect(headOf(rule)).toBe(words);
  });

  it('ends with a text that is not JSON yet', () => {
    const mutation = { kind: 'merge', source: '{"a": ' } as const;
    const view = readMapping('[{"segment":"x","when":{},"merge":{}}]');
    const [rule] = view.ok ? view.rules : [];
    if (rule === null || rule === undefined) throw new Error('This is no rule.');
    expect(describeRule({ ...rule, mutation })).toMatch(/^All players · /);
  });
});
