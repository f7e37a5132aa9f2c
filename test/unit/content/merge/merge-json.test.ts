/** Merging by JSON place: what both keep, and where they conflict. */
import { describe, expect, it } from 'vitest';
import type { ElementsKind } from '../../../../src/content/merge/match-children.js';
import { mergeTexts } from '../../../../src/content/merge/merge-text.js';
import {
  conflictsOf,
  type MergeConflict,
  sourceOf,
} from '../../../../src/content/merge/merge-tree.js';

const shop = `{
  // Prices in cents.
  "offers": [
    { "sku": "offer-1", "price": 1.10 }, // the smallest
    { "sku": "offer-2", "price": 499 },
    { "sku": "offer-3", "price": 999 },
    { "sku": "offer-4", "price": 1999 }
  ],
  "open": true
}
`;

function merge(base: string, theirs: string, mine: string, elements: ElementsKind = 'any') {
  const { tree, met, by } = mergeTexts({ base, theirs, mine }, elements);
  const conflicts = conflictsOf(tree);
  const as = (side: 'theirs' | 'mine'): string =>
    sourceOf(tree, (conflict) => conflict[side]) ?? '';
  return { conflicts, met, by, text: as('theirs'), mine: as('mine') };
}

function placesOf(conflicts: readonly MergeConflict[]): string[] {
  return conflicts.map(({ place }) => place);
}

const priced = (text: string, from: string, to: string): string => text.replace(from, to);

describe('a merge of two edits of one text', () => {
  it('keeps both prices of one list, and every other character of the saved text', () => {
    const theirs = priced(shop, '499', '450').replace('"open"', '/* since May */ "open"');
    const mine = priced(shop, '1999', '1_999'.replace('_', ''));
    const typed = priced(mine, '1999', '1799');
    const { conflicts, text } = merge(shop, theirs, typed);
    expect(conflicts).toEqual([]);
    expect(text).toBe(priced(theirs, '1999', '1799'));
  });

  it('has one conflict where both changed one price, named by the element', () => {
    const theirs = priced(shop, '499', '450');
    const typed = priced(priced(shop, '499', '399'), '"open": true', '"open": false');
    const { conflicts, text, mine } = merge(shop, theirs, typed);
    expect(conflicts).toEqual([
      { place: '/offers/1/price', element: '"offer-2"', base: '499', theirs: '450', mine: '399' },
    ]);
    expect(text).toBe(priced(theirs, '"open": true', '"open": false'));
    expect(mine).toBe(typed);
  });

  it('has no conflict where both wrote the same', () => {
    const same = priced(shop, '499', '450');
    expect(merge(shop, same, same)).toMatchObject({ conflicts: [], text: same });
  });

  it('takes a comment of mine beside a value of theirs, and the spelling of numbers', () => {
    const theirs = priced(shop, '1.10', '1.20');
    const typed = priced(shop, '// the smallest', '// the smallest one');
    expect(merge(shop, theirs, typed).text).toBe(
      priced(theirs, '// the smallest', '// the smallest one'),
    );
  });

  it('keeps what both inserted, and drops what one removed', () => {
    const base = '[{"id":1,"n":1},{"id":2,"n":2},{"id":3,"n":3}]';
    const theirs = '[{"id":0},{"id":1,"n":1},{"id":3,"n":3}]';
    const typed = '[{"id":1,"n":7},{"id":2,"n":2},{"id":3,"n":3},{"id":4}]';
    expect(merge(base, theirs, typed)).toMatchObject({
      conflicts: [],
      met: [],
      text: '[{"id":0},{"id":1,"n":7},{"id":3,"n":3},{"id":4}]',
    });
  });

  it('puts theirs first where both append to a list of named elements, and says so', () => {
    expect(merge('[{"id":1}]', '[{"id":1}, {"id":2}]', '[{"id":1}, {"id":3}]')).toMatchObject({
      conflicts: [],
      met: [''],
      text: '[{"id":1}, {"id":2}, {"id":3}]',
    });
  });

  it('conflicts as a whole where both append to a list of plain values', () => {
    const { conflicts } = merge('{"a":[1]}', '{"a":[1,2]}', '{"a":[1,3]}');
    expect(conflicts).toEqual([
      { place: '/a', element: null, base: '[1]', theirs: '[1,2]', mine: '[1,3]' },
    ]);
  });

  it('keeps both of a set', () => {
    expect(merge('["a"]', '["a","b"]', '["c","a"]', 'set').text).toBe('["c","a","b"]');
    expect(merge('["a"]', '["a","b"]', '["a","c"]', 'set')).toMatchObject({
      conflicts: [],
      met: [],
      text: '["a","b","c"]',
    });
  });

  it('merges changes of plain lists at different places', () => {
    expect(merge('[1,2,3,4]', '[1,9,3,4]', '[1,2,3,5,4]').text).toBe('[1,9,3,5,4]');
    expect(merge('[1,2,3,4]', '[2,3,4]', '[1,2,3,7]').text).toBe('[2,3,7]');
    expect(merge('[[1,2],[3,4]]', '[[1,0],[3,4]]', '[[1,2],[3,0]]').text).toBe('[[1,0],[3,0]]');
  });

  it('conflicts where one removed what the other edited, and either can be taken', () => {
    const base = '{"a": {"x": 1}, "b": 2}';
    const { conflicts, text, mine } = merge(base, '{"b": 2}', '{"a": {"x": 3}, "b": 2}');
    expect(conflicts).toEqual([
      { place: '/a', element: null, base: '{"x": 1}', theirs: null, mine: '{"x": 3}' },
    ]);
    expect(JSON.parse(text)).toEqual({ b: 2 });
    expect(JSON.parse(mine)).toEqual({ a: { x: 3 }, b: 2 });
  });

  it('conflicts where both add a name with different values, or change the kind', () => {
    expect(placesOf(merge('{}', '{"a/b":1}', '{"a/b":2}').conflicts)).toEqual(['/a~1b']);
    expect(placesOf(merge('{"a":1}', '{"a":[1]}', '{"a":{}}').conflicts)).toEqual(['/a']);
  });

  it('follows the order of the side that moved elements; of both, it conflicts', () => {
    const list = (...ids: number[]): string => JSON.stringify(ids.map((id) => ({ id })));
    expect(merge(list(1, 2, 3), list(3, 1, 2), list(1, 2, 3, 4)).text).toBe(list(3, 4, 1, 2));
    expect(merge(list(1, 2, 3), list(1, 2, 3, 4), list(3, 1, 2)).text).toBe(list(3, 4, 1, 2));
    expect(placesOf(merge(list(1, 2, 3), list(3, 1, 2), list(2, 1, 3)).conflicts)).toEqual(['']);
  });

  it('matches rules by segment and occurrence', () => {
    const rule = (segment: string, price: number) => ({ segment, merge: { price } });
    const base = JSON.stringify([rule('a', 1), rule('b', 2), rule('a', 3)]);
    const theirs = JSON.stringify([rule('a', 1), rule('b', 2), rule('a', 4)]);
    const typed = JSON.stringify([rule('a', 7), rule('b', 2), rule('a', 3), rule('c', 5)]);
    expect(JSON.parse(merge(base, theirs, typed, 'rules').text)).toEqual([
      rule('a', 7),
      rule('b', 2),
      rule('a', 4),
      rule('c', 5),
    ]);
  });

  it('never lets a comment swallow what comes after it', () => {
    const base = '{"a": 1, "b": 2}';
    const theirs = '{"a": 1, "b": 2 // two\n}';
    const typed = '{"a": 1, "b": 2, "c": 3}';
    expect(merge(base, theirs, typed).text).toBe('{"a": 1, "b": 2, // two\n "c": 3\n}');
  });

  it('ends a comment where it is closed, not at the last one of the line', () => {
    const base = '{ /* one */ "a": 1, /* two */\n "b": 2}';
    expect(merge(base, base.replace('1', '5'), base.replace('2', '6')).text).toBe(
      base.replace('1', '5').replace('2', '6'),
    );
  });

  it('merges by lines what is not JSON, with a conflict where both changed a line', () => {
    const base = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
    const unfinished = '{\n  "a": 1,\n  "b": 2,\n  "c": \n}\n';
    const theirs = priced(base, '"a": 1', '"a": 9');
    expect(merge(base, theirs, unfinished)).toMatchObject({
      by: 'line',
      conflicts: [],
      text: priced(unfinished, '"a": 1', '"a": 9'),
    });
    const both = merge(base, priced(base, '"c": 3', '"c": 4'), unfinished);
    expect(both.conflicts).toEqual([
      {
        place: 'line 4',
        element: null,
        base: '  "c": 3\n',
        theirs: '  "c": 4\n',
        mine: '  "c": \n',
      },
    ]);
    expect(both.mine).toBe(unfinished);
  });

  it('does not tell apart members whose name repeats, and conflicts at their object', () => {
    expect(
      placesOf(
        merge('{"o":{"a":1,"a":2}}', '{"o":{"a":1,"a":3}}', '{"o":{"a":4,"a":2}}').conflicts,
      ),
    ).toEqual(['/o']);
  });
});
