import { describe, expect, it } from 'vitest';
import {
  errorOfField,
  issuesOfList,
  issuesOfRule,
  mappingMarks,
} from '../../../../src/console/mapping/mapping-issues.js';
import {
  addRule,
  brokenText,
  type Cards,
  editRule,
  moveRule,
  openCards,
  removeRule,
  removeVariant,
  typeSource,
} from '../../../../src/console/mapping/rules/cards-state.js';
import {
  addVariant,
  changeSource,
  copyOfRule,
  endTest,
  freeName,
  proposeSalt,
  renameRule,
  setBuckets,
  setMutation,
  setRuleMember,
  testSource,
  toTest,
} from '../../../../src/console/mapping/rules/rule-edits.js';
import {
  isForUsers,
  type RuleView,
  readMapping,
} from '../../../../src/console/mapping/rules/rule-view.js';
import { canBeAnonymous } from '../../../../src/content/condition/anonymous-callers.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const open = (text: string): Cards => {
  const cards = openCards(text, null);
  if (cards === null) throw new Error('no list');
  return cards;
};
const ruleOf = (text: string, index = 0): RuleView => {
  const view = readMapping(text);
  const rule = view.ok ? view.rules[index] : null;
  if (rule === null || rule === undefined) throw new Error('no rule');
  return rule;
};
const isAccepted = (mapping: string): boolean => parseMapping(Buffer.from(mapping)).ok;

const two = '[\n  { "segment": "a", "merge": { "x": 1.10 } },\n  { "segment": "b", "when": {} }\n]';

describe('rules as cards', () => {
  it('keep what is typed and is not JSON beside the mapping until it is', () => {
    const cards = open(two);
    const [key = ''] = cards.keys;
    const broken = typeSource(cards, key, ['merge'], '{ "x": ');
    expect(broken.text).toBe(two.replace('{ "x": 1.10 }', '{ "x": '));
    expect(broken.base).toBe(two);
    expect(brokenText(broken, key, ['merge'])).toBe('{ "x": ');
    const edited = editRule(broken, cards.keys[1] ?? '', (text, at) =>
      setRuleMember(text, at, 'segment', '"c"'),
    );
    expect(edited.text).toContain('{ "x":  }');
    expect(edited.text).toContain('"c"');
    const mended = typeSource(edited, key, ['merge'], '{ "x": 2.0 }');
    expect(mended.broken).toEqual([]);
    expect(mended.text).toBe(two.replace('1.10', '2.0').replace('"b"', '"c"'));
  });

  it('keep their keys when they are moved, and take along what is not JSON yet', () => {
    const cards = open(two);
    const [first = '', second = ''] = cards.keys;
    const moved = moveRule(typeSource(cards, first, ['merge'], '{'), 0, 1);
    expect(moved.keys).toEqual([second, first]);
    expect(brokenText(moved, first, ['merge'])).toBe('{');
    expect(removeRule(moved, first).broken).toEqual([]);
    const [added, key] = addRule(cards, 1, changeSource('new'));
    expect(added.keys).toEqual([first, key, second]);
    expect(added.rules[1]?.segment).toBe('new');
  });

  it('keep their keys when the text is changed elsewhere', () => {
    const cards = open(two);
    const changed = openCards(two.replace('1.10', '7'), cards);
    expect(changed?.keys).toEqual(cards.keys);
    const shorter = openCards('[{ "segment": "b", "when": {} }]', cards);
    expect(shorter?.keys).toEqual([cards.keys[1]]);
    expect(openCards('[', cards)).toBeNull();
  });

  it('let the broken text of later variants move up when one is removed', () => {
    const cards = open(`[${testSource('t', 's')}]`);
    const [key = ''] = cards.keys;
    const broken = typeSource(cards, key, ['variants', 1, 'merge'], '{ nope');
    const removed = removeVariant(broken, key, 0);
    expect(brokenText(removed, key, ['variants', 0, 'merge'])).toBe('{ nope');
  });
});

describe('new rules', () => {
  it('are taken by the kernel as they are', () => {
    expect(isAccepted(`[${changeSource('a "b"')}, ${testSource('t', 'salt')}]`)).toBe(true);
  });

  it('leave callers without a user id out of tests, who would all be in one variant', () => {
    const all = '[{ "segment": "a", "when": {}, "merge": {} }]';
    const tests = [`[${testSource('t', 's')}]`, toTest(all, 0, ruleOf(all), 's')];
    for (const test of tests) {
      const when = ruleOf(test).when ?? '';
      expect([isForUsers(when), canBeAnonymous(JSON.parse(when))]).toEqual([true, false]);
    }
    const some = '[{ "segment": "a", "when": { "level": 3 }, "merge": {} }]';
    expect(ruleOf(toTest(some, 0, ruleOf(some), 's')).when).toBe('{ "level": 3 }');
  });

  it('get names that are free and salts of their own', () => {
    expect(freeName('new', ['new', 'new-2'])).toBe('new-3');
    const salt = proposeSalt('shop', 'Gems & more');
    expect(salt).toMatch(/^shop-Gems-more-[a-z0-9]{6}$/);
    expect(proposeSalt('shop', 'x')).not.toBe(proposeSalt('shop', 'x'));
  });

  it('renamed take their proposed salt along until it is saved', () => {
    const text = `[${testSource('new-test', 'shop-new-test-abc123')}]`;
    const renamed = renameRule(text, 0, 'gems', { id: 'shop', mapping: '[]' });
    expect(ruleOf(renamed)).toMatchObject({ segment: 'gems', salt: 'shop-gems-abc123' });
    const saved = renameRule(text, 0, 'gems', { id: 'shop', mapping: text });
    expect(ruleOf(saved)).toMatchObject({ segment: 'gems', salt: 'shop-new-test-abc123' });
    const own = `[${testSource('new-test', 'mine')}]`;
    expect(ruleOf(renameRule(own, 0, 'gems', { id: 'shop', mapping: '[]' })).salt).toBe('mine');
  });

  it('copied get another name where it is a label, and another salt', () => {
    const source = '{ "segment": "t", "when": {}, "salt": "s", "x": 1.10 }';
    const copy = copyOfRule(source, ruleOf(`[${source}]`), 'shop', ['t']);
    expect(copy).toMatch(/"segment": "t-copy"/);
    expect(copy).toMatch(/"salt": "shop-t-copy-[a-z0-9]{6}"/);
    expect(copy).toContain('"x": 1.10');
    const saved = '{ "segment": "us" }';
    expect(copyOfRule(saved, ruleOf(`[${saved}]`), 'shop', ['us'])).toBe(saved);
  });
});

describe('rules made into others', () => {
  it('become a test whose second half gets the change, and back', () => {
    const text = '[\n  { "segment": "a", "when": {}, "merge": { "x": 1.10 } }\n]';
    const test = toTest(text, 0, ruleOf(text), 'salt');
    expect(isAccepted(test)).toBe(true);
    expect(ruleOf(test)).toMatchObject({
      mutation: null,
      salt: 'salt',
      variants: [{ mutation: null }, { mutation: { kind: 'merge', source: '{ "x": 1.10 }' } }],
    });
    const ended = endTest(test, 0, 1);
    expect(ruleOf(ended)).toMatchObject({
      salt: null,
      variants: null,
      mutation: { kind: 'merge', source: '{ "x": 1.10 }' },
    });
    expect(ruleOf(endTest(test, 0, 0)).mutation).toBeNull();
  });

  it('keep the info of the variant that a test ends with', () => {
    const arms = '{ "name": "a", "info": "arm" }, { "name": "b" }';
    const test = `[{ "segment": "s", "info": "rule", "variants": [${arms}] }]`;
    expect(ruleOf(endTest(test, 0, 0)).info).toBe('arm');
    expect(ruleOf(endTest(test, 0, 1)).info).toBe('rule');
  });

  it('get one more variant, and other groups', () => {
    const text = `[${testSource('t', 's')}]`;
    const three = addVariant(text, 0, ruleOf(text), false) ?? '';
    expect(isAccepted(three)).toBe(true);
    expect(ruleOf(three).variants).toMatchObject([
      { groups: [0, 332] },
      { groups: [333, 666] },
      { name: 'variant-c', groups: [667, 999] },
    ]);
    const running = addVariant(text, 0, ruleOf(text), true) ?? '';
    expect(ruleOf(running).variants, 'players of a test that runs stay').toMatchObject([
      { groups: [0, 249] },
      { groups: [500, 999] },
      { name: 'variant-c', groups: [250, 499] },
    ]);
    const uneven = setBuckets(text, 0, [
      [0, 799],
      [800, 899],
    ]);
    expect(ruleOf(addVariant(uneven, 0, ruleOf(uneven), false) ?? '').variants).toMatchObject([
      { groups: [0, 799] },
      { groups: [800, 899] },
      { groups: [900, 999] },
    ]);
    const heldOut = setBuckets(text, 0, [
      [0, 449],
      [450, 899],
    ]);
    expect(ruleOf(addVariant(heldOut, 0, ruleOf(heldOut), false) ?? '').variants).toMatchObject([
      { groups: [0, 299] },
      { groups: [300, 599] },
      { groups: [600, 899] },
    ]);
    const same = setBuckets(text, 0, [
      [0, 499],
      [500, 999],
    ]);
    expect(same).toBe(text);
  });

  it('get another kind of mutation in place of the one they have', () => {
    const text = '[{ "segment": "a", "merge": {} }]';
    expect(setMutation(text, 0, null, { kind: 'patch', source: '[]' })).toBe(
      '[{ "segment": "a", "patch": [] }]',
    );
    expect(setMutation(text, 0, null, null)).toBe('[{ "segment": "a" }]');
  });
});

describe('faults', () => {
  const faults = [
    { path: 'mapping[1].variants[0].groups', message: 'must have its lower group first' },
    { path: 'mapping[1].when.$and[0].a.b', message: 'is odd.' },
    { path: 'mapping', message: 'has 900 entries' },
  ];

  it('are told at the rule and field that they are about', () => {
    expect(issuesOfRule(faults, 0)).toEqual([]);
    const ofRule = issuesOfRule(faults, 1);
    expect(errorOfField(ofRule, 'variants[0].groups')).toBe('Must have its lower group first.');
    expect(errorOfField(ofRule, 'when')).toBe('$and[0].a.b: is odd.');
    expect(errorOfField(ofRule, 'segment')).toBeNull();
    expect(issuesOfList(faults)).toEqual([faults[2]]);
  });

  it('stand in the JSON where the path leads, as far as it does', () => {
    const text = '[\n  {},\n  { "when": { "$and": [\n    { "a.b": 1 } ] },\n    "variants": 7 }\n]';
    expect(mappingMarks(text, faults, 'error').map(({ line, column }) => [line, column])).toEqual([
      [5, 17],
      [4, 14],
      [1, 1],
    ]);
  });
});
