/** Stored text comes out as it was stored, without comments, white space and trailing commas: compared byte for byte. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { contentHash, xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;
let stored = 0;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

/** Stores `text` and asserts that each form of delivery is exactly `json`. */
async function expectDelivered(text: string, json: string): Promise<void> {
  const id = `text-${++stored}`;
  const put = await game.put(id, text);
  const hash = contentHash(json);
  expect(put.hash).toBe(hash);
  expect((await game.plain(id)).bytes).toEqual(Buffer.from(json));
  const tail = `,"hash":"${hash}","meta":{"uid":${xxh32('a')},"mod":${xxh32('a') % 1000},"seg":[]}}`;
  expect((await game.wrapped(id, { u: 'a' })).text).toBe(`{"data":${json}${tail}`);
  expect((await game.combine([id])).text).toBe(`{"${id}":${json}}`);
  const serialized = await game.wrapped(id, { u: 'a' }, '?responseType=serialized');
  expect(serialized.json.data).toBe(json);
  expect(serialized.text.endsWith(`"${tail}`)).toBe(true);
}

describe('delivered unchanged:', () => {
  const faithful: Record<string, string> = {
    'a number that no double holds': '{"n":1e400}',
    'an integer above 2^53': '{"n":9007199254740993}',
    'an exponent as written': '[1E+2,1e-2,1.0e0,-0,-0.0,0e0,1.10,100000000000000000000000]',
    'the order of keys': '{"z":1,"a":2,"m":3}',
    'integer-like keys in their place': '{"b":1,"10":2,"2":3,"a":4,"01":5}',
    'repeated keys, all of them': '{"k":1,"k":2,"o":{"k":[],"k":{}},"k":3}',
    '__proto__ and its like': '{"__proto__":{"x":1},"constructor":{"prototype":null},"toString":1}',
    'escapes as written': '"\\u0041\\/\\b\\f\\n\\r\\t\\"\\\\\\u00e9\\u00E9"',
    'lone surrogate escapes': '["\\ud800","\\udfff\\ud800","\\uD83D\\uDE00"]',
    'an escaped null character': '{"\\u0000":"\\u0000"}',
    'text that is not ASCII': '{"żółć":"日本 😀 \u2028\u2029\u007f"}',
    'comment signs inside strings': '{"a//b":"/* not */ // a comment","u":"http://x/*"}',
    'commas and brackets inside strings': '[",]",",}","[,","\\",]"]',
    'empty names and values': '{"":"","a":{},"b":[]}',
    'a text alone': '"text"',
    'a number alone': '1.50',
    'true alone': 'true',
    'null alone': 'null',
    'an empty object': '{}',
    'an empty array': '[]',
  };
  for (const [name, text] of Object.entries(faithful)) {
    it(name, () => expectDelivered(text, text));
  }

  it('1,000 levels', async () => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    await expectDelivered(deep, deep);
    const deepObjects = `${'{"a":'.repeat(999)}[]${'}'.repeat(999)}`;
    await expectDelivered(deepObjects, deepObjects);
  });
});

describe('removed:', () => {
  it('white space between tokens, of every kind', () =>
    expectDelivered(' \t\r\n{ "a" :\n[ 1 ,\t2 ] , "b c" : " d " }\r\n', '{"a":[1,2],"b c":" d "}'));

  it('comments to the end of the line', () =>
    expectDelivered('// one\n{"a":1, // two\r\n// three\n"b":2}// four', '{"a":1,"b":2}'));

  it('comments between slash and star', () =>
    expectDelivered(
      '/**/{/* "x": */"a"/*1*/:/*2*/1/*3*/,/* // */"b":2/***/}/* end */',
      '{"a":1,"b":2}',
    ));

  it('comments that hold the other kind, quotes and brackets', () =>
    expectDelivered('[1,// /* " ]\n2,/* // " ] \n * / **/3]', '[1,2,3]'));

  it('trailing commas', () =>
    expectDelivered('{"a":[1,2,],"b":{"c":1,},}', '{"a":[1,2],"b":{"c":1}}'));

  it('trailing commas before comments and white space', () =>
    expectDelivered('[1, // last\n /* really */ ]', '[1]'));

  it('comments around a text alone', () => expectDelivered('/*a*/ "x" //b', '"x"'));
});

describe('the serialized form', () => {
  it('is the JSON text as a JSON string, exactly', async () => {
    const json = '{"q":"a\\"b\\\\c","n":1e400,"é":"\\u00e9"}';
    const { hash } = await game.put('quoted', json);
    const answer = await game.wrapped('quoted', { u: 'a' }, '?responseType=serialized');
    expect(answer.text).toBe(
      `{"data":${JSON.stringify(json)},"hash":"${hash}","meta":{"uid":${xxh32('a')},"mod":110,"seg":[]}}`,
    );
  });

  it('leaves hash and meta as they are without it', async () => {
    await game.put('tested', '{"n":1}', {
      mapping: [{ segment: 's', when: {}, info: 'i', merge: { n: 2 } }],
    });
    const { data, ...plain } = (await game.wrapped('tested', { u: 'a' })).json;
    const { data: text, ...serialized } = (
      await game.wrapped('tested', { u: 'a' }, '?responseType=serialized')
    ).json;
    expect(serialized).toEqual(plain);
    expect(data).toEqual({ n: 2 });
    expect(text).toBe('{"n":2}');
  });
});

describe('what a mutation writes', () => {
  const value =
    '{"e":1e400,"i":9007199254740993,"d":1.10,"10":1,"2":2,"__proto__":{"x":1},"s":"\\u0041\\/\\ud800"}';

  it('comes out as the mapping was sent, with merge', async () => {
    await game.put('merged', '{"z":1.10,"a":[1e400]}', {
      mapping: `[{"segment":"s","when":{},"merge":{"new":[${value}]}}]`,
    });
    const answer = await game.wrapped('merged');
    expect(answer.text).toContain(`{"data":{"z":1.10,"a":[1e400],"new":[${value}]},`);
  });

  it('comes out as the mapping was sent, with patch and with replace', async () => {
    await game.put('patched', '{"z":1.10,"a":0}', {
      mapping: `[{"segment":"s","when":{},"patch":[{"op":"replace","path":"/a","value":${value}}]}]`,
    });
    expect((await game.wrapped('patched')).text).toContain(`{"data":{"z":1.10,"a":${value}},`);
    await game.put('replaced', '1', {
      mapping: `[{"segment":"s","when":{},"replace":${value}}]`,
    });
    expect((await game.wrapped('replaced')).text).toContain(`{"data":${value},`);
  });

  it('loses only its white space', async () => {
    await game.put('spaced', '{"z":1}', {
      mapping: '[ {"segment": "s", "when": { }, "merge": { "a" : [ 1.0 , { } ] } } ]',
    });
    expect((await game.wrapped('spaced')).text).toContain('{"data":{"z":1,"a":[1.0,{}]},');
  });
});
