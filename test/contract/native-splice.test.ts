/**
 * Mutations, natively: the same bytes and the same faults as the TypeScript twin, whatever is stacked on whatever. The
 * documents repeat keys and spell them differently, so that what is "the" member of a key is asked all the time.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonDocument } from '../../src/content/json/document.js';
import { MutationFault, type MutationKind } from '../../src/content/mutation/mutation.js';
import { splice } from '../../src/content/mutation/splice.js';
import type { NativeMutation } from '../../src/native/native-content.js';
import {
  anyTree,
  numberLexeme,
  plainKeys,
  stringLexeme,
} from '../unit/content/json/arbitrary-json.js';
import { printRaw } from '../unit/content/json/raw-tree.js';
import { documentOf } from '../unit/content/mutation/splicing.js';
import { native } from './native-kernels.js';

interface Stated {
  readonly kind: MutationKind;
  readonly value: string;
}

/** Compiles what can be compiled, and applies it in both ways. */
function expectSame(document: JsonDocument, stated: readonly Stated[], bytesMax = 1e6): void {
  const mutations: NativeMutation[] = [];
  for (const { kind, value } of stated) {
    const mutation = native.compileMutation(kind, documentOf(value));
    if (!(mutation instanceof MutationFault)) mutations.push(mutation);
  }
  const twins = mutations.map(({ twin }) => twin);
  const expected = splice(document, twins, bytesMax);
  const spliced = native.splice(document, mutations, bytesMax);
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  expect(text(spliced.bytes)).toBe(text(expected.bytes));
  expect(spliced.missedAt).toEqual(expected.faults.map((fault) => fault?.operation ?? null));
  expect(spliced.faults).toEqual(expected.faults);
}

const same = (text: string, kind: MutationKind, value: string, bytesMax?: number): void =>
  expectSame(documentOf(text), [{ kind, value }], bytesMax);

const patches = (text: string, ...operations: object[]): void =>
  same(text, 'patch', JSON.stringify(operations));

const keys = fc.oneof(fc.constantFrom(...plainKeys, '"\\ud800"', '"__proto__"'), stringLexeme);
const tokens = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  'é',
  'x~1y',
  'm~0n',
  '0',
  '1',
  '2',
  '3',
  '-',
  '01',
  '1e0',
  '99999999999999999999',
  '~01',
  'q"\\',
  '__proto__',
);
const pointer = fc
  .array(tokens, { maxLength: 4 })
  .map((parts) => parts.map((part) => `/${part}`).join(''));
const operation = fc
  .tuple(
    fc.constantFrom('add', 'add', 'replace', 'remove', 'test', 'move', 'copy'),
    pointer,
    pointer,
    anyTree.map(printRaw),
  )
  .map(([op, path, from, value]) => {
    const quoted = (text: string): string => JSON.stringify(text);
    return `{"op":"${op}","path":${quoted(path)},"from":${quoted(from)},"value":${value}}`;
  });
const stated: fc.Arbitrary<Stated> = fc.oneof(
  {
    weight: 3,
    arbitrary: anyTree.map((tree): Stated => ({ kind: 'merge', value: printRaw(tree) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(operation, { maxLength: 5 })
      .map((all): Stated => ({ kind: 'patch', value: `[${all.join(',')}]` })),
  },
  {
    weight: 1,
    arbitrary: anyTree.map((tree): Stated => ({ kind: 'replace', value: printRaw(tree) })),
  },
);

/** An object of objects and arrays, of the keys that pointers and merges use. */
const content: fc.Arbitrary<string> = fc
  .array(fc.tuple(keys, anyTree.map(printRaw)), { maxLength: 8 })
  .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`);

describe('native mutations', () => {
  it('merge as the twin does', () => {
    same('{"a":1,"b":2}', 'merge', '{"b":null,"c":{"d":null,"e":1}}');
    same('{"a":1,"\\u0061":2,"b":3,"a":4}', 'merge', '{"a":{"x":1}}');
    same('{"a":1,"b":0,"a":2,"c":0,"a":3}', 'merge', '{"a":null}');
    same('{"a":1}', 'merge', '{"a":2,"a":3}');
    same('{"a":[1]}', 'merge', '{"a":{"b":{"c":null}}}');
    same('[1]', 'merge', '{"a":null,"b":{"c":1}}');
    same('{"a":1}', 'merge', '7');
    same('{"\\ud83d\\ude00":1,"😀":2}', 'merge', '{"😀":null}');
    same('{"\\ud800":1}', 'merge', '{"\\uD800":2}');
    same('{"q\\"\\\\":1,"\\n":2}', 'merge', '{"\\u0071\\u0022\\u005c":null,"\\u000a":3}');
    same('{"a\\\\":1,"a\\n":2}', 'merge', '{"a\\\\":3}');
    same('{}', 'merge', '{}');
    same('{"a":{}}', 'merge', '{"a":{}}');
  });

  it('merge many members at once', () => {
    const members = (count: number, value: string): string =>
      `{${Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join(',')}}`;
    for (const count of [7, 8, 9, 16, 17, 200]) {
      same(members(count, '{"a":1}'), 'merge', members(count + 3, '{"b":[2]}'));
      same(members(count, '1'), 'merge', members(count >> 1, 'null'));
      same('{"\\u006b1":1,"k1":2}', 'merge', members(count, '{"c":null}'));
      same('[]', 'merge', `{"k0":1,${members(count, 'null').slice(1)}`);
    }
  });

  it('patch as the twin does, and miss where it misses', () => {
    const text = '{"a":[1,{"b":2},[3]],"o":{"x/y":1,"m~n":2,"":3},"a2":"s"}';
    for (const path of [
      '',
      '/',
      '/a',
      '/a/0',
      '/a/1/b',
      '/a/3',
      '/a/4',
      '/a/-',
      '/a/01',
      '/a/x',
      '/a/-1',
      '/a2/0',
      '/o/x~1y',
      '/o/m~0n',
      '/o/',
      '/q/r',
      '/a/2/0/0',
      '/a/1/c',
    ]) {
      for (const op of ['add', 'replace', 'remove', 'test'])
        patches(text, { op, path, value: { z: [1] } });
      for (const from of [
        '',
        '/a',
        '/a/0',
        '/a/1',
        '/o',
        '/a2',
        '/zz',
        '/a/-',
        '/a/9',
        '/o/nope',
        '/a2/x',
      ]) {
        patches(text, { op: 'move', from, path });
        patches(text, { op: 'copy', from, path });
      }
    }
  });

  it('undo a patch whole when one of its operations misses', () => {
    patches('{"a":1}', { op: 'add', path: '/b', value: 2 }, { op: 'remove', path: '/c' });
    patches(
      '[1]',
      { op: 'add', path: '/-', value: 2 },
      { op: 'test', path: '/1', value: 2.0 },
      { op: 'test', path: '/1', value: 3 },
    );
  });

  it('compare as the twin does', () => {
    const pairs = [
      ['1', '1.0'],
      ['1e2', '100'],
      ['100', '1E+2'],
      ['0', '-0'],
      ['0.0e99', '0'],
      ['1e400', '10e399'],
      ['1e400', '1e401'],
      ['-1', '1'],
      ['1e99999999999999999999', '10e99999999999999999998'],
      ['1e-99999999999999999999', '0.1e-99999999999999999998'],
      ['1e1000000000000000', '0.1e1000000000000001'],
      ['1e999999999999999', '0.1e1000000000000000'],
      ['1e-1000000000000000', '10e-1000000000000001'],
      ['0.001', '1e-3'],
      ['0.0010', '0.1e-2'],
      ['123.456e-3', '0.123456'],
      ['1e0', '1'],
      ['1e-0', '1'],
      ['1e00', '1'],
      ['10', '1'],
      ['12345678901234567890', '12345678901234567891'],
      ['"a"', '"\\u0061"'],
      ['"\\/"', '"/"'],
      ['"\\ud83d\\ude00"', '"😀"'],
      ['"\\ud800"', '"\\uD800"'],
      ['"\\ud800"', '"\\udc00"'],
      ['{"a":1,"b":2}', '{"b":2.0,"a":1e0}'],
      ['{"a":1,"a":2}', '{"a":2}'],
      ['{"a":1}', '{"b":1}'],
      ['{"a":1}', '{}'],
      ['[1,2]', '[2,1]'],
      ['[1]', '[1,1]'],
      ['[]', '{}'],
      ['[]', '[]'],
      ['null', 'false'],
      ['true', 'false'],
      ['"1"', '1'],
      ['[[1,{"a":[]}]]', '[[1.0,{"\\u0061":[]}]]'],
    ];
    for (const [one, other] of pairs) {
      for (const [a, b] of [
        [one, other],
        [other, one],
      ]) {
        same(
          `{"v":${a}}`,
          'patch',
          `[{"op":"test","path":"/v","value":${b}},{"op":"add","path":"/ok","value":1}]`,
        );
      }
    }
    fc.assert(
      fc.property(
        fc.oneof(numberLexeme, stringLexeme, anyTree.map(printRaw)),
        numberLexeme,
        (one, other) => {
          same(`[${one}]`, 'patch', `[{"op":"test","path":"/0","value":${other}}]`);
          same(`[${one}]`, 'patch', `[{"op":"test","path":"/0","value":${one}}]`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keep to the limits of bytes and levels', () => {
    const double = { op: 'copy', from: '/a', path: '/a/-' };
    for (const bytesMax of [0, 10, 100, 1_000, Number.POSITIVE_INFINITY]) {
      same('{"a":[1]}', 'patch', JSON.stringify(Array(8).fill(double)), bytesMax);
      same('{"a":[1]}', 'merge', '{"b":"0123456789012345678901234567890"}', bytesMax);
      same('{"a":[1]}', 'replace', '"0123456789"', bytesMax);
      same(`"${'x'.repeat(200)}"`, 'replace', `"${'y'.repeat(150)}"`, bytesMax);
    }
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    for (const levels of [998, 999, 1_000]) {
      same('{"a":{}}', 'patch', `[{"op":"add","path":"/a/b","value":${deep(levels - 3)}}]`);
      same(`{"a":${deep(levels - 1)}}`, 'patch', '[{"op":"copy","from":"/a","path":"/b"}]');
      same(`{"a":${deep(levels - 1)}}`, 'patch', '[{"op":"copy","from":"/a","path":"/a/0/0/0"}]');
      same('{}', 'merge', `${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}`);
    }
  });

  it('make the same of any document and any stack of mutations', () => {
    const documents = fc.oneof(
      { weight: 4, arbitrary: content },
      { weight: 1, arbitrary: anyTree.map(printRaw) },
    );
    fc.assert(
      fc.property(
        documents,
        fc.array(stated, { maxLength: 4 }),
        fc.constantFrom(1e6, 1e6, 60),
        (text, all, bytesMax) => expectSame(documentOf(text), all, bytesMax),
      ),
      { numRuns: 6_000 },
    );
  });

  it('survive thousands of operations on one array without hoarding', () => {
    const operations = Array.from({ length: 3_000 }, (_, i) => ({
      op: 'add',
      path: `/${i >> 1}`,
      value: i,
    }));
    patches('[]', ...operations);
    const copies = Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/-' }));
    same('[1]', 'patch', JSON.stringify(copies), 1e6);
    const shared = [{ op: 'add', path: '/0', value: {} }, ...copies.slice(0, 12)];
    const touched = operations
      .slice(0, 800)
      .map(({ value }) => ({ op: 'add', path: `/${value % 3}/k${value}`, value }));
    same('[{},{},{}]', 'patch', JSON.stringify([...shared, ...touched]), 1e7);
  });
});
