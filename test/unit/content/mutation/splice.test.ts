import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonDocument } from '../../../../src/content/json/document.js';
import {
  compileMutation,
  type Mutation,
  MutationFault,
} from '../../../../src/content/mutation/mutation.js';
import { applyMutations, splice } from '../../../../src/content/mutation/splice.js';
import { writeValue } from '../../../../src/content/mutation/write-value.js';
import { anyTree, plainObject, stringLexeme } from '../json/arbitrary-json.js';
import { parseRaw, printRaw, type RawTree } from '../json/raw-tree.js';
import { apply, documentOf, merge, missOf, mutationOf, patch } from './splicing.js';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function spliceText(text: string, mutations: readonly Mutation[], bytesMax = 1e6): string {
  return textOf(splice(documentOf(text), mutations, bytesMax).bytes);
}

describe('splice', () => {
  it('applies each mutation to the result of those before it', () => {
    const mutations = [
      mutationOf('merge', '{"shop":{"offers":[{"id":1}],"banner":null}}'),
      mutationOf(
        'patch',
        '[{"op":"add","path":"/shop/offers/-","value":{"id":2}},{"op":"replace","path":"/shop/offers/0/id","value":10}]',
      ),
      mutationOf('merge', '{"shop":{"discount":20}}'),
    ];
    expect(spliceText('{"shop":{"banner":"x","discount":5},"v":1.10}', mutations)).toBe(
      '{"shop":{"discount":20,"offers":[{"id":10},{"id":2}]},"v":1.10}',
    );
  });

  it('writes into the buffer that is made for it, and leaves the room around the result alone', () => {
    const { value } = applyMutations(documentOf('{"a":1,"b":"x"}'), [mutationOf('merge', '{"a":22}')], 1e6);
    const allocate = (length: number) => new Uint8Array(new SharedArrayBuffer(length)).fill(0x2e);
    const buffer = writeValue(value, { before: 3, after: 2, allocate });
    expect(textOf(buffer)).toBe('...{"a":22,"b":"x"}..');
  });

  it('leaves the data as before a mutation that cannot apply, and goes on with the next', () => {
    const mutations = [
      mutationOf('merge', '{"a":1}'),
      mutationOf('patch', '[{"op":"add","path":"/b","value":2},{"op":"remove","path":"/none"}]'),
      mutationOf('merge', '{"c":3}'),
    ];
    const { bytes, faults } = splice(documentOf('{}'), mutations, 1e6);
    expect(textOf(bytes)).toBe('{"a":1,"c":3}');
    expect(faults[0]).toBeNull();
    expect(faults[1]).toBeInstanceOf(MutationFault);
    expect(faults[1]).toMatchObject({
      operation: 1,
      message: 'operation 1: path "/none" does not exist: the document has no member "none"',
    });
    expect(faults[2]).toBeNull();
  });

  it('shows what a replace put there to the mutations after it', () => {
    const mutations = [
      mutationOf('replace', '{"x":[1]}'),
      mutationOf('patch', '[{"op":"remove","path":"/x/0"}]'),
    ];
    expect(spliceText('"old"', mutations)).toBe('{"x":[]}');
  });

  it('gives bytes that may be transferred: never those of a document, always a whole buffer', () => {
    const document = documentOf('{"a":1}');
    const replacement = documentOf('{"b":2}');
    for (const mutations of [[], [mutationOf('replace', textOf(replacement.bytes))]]) {
      const { bytes } = splice(document, mutations, 1e6);
      expect(bytes.buffer).not.toBe(document.bytes.buffer);
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
      structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
      expect(textOf(document.bytes)).toBe('{"a":1}');
    }
  });

  it('uses a compiled mutation any number of times, on any document', () => {
    const mutation = mutationOf('merge', '{"a":{"b":null,"c":[1]}}');
    for (let i = 0; i < 3; i++)
      expect(spliceText('{"a":{"b":1}}', [mutation])).toBe('{"a":{"c":[1]}}');
    expect(spliceText('7', [mutation])).toBe('{"a":{"c":[1]}}');
    expect(spliceText('{"x":0}', [mutation])).toBe('{"x":0,"a":{"c":[1]}}');
  });

  it('reads documents that lie in shared memory', () => {
    const { bytes, nodes } = documentOf('{"a":[1,2],"\\u0062":"é"}');
    const share = <T extends Uint8Array | Uint32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const document: JsonDocument = {
      bytes: share(bytes, new Uint8Array(new SharedArrayBuffer(bytes.byteLength))),
      nodes: share(nodes, new Uint32Array(new SharedArrayBuffer(nodes.byteLength))),
    };
    const mutations = [
      mutationOf('merge', '{"b":1}'),
      mutationOf('patch', '[{"op":"remove","path":"/a/0"}]'),
    ];
    expect(textOf(splice(document, mutations, 1e6).bytes)).toBe('{"a":[2],"\\u0062":1}');
  });
});

describe('splice and its limits', () => {
  const doubling = (times: number): string =>
    `[${Array.from({ length: times }, (_, i) => `{"op":"copy","from":"","path":"/${i}"}`).join(',')}]`;

  it('stops growth by repeated copies before anything of it is written', () => {
    const fault = missOf('{"a":"0123456789"}', doubling(900), 1_000_000);
    expect(fault.message).toMatch(
      /^operation \d+: the document would grow to \d+ bytes, and 1000000 are allowed$/,
    );
    expect(fault.operation).toBeLessThan(20);
  });

  it('allows exactly bytesMax bytes', () => {
    expect(apply('merge', '{"a":1}', '{"a":22}', 8)).toBe('{"a":22}');
    expect(() => apply('merge', '{"a":1}', '{"a":22}', 7)).toThrow(
      /grow to 8 bytes, and 7 are allowed/,
    );
    expect(() => apply('replace', '{}', '[1,2,3]', 6)).toThrow(/grow to 7 bytes/);
    expect(missOf('[]', '[{"op":"add","path":"/-","value":10}]', 3).operation).toBe(0);
  });

  it('lets a document that is over the limit shrink', () => {
    expect(apply('merge', '{"a":"xxxxxxxx","b":1}', '{"b":null}', 5)).toBe('{"a":"xxxxxxxx"}');
  });

  it('stops what would nest deeper than 1,000 levels', () => {
    const deepen = (times: number): string =>
      `[${Array(times).fill('{"op":"copy","from":"","path":"/a"}').join(',')}]`;
    const deep = patch('{"a":0}', deepen(999));
    expect(deep).toBe(`${'{"a":'.repeat(1_000)}0${'}'.repeat(1_000)}`);
    const fault = missOf('{"a":0}', deepen(1_000));
    expect(fault.operation).toBe(999);
    expect(fault.message).toMatch(/"\/a" nests deeper than 1000 levels/);
    // A patch may itself nest 1,000 levels: its value stands two levels down.
    const nested = `${'['.repeat(998)}${']'.repeat(998)}`;
    expect(patch('[[]]', `[{"op":"add","path":"/0/-","value":${nested}}]`)).toBe(`[[${nested}]]`);
    expect(missOf('[[[]]]', `[{"op":"add","path":"/0/0/-","value":${nested}}]`).message).toMatch(
      /deeper/,
    );
    expect(
      missOf('[[[0]]]', `[{"op":"replace","path":"/0/0/0","value":${nested}}]`).message,
    ).toMatch(/deeper/);
  });

  it('counts the levels of what earlier operations built', () => {
    const half = `${'['.repeat(600)}${']'.repeat(600)}`;
    const operations = [
      `{"op":"add","path":"/a","value":${half}}`,
      '{"op":"add","path":"/b","value":{}}',
      '{"op":"move","from":"/a","path":"/b/c"}',
      `{"op":"copy","from":"/b","path":"/d"}`,
      `{"op":"copy","from":"/b","path":"/b/c${'/0'.repeat(598)}/-"}`,
    ];
    expect(missOf('{}', `[${operations}]`)).toMatchObject({ operation: 4 });
    expect(patch('{}', `[${operations.slice(0, 4)}]`)).toBe(
      `{"b":{"c":${half}},"d":{"c":${half}}}`,
    );
  });

  it('works on a document of two megabytes', () => {
    const item = '{"id":"item","price":7.99,"tags":["a","b","c"]}';
    const text = `{"items":[${Array(40_000).fill(item).join(',')}],"end":1}`;
    const document = documentOf(text);
    const mutation = mutationOf('patch', '[{"op":"replace","path":"/items/3/price","value":1.50}]');
    const { bytes, faults } = splice(document, [mutation, mutationOf('merge', '{"end":2}')], 1e9);
    expect(faults).toEqual([null, null]);
    expect(bytes.length).toBe(document.bytes.length);
    expect(textOf(bytes.subarray(-10))).toBe('}],"end":2}'.slice(-10));
    expect(textOf(bytes.subarray(0, 240))).toContain('"price":1.50');
  });

  it('finds keys among many without a table', () => {
    const members = Array.from({ length: 5_000 }, (_, i) => `"k${i}":{"v":${i}}`);
    const operations = Array.from(
      { length: 500 },
      (_, i) => `{"op":"add","path":"/k${i * 10}/w","value":1}`,
    );
    const result = JSON.parse(patch(`{${members}}`, `[${operations}]`)) as Record<string, unknown>;
    expect(result['k4990']).toEqual({ v: 4990, w: 1 });
    expect(result['k4991']).toEqual({ v: 4991 });
  });
});

describe('splice, on random documents,', () => {
  const trees = fc.oneof(plainObject, plainObject, anyTree);
  const step = fc.oneof(
    trees.map((tree) => ['merge', printRaw(tree)] as const),
    fc
      .tuple(
        fc.constantFrom('/a', '/b/0', '/a/b', '/c/-', '/a/a/a', ''),
        fc.constantFrom('add', 'replace', 'copy'),
        trees,
      )
      .map(
        ([path, op, value]) =>
          [
            'patch',
            `[{"op":"${op}","path":"${path}","from":"/b","value":${printRaw(value)}}]`,
          ] as const,
      ),
    fc
      .tuple(trees, fc.nat(5))
      .map(([tree, die]) => [die === 0 ? 'replace' : 'merge', printRaw(tree)] as const),
  );

  it('stacked mutations give what one after the other gives', () => {
    fc.assert(
      fc.property(trees, fc.array(step, { maxLength: 6 }), (tree, steps) => {
        const mutations = steps.map(([kind, value]) => mutationOf(kind, value));
        const stacked = splice(documentOf(printRaw(tree)), mutations, 1e6);
        let text = printRaw(tree);
        mutations.forEach((mutation, i) => {
          const { bytes, faults } = splice(documentOf(text), [mutation], 1e6);
          expect(stacked.faults[i]?.message).toBe(faults[0]?.message);
          text = textOf(bytes);
        });
        expect(textOf(stacked.bytes)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('any JSON as any kind of mutation is refused, or applies, or misses, and leaves JSON', () => {
    const operation = fc
      .tuple(
        fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        fc.array(stringLexeme),
        anyTree,
      )
      .map(([op, tokens, value]) => {
        const path = JSON.stringify(tokens.map((token) => `/${JSON.parse(token)}`).join(''));
        return `{"op":"${op}","path":${path},"from":"","value":${printRaw(value)}}`;
      });
    const values = fc.oneof(
      anyTree.map(printRaw),
      fc.array(operation).map((list) => `[${list}]`),
    );
    fc.assert(
      fc.property(
        anyTree,
        fc.constantFrom('merge', 'patch', 'replace'),
        values,
        (tree, kind, value) => {
          const mutation = compileMutation(kind, documentOf(value));
          if (mutation instanceof MutationFault) return;
          const text = spliceText(printRaw(tree), [mutation]);
          expect(printRaw(parseRaw(text))).toBe(text);
          JSON.parse(text);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('members that a merge does not name reappear verbatim and in order', () => {
    fc.assert(
      fc.property(plainObject, plainObject, (tree, value) => {
        const named = new Set(membersOf(value).map(([key]) => key));
        const untouched = (of: RawTree): string[] =>
          membersOf(of).flatMap(([key, raw]) => (named.has(key) ? [] : [raw]));
        const merged = parseRaw(merge(printRaw(tree), printRaw(value)));
        expect(untouched(merged)).toEqual(untouched(tree));
      }),
      { numRuns: 300 },
    );
  });

  function membersOf(tree: RawTree): [key: string, raw: string][] {
    if (tree.kind !== 'object') return [];
    return tree.members.map(({ key, value }) => [
      JSON.parse(key) as string,
      `${key}:${printRaw(value)}`,
    ]);
  }
});
