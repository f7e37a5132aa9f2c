/** Places of the grid stand in the order of the text; a derived change says what it means elsewhere. */
import { describe, expect, it } from 'vitest';
import {
  allPlaces,
  findPlaces,
  type GridLine,
  makeArm,
  placesOf,
} from '../../../../src/console/mapping/grid/grid-model.js';
import { deriveSeen, seenText } from '../../../../src/console/mapping/grid/seen-edit.js';
import type { PlainMutation } from '../../../../src/content/derive/plain-mutation.js';
import { plainOf } from '../../../../src/content/derive/plain-text.js';
import type { PlainValue } from '../../../../src/content/derive/plain-value.js';
import { pointerText } from '../../../../src/content/json/pointer-text.js';

function plain(text: string): PlainValue {
  const value = plainOf(text);
  if (value === null) throw new Error(`not JSON: ${text}`);
  return value;
}

const line = (appVersion: string, text: string): GridLine => ({
  ...{ appVersion, text, base: plain(text) },
});

const newest = line('2.0.0', '{"b":{"x":1,"y":[1,2]},"a":1}');
const oldest = line('1.0.0', '{"a":1}');

const arm = (mutation: PlainMutation | null, lines: readonly GridLine[]) =>
  makeArm({ variant: 0, name: 'cheap', mutation, isBroken: false }, lines);
const merge = (source: string): PlainMutation => ({ kind: 'merge', value: plain(source) });

describe('the places of the grid', () => {
  it('stand in the order of the text, new ones behind, none twice', () => {
    const arms = [
      arm(merge('{"a":2,"new":true,"b":{"y":[]}}'), [newest]),
      arm(merge('{"b":{"x":3}}'), [newest]),
    ];
    const places = placesOf(arms, [['b', 'y', '1'], ['a']], newest.base);
    expect(places.map(pointerText)).toEqual(['/b/x', '/b/y', '/b/y/1', '/a', '/new']);
  });

  it('are found by parts of the path and of the value', () => {
    const places = allPlaces(plain('{"packs":{"pouch":{"price":4.99}},"title":"Pouches"}'));
    const found = (query: string) => findPlaces(places, query, 9).map(({ pointer }) => pointer);
    expect(found('pouch 4.9')).toEqual(['/packs/pouch/price']);
    expect(found('POUCH')).toEqual(['/packs/pouch/price', '/title', '/packs/pouch']);
    expect(findPlaces(places, '', 1)).toHaveLength(1);
  });
});

describe('the text as a variant sees it', () => {
  const lines = [oldest, newest];

  it('is the text with its change', () => {
    expect(seenText(arm(merge('{"b":{"x":1.50}}'), lines), newest, 1)).toBe(
      '{"b":{"x":1.50,"y":[1,2]},"a":1}',
    );
  });

  it('that did not change derives nothing', () => {
    expect(
      deriveSeen('{"a": 1, "b": {"y": [1, 2], "x": 1}}', arm(null, lines), lines, 1).kind,
    ).toBe('unchanged');
  });

  it('names the place of what is no JSON', () => {
    expect(deriveSeen('{"a": 1\n "b": 2}', arm(null, lines), lines, 1)).toEqual({
      kind: 'issue',
      message: 'Line 2, column 2: Expected "," or "}".',
    });
  });

  const noticesOf = (typed: string, mutation: PlainMutation | null = null): readonly string[] => {
    const edit = deriveSeen(typed, arm(mutation, lines), lines, 1);
    if (edit.kind !== 'derived') throw new Error(edit.kind);
    return edit.notices;
  };

  it('warns of versions for which the change means something else', () => {
    expect(noticesOf('{"b":{"x":1,"y":[1,2]},"a":2}')).toEqual([]);
    expect(noticesOf('{"b":{"x":5,"y":[1,2]},"a":1}')).toEqual([
      'On version 1.0.0 it changes different places or values.',
    ]);
  });

  it('warns where the change does not apply any more, and of operations that it replaces', () => {
    const operations = '[{"op":"test","path":"/a","value":1}]';
    const patch: PlainMutation = { kind: 'patch', value: plain(operations) };
    expect(noticesOf('{"b":{"x":1,"y":[1,3]},"a":1}', patch)).toEqual([
      '1 operation of cheap that the grid cannot show will be replaced by its current result.',
      'It does not apply to version 1.0.0: the place does not exist. Its players would get the text without it.',
    ]);
    const [first] = noticesOf('{"b":{"x":1,"y":[1,3]},"a":1}');
    expect(first).toMatch(/cannot set one element of a list/);
  });
});
