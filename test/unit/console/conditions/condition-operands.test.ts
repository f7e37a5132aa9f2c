/** Promises of what a person types into the builder: spelling is kept, and a new operator gets an operand of its kind. */
import { describe, expect, it } from 'vitest';
import {
  attributeCalled,
  isFoundBy,
  isUsedBeside,
} from '../../../../src/console/conditions/attributes.js';
import { describeCondition } from '../../../../src/console/conditions/describe-condition.js';
import { followChoices } from '../../../../src/console/conditions/follow-choices.js';
import { pillsOf, typedPills } from '../../../../src/console/conditions/list-pills.js';
import {
  asKind,
  asListKind,
  fitOperand,
  kindOfList,
  kindOfSource,
} from '../../../../src/console/conditions/operand-source.js';
import { sameTokens } from '../../../../src/console/conditions/same-tokens.js';

describe('the operand of a rule', () => {
  it('is told by its source', () => {
    expect(['"a"', '1.10', '-1e400', 'true', 'null', '[1]', '{}'].map(kindOfSource)).toEqual([
      'text',
      'number',
      'number',
      'boolean',
      'null',
      'json',
      'json',
    ]);
    expect(kindOfList('["a", "b"]')).toBe('texts');
    expect(kindOfList('[1.10, 2]')).toBe('numbers');
    expect(kindOfList('[]')).toBe('texts');
    expect(kindOfList('[1, "a"]')).toBe('json');
    expect(kindOfList('[null]')).toBe('json');
    expect(kindOfList('"a"')).toBe('json');
  });

  it('keeps the spelling of a number on its way to a text and back', () => {
    expect(asKind('1.10', 'text')).toBe('"1.10"');
    expect(asKind('"1.10"', 'number')).toBe('1.10');
    expect(asKind('"DE"', 'number')).toBe('0');
    expect(asKind('12345678901234567890', 'json')).toBe('12345678901234567890');
    expect(asListKind('["1.10", "x", 2]', 'numbers')).toBe('[1.10, 2]');
    expect(asListKind('[1.10]', 'texts')).toBe('["1.10"]');
  });

  it('becomes one that the new operator takes', () => {
    expect(fitOperand('list', '"DE"')).toBe('["DE"]');
    expect(fitOperand('list', '""')).toBe('[]');
    expect(fitOperand('plain', '["DE", "US"]')).toBe('"DE"');
    expect(fitOperand('plain', '[]')).toBe('""');
    expect(fitOperand('plain', '{"a":1}')).toBe('{"a":1}');
    expect(fitOperand('version', '1.4')).toBe('"1.4"');
    expect(fitOperand('presence', '"x"')).toBe('true');
    expect(fitOperand('type', '"x"')).toBe('"string"');
    expect(fitOperand('size', '"x"')).toBe('0');
    expect(fitOperand('json', '3')).toBe('{}');
  });

  it('is touched only when the operator or a fresh attribute was chosen', () => {
    const rule = { id: 'a', field: 'x', operator: 'is', value: '"DE"' };
    const before = { id: 'g', combinator: 'and' as const, rules: [rule] };
    expect(followChoices(before, before)).toBe(before);
    const chosen = { ...before, rules: [{ ...rule, operator: '$in' }] };
    expect(followChoices(before, chosen).rules[0]).toMatchObject({ value: '["DE"]' });
    const fresh = { ...before, rules: [{ ...rule, field: '', value: '""' }] };
    const named = { ...before, rules: [{ ...rule, field: '@v', value: '""' }] };
    expect(followChoices(fresh, named).rules[0]).toMatchObject({ operator: '$vgte' });
  });
});

describe('the pills of a list', () => {
  it('show texts plainly, and quoted where blanks or quotation marks belong to them', () => {
    expect(pillsOf('["DE", " FR", "", "New York", "\\"a\\""]')).toEqual([
      'DE',
      '" FR"',
      '""',
      'New York',
      '"\\"a\\""',
    ]);
    expect(pillsOf('[1.10, 2]')).toEqual(['1.10', '2']);
  });

  it('keep the spelling of values that were there, blanks too, however often', () => {
    const source = '["D\\u0045", " FR", "DE"]';
    const pills = pillsOf(source);
    expect(typedPills(source, pills, 'texts').source).toBe(source);
    expect(typedPills(source, [...pills, 'US'], 'texts').source).toBe(
      '["D\\u0045", " FR", "DE", "US"]',
    );
    expect(typedPills('[1.10]', ['1.10', ' 2.0 '], 'numbers').source).toBe('[1.10, 2.0]');
  });

  it('trim what is typed, drop what is blank, and take quoted blanks for meant', () => {
    expect(typedPills('["DE"]', ['DE', ' FR'], 'texts').source).toBe('["DE", "FR"]');
    expect(typedPills('["DE"]', ['DE', '  '], 'texts').source).toBe('["DE"]');
    expect(typedPills('[]', ['" FR"', '"', "it's"], 'texts').source).toBe(
      '[" FR", "\\"", "it\'s"]',
    );
  });

  it('say which is no number', () => {
    expect(typedPills('[1]', ['1', 'x'], 'numbers')).toEqual({ source: '[1]', invalid: 'x' });
  });
});

describe('an attribute', () => {
  it('is found by its name, and by what people call it', () => {
    const found = (typed: string): string[] =>
      ['@u', '@v', '@mod', 'appStore', 'level'].filter((name) => isFoundBy(name, typed));
    expect(found('app version')).toEqual(['@v']);
    expect(found('App')).toEqual(['@v', 'appStore']);
    expect(found('user id')).toEqual(['@u']);
    expect(found('group')).toEqual(['@mod']);
    expect(found('bucket')).toEqual(['@mod']);
    expect(found('@m')).toEqual(['@mod']);
    expect(found('lev')).toEqual(['level']);
  });

  it('is taken for what it was called in full, unless that may be a name', () => {
    expect(attributeCalled(' App version ')).toBe('@v');
    expect(attributeCalled('user id')).toBe('@u');
    expect(attributeCalled('version')).toBeNull();
    expect(attributeCalled('group')).toBeNull();
  });

  it('is used by anything but the condition that asks', () => {
    const places = { segments: [], contents: [], sampleUsers: [] };
    const nowhere = { name: 'a', ...places, lastSeen: null, values: [] };
    const shop = { segment: undefined, content: 'shop' };
    expect(isUsedBeside(nowhere, shop)).toBe(false);
    expect(isUsedBeside({ ...nowhere, contents: ['Shop'] }, shop)).toBe(false);
    expect(isUsedBeside({ ...nowhere, contents: ['Shop', 'hats'] }, shop)).toBe(true);
    expect(isUsedBeside({ ...nowhere, segments: ['eu'] }, shop)).toBe(true);
    expect(isUsedBeside({ ...nowhere, sampleUsers: ['ada'] }, shop)).toBe(true);
    expect(isUsedBeside({ ...nowhere, lastSeen: '2026-11-23' }, shop)).toBe(true);
    const eu = { segment: 'eu', content: undefined };
    expect(isUsedBeside({ ...nowhere, segments: ['eu'] }, eu)).toBe(false);
  });
});

describe('two spellings of a condition', () => {
  it('are the same when only white space differs', () => {
    expect(sameTokens('{ "a b": [1, 2] }', '{"a b":[1,2]}')).toBe(true);
    expect(sameTokens('{"a b":1}', '{"ab":1}')).toBe(false);
    expect(sameTokens('{"a":1.10}', '{"a":1.1}')).toBe(false);
  });
});

describe('a condition in words', () => {
  it.each([
    ['{}', 'all players'],
    ['{"$or":[]}', 'all players'],
    ['{"$not":{}}', 'no players'],
    [
      '{"country":{"$in":["US","CA"]},"level":{"$gte":10}}',
      'country is one of US, CA and level is at least 10',
    ],
    ['{"$or":[{"a":"x y"},{"b":null,"c":true}]}', 'a is "x y" or (b is null and c is true)'],
    ['{"$nor":[{"@v":{"$vlt":"2.0.0"}}]}', 'not (app version < "2.0.0")'],
    ['{"mail":{"$exists":false}}', 'mail does not exist'],
    ['{"n":{"$in":[1,2,3,4,5,6]}}', 'n is one of 1, 2, 3, 4 and 2 more'],
    ['{"build":{"$vgte":"2.0.0"}}', 'build version ≥ "2.0.0"'],
    ['{"labels":{"$elemMatch":{"$eq":"beta"}}}', 'labels has an element that is exactly beta'],
    [
      '{"ranks":{"$elemMatch":{"$gte":5,"$lt":9}}}',
      'ranks has an element that is at least 5 and is below 9',
    ],
    [
      '{"items":{"$elemMatch":{"id":"hat","count":{"$gt":1}}}}',
      'items has an element with id is hat and count is above 1',
    ],
    ['{"items":{"$elemMatch":3}}', 'items has an element with 3'],
    ['{"level":{"$not":{"$gte":5}}}', 'not (level is at least 5)'],
    ['{"level":{"$not":{"$unknown":5}}}', 'level is not any of {"$unknown":5}'],
    ['not json', 'not json'],
  ])('%s', (source, words) => {
    expect(describeCondition(source)).toBe(words);
  });
});
