import { describe, expect, it } from 'vitest';
import { parseCombineQuery, parseDynamicQuery } from '../../../src/delivery/query.js';
import { refusals } from '../../../src/delivery/refusals.js';

describe('the query of a wrapped request', () => {
  it.each([
    ['', false],
    ['responseType=serialized', true],
    ['dynamic=maybe&c=1', false],
    ['responseType=Serialized', refusals.responseTypeInvalid],
    ['responseType=', refusals.responseTypeInvalid],
  ])('%j', (query, expected) => {
    expect(parseDynamicQuery(query)).toBe(expected);
  });
});

describe('the query of combine', () => {
  it.each(['c=["a","b"]', 'c=%5B%22a%22%2C%22b%22%5D', 'x=1&c=["a","b","a"]'])('%j', (query) => {
    expect(parseCombineQuery(query, 3)).toMatchObject({
      ids: ['a', 'b'],
      dynamic: false,
      serialized: false,
    });
  });

  it('keeps ids apart that differ in spelling', () => {
    expect(parseCombineQuery('c=["a","A"]', 3)).toMatchObject({ ids: ['a', 'A'] });
  });

  it.each([
    ['', refusals.idsMissing],
    ['c=', refusals.idsMissing],
    ['c=a', refusals.idsMissing],
    ['c={"a":1}', refusals.idsMissing],
    ['c=["a",1]', refusals.idsMissing],
    ['c=%', refusals.idsMissing],
    ['c=["a","b","a","b"]', refusals.idsTooMany],
    ['c=[]&dynamic=yes', refusals.dynamicInvalid],
    ['c=[]&dynamic=', refusals.dynamicInvalid],
    ['c=[]&dynamic=true&responseType=json', refusals.responseTypeInvalid],
    ['c=[]&responseType=serialized', refusals.responseTypeAlone],
    ['c=[]&dynamic=false&responseType=serialized', refusals.responseTypeAlone],
  ])('refuses %j', (query, expected) => {
    expect(parseCombineQuery(query, 3)).toBe(expected);
  });
});
