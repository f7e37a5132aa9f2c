import fc from 'fast-check';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { MutationIssue } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { plainKeys, plainObject, plainTree } from '../json/arbitrary-json.js';
import {
  operateRaw,
  parseRaw,
  pathOf,
  printRaw,
  type RawOperation,
  type RawTree,
} from '../json/raw-tree.js';
import { documentOf, missOf, mutationOf, patch, refusalOf } from './splicing.js';

const one = (operation: object): string => JSON.stringify([operation]);

describe('a JSON Patch', () => {
  it('adds members: new ones at the end, existing ones in place', () => {
    expect(patch('{"a":1}', one({ op: 'add', path: '/b', value: 2 }))).toBe('{"a":1,"b":2}');
    expect(patch('{"\\u0061":1,"b":2}', one({ op: 'add', path: '/a', value: 9 }))).toBe(
      '{"\\u0061":9,"b":2}',
    );
    expect(patch('{}', one({ op: 'add', path: '/', value: 1 }))).toBe('{"":1}');
    expect(patch('{"a":{}}', one({ op: 'add', path: '/a/x~1y', value: 1 }))).toBe(
      '{"a":{"x/y":1}}',
    );
  });

  it('adds elements before an index, at the end by its length or "-"', () => {
    expect(patch('[1,2]', one({ op: 'add', path: '/0', value: 9 }))).toBe('[9,1,2]');
    expect(patch('[1,2]', one({ op: 'add', path: '/1', value: 9 }))).toBe('[1,9,2]');
    expect(patch('[1,2]', one({ op: 'add', path: '/2', value: 9 }))).toBe('[1,2,9]');
    expect(patch('[1,2]', one({ op: 'add', path: '/-', value: 9 }))).toBe('[1,2,9]');
    expect(patch('[]', one({ op: 'add', path: '/-', value: 9 }))).toBe('[9]');
    expect(patch('[]', one({ op: 'add', path: '/0', value: 9 }))).toBe('[9]');
  });

  it('removes members and elements', () => {
    expect(patch('{"a":1,"b":2,"c":3}', one({ op: 'remove', path: '/b' }))).toBe('{"a":1,"c":3}');
    expect(patch('{"a":1}', one({ op: 'remove', path: '/a' }))).toBe('{}');
    expect(patch('[1,2,3]', one({ op: 'remove', path: '/0' }))).toBe('[2,3]');
    expect(patch('[1,2,3]', one({ op: 'remove', path: '/2' }))).toBe('[1,2]');
  });

  it('replaces values in place, and the whole document', () => {
    expect(patch('{"a":[1,{"b":2}]}', one({ op: 'replace', path: '/a/1/b', value: 7.99 }))).toBe(
      '{"a":[1,{"b":7.99}]}',
    );
    expect(patch('[1]', one({ op: 'replace', path: '', value: {} }))).toBe('{}');
    expect(patch('[1]', one({ op: 'add', path: '', value: 'x' }))).toBe('"x"');
  });

  it('moves and copies, array ends included', () => {
    expect(patch('{"a":1,"b":[2]}', one({ op: 'move', from: '/a', path: '/b/-' }))).toBe(
      '{"b":[2,1]}',
    );
    expect(patch('[1,2,3]', one({ op: 'move', from: '/0', path: '/2' }))).toBe('[2,3,1]');
    expect(patch('[1,2,3]', one({ op: 'move', from: '/2', path: '/0' }))).toBe('[3,1,2]');
    expect(patch('{"a":1.10}', one({ op: 'copy', from: '/a', path: '/b' }))).toBe(
      '{"a":1.10,"b":1.10}',
    );
    expect(patch('{"a":1}', one({ op: 'copy', from: '', path: '/b' }))).toBe('{"a":1,"b":{"a":1}}');
    expect(patch('{"a":{"b":1}}', one({ op: 'move', from: '/a/b', path: '' }))).toBe('1');
    expect(patch('{"a":{"b":1}}', one({ op: 'move', from: '/a/b', path: '/a' }))).toBe('{"a":1}');
    expect(patch('{"a":[1,2]}', one({ op: 'copy', from: '/a', path: '/a/0' }))).toBe(
      '{"a":[[1,2],1,2]}',
    );
  });

  it('moves a value onto itself without effect, if it is there', () => {
    expect(patch('{"a":1,"b":2,"a":3}', one({ op: 'move', from: '/a', path: '/a' }))).toBe(
      '{"a":1,"b":2,"a":3}',
    );
    expect(patch('{"a":1}', one({ op: 'move', from: '', path: '' }))).toBe('{"a":1}');
    expect(missOf('{"a":1}', one({ op: 'move', from: '/x', path: '/x' })).operation).toBe(0);
  });

  it('tests JSON values: strings unescaped, numbers as decimals, members without order', () => {
    const text = '{"s":"\\u0061","n":1e2,"o":{"x":1,"y":[2]},"r":{"k":1,"k":2}}';
    const tests = [
      { op: 'test', path: '/s', value: 'a' },
      { op: 'test', path: '/n', value: 100 },
      { op: 'test', path: '/o', value: { y: [2], x: 1 } },
      { op: 'test', path: '/r', value: { k: 2 } },
    ];
    expect(patch(text, JSON.stringify(tests))).toBe(text);
    expect(patch('1e400', '[{"op":"test","path":"","value":10e399}]')).toBe('1e400');
    expect(missOf('1e400', '[{"op":"test","path":"","value":1e401}]').operation).toBe(0);
    expect(missOf('{"a":[1]}', one({ op: 'test', path: '/a', value: [1, 2] })).message).toBe(
      'operation 0: the value at "/a" is not the one that test expects',
    );
  });

  it('tests what earlier operations made', () => {
    const operations = [
      { op: 'add', path: '/a/-', value: { z: 1 } },
      { op: 'test', path: '/a', value: [1, { z: 1 }] },
      { op: 'remove', path: '/a/0' },
      { op: 'test', path: '', value: { a: [{ z: 1 }] } },
    ];
    expect(patch('{"a":[1]}', JSON.stringify(operations))).toBe('{"a":[{"z":1}]}');
  });

  it('inserts its values byte for byte', () => {
    const value = '{"n":[1e400,1.10,-0],"__proto__":{"x":null},"s":"\\u00e9\\/","2":0,"1":0,"1":1}';
    expect(patch('{"a":0}', `[{"op":"replace","path":"/a","value":${value}}]`)).toBe(
      `{"a":${value}}`,
    );
  });

  it('addresses the last member of a repeated key and removes all of them', () => {
    const text = '{"a":{"x":1},"b":0,"\\u0061":{"x":2}}';
    expect(patch(text, one({ op: 'replace', path: '/a/x', value: 3 }))).toBe(
      '{"a":{"x":1},"b":0,"\\u0061":{"x":3}}',
    );
    expect(patch(text, one({ op: 'add', path: '/a', value: 3 }))).toBe(
      '{"a":{"x":1},"b":0,"\\u0061":3}',
    );
    expect(patch(text, one({ op: 'remove', path: '/a' }))).toBe('{"b":0}');
    expect(patch(text, one({ op: 'copy', from: '/a/x', path: '/c' }))).toBe(
      `${text.slice(0, -1)},"c":2}`,
    );
    expect(patch(text, one({ op: 'move', from: '/a', path: '/c' }))).toBe('{"b":0,"c":{"x":2}}');
  });

  it('treats __proto__ and constructor as keys like any other', () => {
    const text = '{"__proto__":{"a":1},"constructor":[]}';
    expect(patch(text, one({ op: 'replace', path: '/__proto__/a', value: 2 }))).toBe(
      '{"__proto__":{"a":2},"constructor":[]}',
    );
    expect(patch('{}', one({ op: 'add', path: '/__proto__', value: 1 }))).toBe('{"__proto__":1}');
    expect(patch(text, one({ op: 'remove', path: '/__proto__' }))).toBe('{"constructor":[]}');
    expect(missOf('{}', one({ op: 'test', path: '/toString', value: 1 })).operation).toBe(0);
  });

  it('takes pointers by the letter: ~01 is ~1, "-" and "01" are keys of an object', () => {
    expect(patch('{"~1":1,"/":2}', one({ op: 'remove', path: '/~01' }))).toBe('{"/":2}');
    expect(patch('{"-":1,"01":2}', one({ op: 'replace', path: '/-', value: 3 }))).toBe(
      '{"-":3,"01":2}',
    );
    expect(patch('{"-":1,"01":2}', one({ op: 'remove', path: '/01' }))).toBe('{"-":1}');
    expect(patch('{"\\u00e9":1,"é ":2}', one({ op: 'remove', path: '/é' }))).toBe('{"é ":2}');
    expect(patch('{"a\\"b":1}', one({ op: 'replace', path: '/a"b', value: 2 }))).toBe(
      '{"a\\"b":2}',
    );
    expect(patch('{"\ufffd":1}', '[{"op":"add","path":"/\\ud800","value":2}]')).toBe(
      '{"\ufffd":1,"\\ud800":2}',
    );
    expect(patch('{"":{"":1}}', one({ op: 'replace', path: '//', value: 2 }))).toBe('{"":{"":2}}');
  });

  it('ignores members that the RFC does not define, and takes the last of repeated ones', () => {
    expect(patch('{"a":1}', '[{"op":"remove","path":"/x","comment":{},"path":"/a"}]')).toBe('{}');
    expect(patch('{"a":1}', '[{"\\u006fp":"remove","path":"/\\u0061"}]')).toBe('{}');
  });

  it('may be empty', () => {
    expect(patch('{"a":1}', '[]')).toBe('{"a":1}');
  });
});

describe('a JSON Patch that misses leaves the data as it was and says', () => {
  const text = '{"shop":{"items":[1,2,3],"one":[1],"open":true},"n":null}';
  const misses: [path: string, reason: string][] = [
    ['/shop/items/9', 'path "/shop/items/9" does not exist: "/shop/items" has 3 elements'],
    ['/shop/items/3', 'path "/shop/items/3" does not exist: "/shop/items" has 3 elements'],
    ['/shop/one/1', 'path "/shop/one/1" does not exist: "/shop/one" has 1 element'],
    ['/shop/price', 'path "/shop/price" does not exist: "/shop" has no member "price"'],
    ['/x/y/z', 'path "/x/y/z" does not exist: the document has no member "x"'],
    ['/shop/open/a', 'path "/shop/open/a" does not exist: "/shop/open" is a boolean'],
    ['/n/a', 'path "/n/a" does not exist: "/n" is null'],
    [
      '/shop/items/-',
      'path "/shop/items/-" does not exist: "-" is the end of an array, where nothing is yet',
    ],
    [
      '/shop/items/01',
      'path "/shop/items/01" does not exist: "/shop/items" is an array, and "01" is no index',
    ],
    [
      '/shop/items/-1',
      'path "/shop/items/-1" does not exist: "/shop/items" is an array, and "-1" is no index',
    ],
    [
      '/shop/items/1e0',
      'path "/shop/items/1e0" does not exist: "/shop/items" is an array, and "1e0" is no index',
    ],
    [
      '/shop/items/',
      'path "/shop/items/" does not exist: "/shop/items" is an array, and "" is no index',
    ],
    [
      '/shop/items/length',
      'path "/shop/items/length" does not exist: "/shop/items" is an array, and "length" is no index',
    ],
    [
      '/shop/items/9007199254740993',
      'path "/shop/items/9007199254740993" does not exist: "/shop/items" has 3 elements',
    ],
  ];
  for (const [path, reason] of misses) {
    it(reason, () => {
      const first = { op: 'add', path: '/shop/new', value: 1 };
      for (const op of ['replace', 'remove', 'test']) {
        const fault = missOf(text, JSON.stringify([first, { op, path, value: 1 }]));
        expect(fault).toBeInstanceOf(MutationIssue);
        expect(fault).toMatchObject({ operation: 1, message: `operation 1: ${reason}` });
      }
      const fault = missOf(
        text,
        JSON.stringify([first, first, { op: 'copy', from: path, path: '/c' }]),
      );
      expect(fault.message).toBe(`operation 2: ${reason.replace('path', 'from')}`);
      expect(missOf(text, one({ op: 'move', from: path, path: '/c' })).operation).toBe(0);
    });
  }

  it('that there is no such place to add to', () => {
    const add = (path: string): string => missOf(text, one({ op: 'add', path, value: 1 })).message;
    expect(add('/shop/items/4')).toBe(
      'operation 0: path "/shop/items/4" does not exist: "/shop/items" has 3 elements',
    );
    expect(add('/shop/items/')).toMatch(/"" is no index/);
    expect(missOf(text, one({ op: 'copy', from: '/n', path: '/shop/one/2' })).message).toMatch(
      /has 1 element$/,
    );
    expect(add('/shop/items/00')).toMatch(/"00" is no index/);
    expect(add('/shop/open/x')).toMatch(/"\/shop\/open" is a boolean/);
    expect(add('/none/x')).toMatch(/the document has no member "none"/);
    expect(missOf('[1]', one({ op: 'move', from: '/0', path: '/1' })).message).toMatch(
      /0 elements/,
    );
  });

  it('no more of a long path than one can read', () => {
    expect(
      missOf('{}', one({ op: 'remove', path: `/${'x'.repeat(50_000)}` })).message.length,
    ).toBeLessThan(600);
  });
});

describe('a JSON Patch is refused when it is compiled', () => {
  const cases: [what: string, value: string, operation: number, message: RegExp][] = [
    ['that is no array', '{"op":"remove","path":"/a"}', -1, /array of operations, not an object/],
    [
      'with an operation that is no object',
      '[{"op":"remove","path":"/a"},"remove"]',
      1,
      /^operation 1: must be an object, not a string/,
    ],
    ['with an operation that is null', '[null]', 0, /not null/],
    ['without op', '[{"path":"/a"}]', 0, /needs an "op"/],
    ['with an op that is no string', '[{"op":1,"path":"/a"}]', 0, /needs an "op"/],
    ['with an unknown op', '[{"op":"Remove","path":"/a"}]', 0, /not "Remove"/],
    ['with an op of Object.prototype', '[{"op":"toString","path":"/a"}]', 0, /not "toString"/],
    ['without path', '[{"op":"remove"}]', 0, /needs a "path" that is a string/],
    [
      'with a path that is no string',
      '[{"op":"remove","path":["a"]}]',
      0,
      /needs a "path" that is a string/,
    ],
    [
      'with a path without a slash',
      '[{"op":"remove","path":"a"}]',
      0,
      /must be empty or begin with "\/"/,
    ],
    ['with ~2 in a path', '[{"op":"remove","path":"/a~2"}]', 0, /"~"/],
    ['with a path that ends in ~', '[{"op":"remove","path":"/a~"}]', 0, /"~"/],
    ['without value', '[{"op":"add","path":"/a"}]', 0, /add needs a "value"/],
    ['without from', '[{"op":"copy","path":"/a"}]', 0, /needs a "from"/],
    ['with ~ in from', '[{"op":"move","path":"/a","from":"/~"}]', 0, /"from" "\/~"/],
    ['that removes the whole document', '[{"op":"remove","path":""}]', 0, /whole document/],
    [
      'that moves a value into itself',
      '[{"op":"move","from":"/a","path":"/a/b"}]',
      0,
      /"\/a" cannot move into itself/,
    ],
    [
      'that moves the document into itself',
      '[{"op":"move","from":"","path":"/b"}]',
      0,
      /cannot move into itself/,
    ],
  ];
  for (const [what, value, operation, message] of cases) {
    it(what, () => {
      const fault = refusalOf('patch', value);
      expect(fault.message).toMatch(message);
      expect(fault.operation).toBe(operation);
    });
  }

  it('but not when a null is the value, nor when a path only looks like another', () => {
    expect(patch('{"a":1}', '[{"op":"replace","path":"/a","value":null}]')).toBe('{"a":null}');
    expect(patch('{"a":1,"ab":{}}', '[{"op":"move","from":"/a","path":"/ab/c"}]')).toBe(
      '{"ab":{"c":1}}',
    );
  });
});

describe('a JSON Patch, on random documents,', () => {
  const seed = fc.record({
    op: fc.constantFrom('add', 'add', 'remove', 'replace', 'move', 'copy', 'test'),
    pick: fc.nat(),
    from: fc.nat(),
    value: plainTree,
    wild: fc.integer({ min: 0, max: 9 }),
    key: fc.constantFrom(...plainKeys, '"0"', '"1"', '"5"', '"-"', '"length"'),
  });
  type Seed = typeof seed extends fc.Arbitrary<infer T> ? T : never;

  /** Every pointer into a value. */
  function pathsOf(value: unknown, tokens: string[] = []): string[] {
    const below =
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...tokens, key]))
        : [];
    return [pathOf(tokens), ...below];
  }

  /** An operation that mostly hits something of `model`. */
  function concrete({ op, pick, from, value, wild, key }: Seed, model: unknown): RawOperation {
    const paths = pathsOf(model);
    const at = (n: number): string => paths[n % paths.length] as string;
    const child = pathOf([JSON.parse(key) as string]);
    const isNew = op === 'add' || op === 'copy' || op === 'move' ? wild < 5 : wild === 0;
    const path = isNew ? at(pick) + child : at(pick);
    const existing = op === 'test' && wild > 2 ? pointed(model, path) : undefined;
    const operand = existing === undefined ? value : parseRaw(JSON.stringify(existing));
    return { op, path, from: wild === 1 ? at(from) + child : at(from), value: operand };
  }

  function pointed(model: unknown, path: string): unknown {
    return fastJsonPatch.getValueByPointer(model, path);
  }

  /** One operation by fast-json-patch, which would take an empty token for the index 0. */
  function run(model: unknown, operation: Operation): unknown {
    const { path } = operation;
    if (path.endsWith('/') && Array.isArray(pointed(model, path.slice(0, -1)))) {
      throw new RangeError('no index');
    }
    return fastJsonPatch.applyOperation(model, operation, true, false).newDocument;
  }

  /**
   * What fast-json-patch makes of an operation; it throws where that does not apply. Its own move and copy check less
   * than its add (a value may go beyond an array's end, "/a/length" may be copied) and look for the target before the
   * removal, so they are taken for what RFC 6902 says they are: a removal and an addition. (It also takes "/a/01" and
   * "~2" and throws on __proto__: none of these is generated; our answers are tested by hand above.)
   */
  function oracle(model: unknown, { op, path, from = '', value }: RawOperation): unknown {
    const operand = JSON.parse(printRaw(value as RawTree)) as unknown;
    if (op !== 'move' && op !== 'copy')
      return run(model, { op, path, value: operand } as Operation);
    const without = from === '' ? model : run(model, { op: 'remove', path: from });
    if (op === 'move' && from === path) return model;
    return run(op === 'move' ? without : model, { op: 'add', path, value: pointed(model, from) });
  }

  const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  const isProperPrefix = (from: string, path: string): boolean => path.startsWith(`${from}/`);

  it('agrees with fast-json-patch, and changes no byte but those it means to', () => {
    let applied = 0;
    fc.assert(
      fc.property(
        fc.oneof(plainObject, plainTree),
        fc.array(seed, { maxLength: 6 }),
        (tree, seeds) => {
          let model: unknown = JSON.parse(printRaw(tree));
          let raw: RawTree = tree;
          let missed = -1;
          const operations: RawOperation[] = [];
          for (const next of seeds) {
            const operation = concrete(next, model);
            // Refused when compiled, as tested by hand above: the oracle allows both.
            if (operation.op === 'remove' && operation.path === '') continue;
            if (operation.op === 'move' && isProperPrefix(operation.from as string, operation.path))
              continue;
            operations.push(operation);
            try {
              model = oracle(model, operation);
              raw = operateRaw(raw, operation);
            } catch {
              missed = operations.length - 1;
              break;
            }
          }
          const text = operations.map(
            ({ op, path, from, value }) =>
              `{"op":"${op}","path":${JSON.stringify(path)},"from":${JSON.stringify(from)},"value":${printRaw(value as RawTree)}}`,
          );
          const { bytes, issues } = splice(
            documentOf(printRaw(tree)),
            [mutationOf('patch', `[${text}]`)],
            1e7,
          );
          expect(issues[0]?.operation ?? -1).toBe(missed);
          const result = Buffer.from(bytes).toString('utf8');
          if (missed >= 0) {
            expect(result).toBe(printRaw(tree));
          } else {
            applied++;
            // The oracle sometimes copies by way of JSON.stringify, which makes 0 of -0.
            expect(copied(JSON.parse(result))).toEqual(copied(model));
            expect(result).toBe(printRaw(raw));
          }
        },
      ),
      { numRuns: 700 },
    );
    expect(applied).toBeGreaterThan(100);
  });
});
