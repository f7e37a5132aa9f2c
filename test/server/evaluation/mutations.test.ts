/** What merge, patch and replace do to the delivered bytes: exactly what they say, and nothing else. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let game: Environment;
let stored = 0;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

/** The bytes of `data` after the mutation of one rule for everybody. */
async function mutated(text: string, mutation: string): Promise<string> {
  const id = `mutated-${++stored}`;
  await game.put(id, text, { mapping: `[{"segment":"s","when":{},${mutation}}]` });
  return dataText(id);
}

async function dataText(id: string, body = {}): Promise<string> {
  const { text } = await game.wrapped(id, body);
  return text.slice('{"data":'.length, text.lastIndexOf(',"hash":'));
}

type Case = readonly [name: string, text: string, mutation: string, expected: string];

const merges: readonly Case[] = [
  [
    'replaces a member in place',
    '{"a":1.10,"b":2,"c":1e400}',
    '"merge":{"b":3}',
    '{"a":1.10,"b":3,"c":1e400}',
  ],
  [
    'adds a member after the others',
    '{"a":1.10}',
    '"merge":{"b":{"c":1}}',
    '{"a":1.10,"b":{"c":1}}',
  ],
  ['adds to an empty object', '{}', '"merge":{"b":1}', '{"b":1}'],
  ['removes the first member', '{"a":1,"b":2,"c":3}', '"merge":{"a":null}', '{"b":2,"c":3}'],
  ['removes a member in the middle', '{"a":1,"b":2,"c":3}', '"merge":{"b":null}', '{"a":1,"c":3}'],
  ['removes the last member', '{"a":1,"b":2,"c":3}', '"merge":{"c":null}', '{"a":1,"b":2}'],
  ['removes all members', '{"a":1,"b":2}', '"merge":{"a":null,"b":null}', '{}'],
  ['removes what is not there', '{"a":1}', '"merge":{"x":null}', '{"a":1}'],
  [
    'goes into objects',
    '{"a":{"b":{"c":1,"d":2}},"e":0}',
    '"merge":{"a":{"b":{"c":null}}}',
    '{"a":{"b":{"d":2}},"e":0}',
  ],
  ['replaces an array as a whole', '{"a":[1,2]}', '"merge":{"a":[null]}', '{"a":[null]}'],
  [
    'replaces a scalar by an object without its nulls',
    '{"a":1}',
    '"merge":{"a":{"b":null,"c":{"d":null}}}',
    '{"a":{"c":{}}}',
  ],
  ['replaces a content that is no object', '[1]', '"merge":{"a":1,"b":null}', '{"a":1}'],
  ['that is no object replaces the content', '{"a":1}', '"merge":[1,null]', '[1,null]'],
  [
    'addresses the last of a repeated key',
    '{"k":1,"k":2,"z":3}',
    '"merge":{"k":5}',
    '{"k":1,"k":5,"z":3}',
  ],
  [
    'removes all of a repeated key',
    '{"k":1,"a":0,"k":2,"z":3,"k":4}',
    '"merge":{"k":null}',
    '{"a":0,"z":3}',
  ],
  ['finds a key however it is escaped', '{"\\u0061":1}', '"merge":{"a":2}', '{"\\u0061":2}'],
  [
    'sets __proto__ like any other key',
    '{"__proto__":{"x":1}}',
    '"merge":{"__proto__":{"y":2}}',
    '{"__proto__":{"x":1,"y":2}}',
  ],
];

const patches: readonly Case[] = [
  ['adds a member', '{"a":1.0}', '"patch":[{"op":"add","path":"/b","value":2}]', '{"a":1.0,"b":2}'],
  [
    'adds over a member',
    '{"a":1,"b":2}',
    '"patch":[{"op":"add","path":"/a","value":3}]',
    '{"a":3,"b":2}',
  ],
  ['adds into an array', '[1,3]', '"patch":[{"op":"add","path":"/1","value":2}]', '[1,2,3]'],
  ['adds at the beginning', '[1.0]', '"patch":[{"op":"add","path":"/0","value":0}]', '[0,1.0]'],
  [
    'adds at the end',
    '[1]',
    '"patch":[{"op":"add","path":"/-","value":2},{"op":"add","path":"/2","value":3}]',
    '[1,2,3]',
  ],
  [
    'adds into an empty array',
    '{"a":[]}',
    '"patch":[{"op":"add","path":"/a/-","value":1}]',
    '{"a":[1]}',
  ],
  [
    'adds the whole content',
    '1',
    '"patch":[{"op":"add","path":"","value":{"a":1e400}}]',
    '{"a":1e400}',
  ],
  [
    'removes',
    '{"a":[1,2,3],"b":0}',
    '"patch":[{"op":"remove","path":"/a/1"},{"op":"remove","path":"/b"}]',
    '{"a":[1,3]}',
  ],
  [
    'replaces',
    '{"shop":{"items":[{"price":1.50,"n":1}]}}',
    '"patch":[{"op":"replace","path":"/shop/items/0/price","value":7.99}]',
    '{"shop":{"items":[{"price":7.99,"n":1}]}}',
  ],
  [
    'moves',
    '{"a":{"x":1e400},"b":{}}',
    '"patch":[{"op":"move","from":"/a/x","path":"/b/y"}]',
    '{"a":{},"b":{"y":1e400}}',
  ],
  [
    'moves within an array',
    '[1,2,3]',
    '"patch":[{"op":"move","from":"/0","path":"/2"}]',
    '[2,3,1]',
  ],
  [
    'copies',
    '{"a":9007199254740993}',
    '"patch":[{"op":"copy","from":"/a","path":"/b"}]',
    '{"a":9007199254740993,"b":9007199254740993}',
  ],
  [
    'tests and goes on',
    '{"a":1}',
    '"patch":[{"op":"test","path":"/a","value":1.0},{"op":"replace","path":"/a","value":2}]',
    '{"a":2}',
  ],
  [
    'understands ~0 and ~1',
    '{"a/b":1,"m~n":2}',
    '"patch":[{"op":"replace","path":"/a~1b","value":3},{"op":"remove","path":"/m~0n"}]',
    '{"a/b":3}',
  ],
  [
    'addresses the empty key',
    '{"":1}',
    '"patch":[{"op":"replace","path":"/","value":2}]',
    '{"":2}',
  ],
  [
    'addresses the last of a repeated key',
    '{"k":1,"k":2}',
    '"patch":[{"op":"replace","path":"/k","value":3}]',
    '{"k":1,"k":3}',
  ],
  [
    'removes all of a repeated key',
    '{"k":1,"z":0,"k":2}',
    '"patch":[{"op":"remove","path":"/k"}]',
    '{"z":0}',
  ],
];

const replaces: readonly Case[] = [
  ['gives a whole new content', '{"a":1}', '"replace":[1.10,{"b":null}]', '[1.10,{"b":null}]'],
  ['may be null', '{"a":1}', '"replace":null', 'null'],
];

for (const [kind, cases] of Object.entries({ merge: merges, patch: patches, replace: replaces })) {
  describe(kind, () => {
    for (const [name, text, mutation, expected] of cases) {
      it(name, async () => {
        expect(await mutated(text, mutation)).toBe(expected);
      });
    }
  });
}

describe('the test of a patch compares JSON values', () => {
  const equal: readonly (readonly [string, string])[] = [
    ['1', '1.0'],
    ['100', '1e2'],
    ['1e400', '10e399'],
    ['0', '-0'],
    ['0.10', '1E-1'],
    ['9007199254740993', '9007199254740993.0'],
    ['"\\u0041\\/"', '"A/"'],
    ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}'],
  ];
  for (const [stored_, tested] of equal) {
    it(`${stored_} equals ${tested}`, async () => {
      const patch = `[{"op":"test","path":"/x","value":${tested}},{"op":"add","path":"/y","value":1}]`;
      expect(await mutated(`{"x":${stored_}}`, `"patch":${patch}`)).toBe(`{"x":${stored_},"y":1}`);
    });
  }

  const different: readonly (readonly [string, string])[] = [
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1', '"1"'],
    ['[1,2]', '[2,1]'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['"A"', '"a"'],
    ['null', 'false'],
  ];
  for (const [stored_, tested] of different) {
    it(`${stored_} does not equal ${tested}`, async () => {
      const id = `test-${++stored}`;
      const patch = `[{"op":"test","path":"/x","value":${tested}},{"op":"add","path":"/y","value":1}]`;
      // Line 1.0.0 holds what is tested, so that the mapping is accepted; line 2.0.0 is under test.
      await game.put(id, `{"x":${tested}}`, { appVersion: '1.0.0' });
      await game.put(id, `{"x":${stored_}}`, {
        appVersion: '2.0.0',
        mapping: `[{"segment":"s","when":{},"patch":${patch}}]`,
      });
      expect(await dataText(id)).toBe(`{"x":${stored_}}`);
      expect(await game.segments(id)).toEqual([]);
      expect(await game.segments(id, { v: '1.0.0' })).toEqual(['s']);
    });
  }
});
