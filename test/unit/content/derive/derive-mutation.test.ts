/*
 * What is derived is judged by the engine that delivers: its result must be what was typed, number by number. The engine and the
 * console's twin of it must agree.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../../src/content/derive/changes.js';
import { deriveMutation } from '../../../../src/content/derive/derive-mutation.js';
import { formedText } from '../../../../src/content/derive/formed-text.js';
import {
  applyPlain,
  NotApplicable,
  type PlainMutation,
} from '../../../../src/content/derive/plain-mutation.js';
import { plainOf } from '../../../../src/content/derive/plain-text.js';
import {
  type PlainValue,
  printPlain,
  samePlain,
} from '../../../../src/content/derive/plain-value.js';
import type { MutationKind } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { anyTree, jsoncOf, plainObject, plainTree } from '../json/arbitrary-json.js';
import { printRaw } from '../json/raw-tree.js';
import { documentOf, mutationOf, strip } from '../mutation/splicing.js';

function plain(text: string): PlainValue {
  const value = plainOf(text);
  if (value === null) throw new Error(`not JSONC: ${text}`);
  return value;
}

/** What delivery makes of it; null: the mutation does not apply. */
function delivered(text: string, kind: MutationKind, source: string): PlainValue | null {
  const { bytes, issues } = splice(documentOf(text), [mutationOf(kind, source)], 1e6);
  return issues[0] === null ? plain(Buffer.from(bytes).toString('utf8')) : null;
}

const json = anyTree.map(printRaw);
const objectJson = plainObject.map(printRaw);

/** A value and another that has much in common with it, as edits of people do. */
const edited = fc
  .tuple(objectJson, fc.array(fc.tuple(fc.nat(), plainTree.map(printRaw)), { maxLength: 3 }))
  .map(([text, edits]) => {
    const places = scalarsOf(text);
    let changed = text;
    const chosen = edits
      .map(([seed, source]) => [places[seed % Math.max(1, places.length)], source] as const)
      .toSorted(([a], [b]) => (b?.[0] ?? 0) - (a?.[0] ?? 0));
    for (const [place, source] of chosen) {
      if (place === undefined || place[1] > changed.length) continue;
      const next = changed.slice(0, place[0]) + source + changed.slice(place[1]);
      if (plainOf(next) !== null) changed = next;
    }
    return [text, changed] as const;
  });

function scalarsOf(text: string): [number, number][] {
  return Array.from(
    text.matchAll(/(?<=[:,[])(?:-?\d[^,\]}]*|true|false|null)(?=[,\]}])/g),
    (match) => [match.index, match.index + match[0].length],
  );
}

const pairs = fc.oneof(edited, fc.tuple(json, json), fc.tuple(objectJson, objectJson));

const currents = fc.option(
  fc.oneof(
    objectJson.map((value) => ['merge', value] as const),
    fc.constant(['patch', '[]'] as const),
    fc.constant(['replace', '{}'] as const),
  ),
  { nil: null },
);

describe('the derived mutation', () => {
  it('makes exactly what was typed of the base, when the engine applies it', () => {
    fc.assert(
      fc.property(pairs, currents, ([base, wanted], current) => {
        const before: PlainMutation | null =
          current === null ? null : { kind: current[0], value: plain(current[1]) };
        const { mutation } = deriveMutation(plain(base), plain(wanted), before);
        const result = delivered(base, mutation.kind, printPlain(mutation.value));
        expect(result).not.toBeNull();
        expect(samePlain(result, plain(wanted)), printPlain(result ?? mutation.value)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it('writes only what differs: the deepest places, in order', () => {
    const base = plain('{"packs":{"pouch":{"price":4.99,"gems":1.10},"chest":{"price":9}}}');
    const wanted = plain('{"packs":{"pouch":{"price":3.990,"gems":1.10},"chest":{"price":9}}}');
    const { mutation, converted } = deriveMutation(base, wanted, null);
    expect(mutation.kind).toBe('merge');
    expect(printPlain(mutation.value)).toBe('{"packs":{"pouch":{"price":3.990}}}');
    expect(converted).toBeNull();
  });

  it('never says what stays: each change is needed, and none touches an equal value', () => {
    fc.assert(
      fc.property(pairs, ([base, wanted]) => {
        const changes = changesBetween(plain(base), plain(wanted));
        expect(changes.length === 0).toBe(samePlain(plain(base), plain(wanted)));
      }),
    );
  });

  const cases: [string, string, string, MutationKind, string, string | null][] = [
    [
      'one element of a list',
      '{"a":[1,2]}',
      '{"a":[1,3]}',
      'patch',
      '[{"op":"replace","path":"/a/1","value":3}]',
      'element',
    ],
    [
      'null',
      '{"a":1}',
      '{"a":null}',
      'patch',
      '[{"op":"replace","path":"/a","value":null}]',
      'null',
    ],
    ['a list of other elements', '{"a":[1,2]}', '{"a":[3]}', 'merge', '{"a":[3]}', null],
    ['a member less', '{"a":{"b":1,"c":2}}', '{"a":{"b":1}}', 'merge', '{"a":{"c":null}}', null],
    [
      'an element more',
      '{"a":[{"id":1,"x":1},{"id":2}]}',
      '{"a":[{"id":0},{"id":1,"x":5},{"id":2}]}',
      'patch',
      '[{"op":"add","path":"/a/0","value":{"id":0}},{"op":"replace","path":"/a/1/x","value":5}]',
      'element',
    ],
    [
      'an element less',
      '{"a":[{"id":1},{"id":2},{"id":3}]}',
      '{"a":[{"id":1},{"id":3}]}',
      'patch',
      '[{"op":"remove","path":"/a/1"}]',
      'element',
    ],
  ];
  for (const [name, base, wanted, kind, source, converted] of cases) {
    it(`says ${name} in the smallest form that can`, () => {
      const derived = deriveMutation(plain(base), plain(wanted), null);
      expect([
        derived.mutation.kind,
        printPlain(derived.mutation.value),
        derived.converted,
      ]).toEqual([kind, source, converted]);
    });
  }

  it('stays a merge patch where that writes the list anyway', () => {
    const current: PlainMutation = { kind: 'merge', value: plain('{"a":[1,9]}') };
    const { mutation } = deriveMutation(plain('{"a":[1,2]}'), plain('{"a":[1,8]}'), current);
    expect([mutation.kind, printPlain(mutation.value)]).toEqual(['merge', '{"a":[1,8]}']);
  });
});

describe('mutations of plain values', () => {
  const operation = fc
    .record({
      op: fc.constantFrom('add', 'replace', 'remove', 'move', 'copy', 'test'),
      path: fc.constantFrom('', '/a', '/b', '/a/0', '/a/-', '/a/b', '/c/1', '/x~1y', '/m~0n', '/0'),
      from: fc.constantFrom('/a', '/b', '/a/0', '/c'),
      value: fc.constantFrom('1', '1.0', '[1,2]', '{"b":[]}', 'null', '"\\u0061"'),
    })
    .map(
      ({ op, path, from, value }) =>
        `{"op":"${op}","path":"${path}","from":"${from}","value":${value}}`,
    )
    // To remove the whole document is no operation at all.
    .filter((source) => !source.startsWith('{"op":"remove","path":""'));
  const isMoveIntoItself = (source: string): boolean => {
    const { op, path, from } = JSON.parse(source);
    return op === 'move' && path.startsWith(`${from}/`);
  };
  const patches = fc
    .array(
      operation.filter((source) => !isMoveIntoItself(source)),
      { maxLength: 4 },
    )
    .map((operations) => ['patch', `[${operations.join()}]`] as const);
  const merges = plainTree.map((tree) => ['merge', printRaw(tree)] as const);

  it('come out as the engine delivers them', () => {
    fc.assert(
      fc.property(objectJson, fc.oneof(patches, merges), (base, [kind, source]) => {
        const own = applyPlain(plain(base), { kind, value: plain(source) });
        const theirs = delivered(base, kind, source);
        expect(own instanceof NotApplicable).toBe(theirs === null);
        if (!(own instanceof NotApplicable)) {
          expect(printSorted(own)).toBe(printSorted(theirs as PlainValue));
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

/** Repeated keys apart, members in any order. */
function printSorted(value: PlainValue): string {
  if (value.kind === 'scalar') return value.source;
  if (value.kind === 'array') return `[${value.elements.map(printSorted).join()}]`;
  const members = Array.from(
    value.members,
    ([name, member]) => `${JSON.stringify(name)}:${printSorted(member)}`,
  );
  return `{${members.sort().join()}}`;
}

describe('a text in the form of the base', () => {
  it('has the value, and every comment that the base has', () => {
    const text = '{\n  // euros\n  "price": 4.99,\n  "list": [\n    1, // one\n    2\n  ]\n}\n';
    const wanted = plain('{"price":3.990,"list":[1,7,2],"new":true}');
    expect(formedText(text, plain(text), wanted)).toBe(
      '{\n  // euros\n  "price": 3.990,\n  "list": [\n    1, // one\n    7,\n    2\n  ],\n  "new": true\n}\n',
    );
  });

  it('has the value whatever the text is like', () => {
    fc.assert(
      fc.property(jsoncOf(plainObject), objectJson, ({ jsonc }, wanted) => {
        const formed = formedText(jsonc, plain(jsonc), plain(wanted));
        expect(formed).not.toBeNull();
        expect(samePlain(plain(strip(formed ?? '')), plain(wanted))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
