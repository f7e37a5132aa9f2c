/** The user context: which bodies are accepted, what they mean, and how the rest is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectRefusal } from '../../support/wire/refusal.js';
import { xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}', {
    mapping: [{ segment: 'us', when: { country: 'US' } }],
  });
});

const good: readonly (readonly [string, Body])[] = [
  ['an empty object', '{}'],
  ['only u', '{"u":"a"}'],
  ['the minimum form', '{"u":"","p":{}}'],
  ['an empty version, which counts as absent', '{"v":""}'],
  [
    'all of u, v and p',
    '{"u":"a","v":"1.2.3","p":{"level":3,"tags":["a","b"],"x":null,"y":{"z":true}}}',
  ],
  ['v null', '{"u":"a","p":{},"v":null}'],
  ['v of zeros', '{"v":"0.0.0"}'],
  ['v with leading zeros', '{"v":"01.002.0003"}'],
  ['v with nine digits in each part', '{"v":"999999999.999999999.999999999"}'],
  ['unknown fields', '{"u":"a","x":1,"data":{"u":5},"":[]}'],
  ['unknown field __proto__', '{"__proto__":{"u":5,"p":[]}}'],
  ['white space around', ' \r\n\t{ "u" : "a" } \n'],
  ['escapes', '{"\\u0075":"\\ud83d\\ude00","p":{"\\n":"\\/"}}'],
  ['a lone surrogate escape in u', '{"u":"\\ud800"}'],
  ['raw non-ASCII text', '{"u":"Żółć 日本 😀"}'],
  ['a repeated key whose last value is valid', '{"u":1,"u":"a","p":[],"p":{},"v":7,"v":"1.0.0"}'],
];

describe('a body is accepted on all three content endpoints:', () => {
  for (const [name, body] of good) {
    it(name, async () => {
      expect((await game.wrapped('shop', body)).status).toBe(200);
      expect((await game.plain('shop', body)).status).toBe(200);
      expect((await game.combine(['shop'], body)).status).toBe(200);
    });
  }
});

const bad: readonly (readonly [string, Body])[] = [
  ['empty', ''],
  ['only white space', '  \n'],
  ['not UTF-8', Buffer.from('{"u":"\xff"}', 'latin1')],
  ['not UTF-8: an overlong slash', Buffer.from('{"u":"\xc0\xaf"}', 'latin1')],
  ['not UTF-8: an encoded surrogate', Buffer.from('{"u":"\xed\xa0\x80"}', 'latin1')],
  ['not UTF-8: a cut sequence', Buffer.from('{"u":"\xe2\x82"}', 'latin1')],
  ['not JSON', 'u=a'],
  ['cut off', '{"u":"a"'],
  ['with something after it', '{} {}'],
  ['with a comment', '{/*c*/}'],
  ['with a trailing comma', '{"u":"a",}'],
  ['with single quotes', "{'u':'a'}"],
  ['a raw control character in a string', '{"u":"\u0001"}'],
  ['an array', '[]'],
  ['a string', '"u"'],
  ['a number', '1'],
  ['null', 'null'],
  ['u a number', '{"u":1}'],
  ['u null', '{"u":null}'],
  ['u a boolean', '{"u":true}'],
  ['u an array', '{"u":["a"]}'],
  ['u an object', '{"u":{}}'],
  ['p an array', '{"p":[]}'],
  ['p a number', '{"u":"a","p":1}'],
  ['p a string', '{"u":"a","p":"x"}'],
  ['p a boolean', '{"p":false}'],
  ['p null', '{"p":null}'],
  ['v a number', '{"v":1}'],
  ['v a boolean', '{"v":false}'],
  ['v an array', '{"v":["1.2.3"]}'],
  ['v an object', '{"v":{}}'],
  ['v of two parts', '{"v":"1.2"}'],
  ['v of four parts', '{"v":"1.2.3.4"}'],
  ['v with an empty part', '{"v":"1..3"}'],
  ['v with a prefix', '{"v":"v1.2.3"}'],
  ['v with a pre-release', '{"v":"1.2.3-beta"}'],
  ['v with a sign', '{"v":"1.-2.3"}'],
  ['v with white space', '{"v":" 1.2.3"}'],
  ['v with a line feed at its end', '{"v":"1.2.3\\n"}'],
  ['v with digits of another script', '{"v":"١.٢.٣"}'],
  ['v with another separator', '{"v":"1x2x3"}'],
  ['v with ten digits in a part', '{"v":"1.1234567890.0"}'],
  ['v with ten digits, leading zeros', '{"v":"0000000001.0.0"}'],
  ['a repeated key whose last value is invalid', '{"u":"a","u":1}'],
];

describe('a body is refused with 400 invalid_body on all three content endpoints:', () => {
  for (const [name, body] of bad) {
    it(name, async () => {
      expectRefusal(await game.wrapped('shop', body), 400, 'invalid_body');
      expectRefusal(await game.plain('shop', body), 400, 'invalid_body');
      expectRefusal(await game.combine(['shop'], body), 400, 'invalid_body');
    });
  }

  it('none at all', async () => {
    const answer = await game.ask('POST', '/api/v1/config/shop/dynamic');
    expectRefusal(answer, 400, 'invalid_body');
  });
});

describe('the meaning of a body', () => {
  it('an absent u is the empty user', async () => {
    const absent = await game.wrapped('shop', '{}');
    expect(absent.text).toBe((await game.wrapped('shop', '{"u":"","p":{}}')).text);
    expect(absent.json.meta).toMatchObject({ uid: 0, mod: 0 });
  });

  it('of a repeated u the last one counts', async () => {
    const answer = await game.wrapped('shop', '{"u":"first","u":"last"}');
    expect(answer.json.meta.uid).toBe(xxh32('last'));
  });

  it('of a repeated p, and of a repeated key in p, the last one counts', async () => {
    expect(await game.segments('shop', '{"p":{"country":"US"},"p":{}}')).toEqual([]);
    expect(await game.segments('shop', '{"p":{"country":"PL","country":"US"}}')).toEqual(['us']);
  });

  it('__proto__ in p is an attribute like any other, not a prototype', async () => {
    expect(await game.segments('shop', '{"p":{"__proto__":{"country":"US"}}}')).toEqual([]);
  });

  it('__proto__ in the body gives no u and no p', async () => {
    const answer = await game.wrapped('shop', '{"__proto__":{"u":"a","p":{"country":"US"}}}');
    expect(answer.json.meta).toMatchObject({ uid: 0, mod: 0, seg: [] });
  });
});
