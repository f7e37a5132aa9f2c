/** OFREP's evaluation of one flag: keys, values, reasons, contexts. */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { uidOf } from '../../../src/content/bucket.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectOfrepError } from '../../support/wire/ofrep-error.js';

const server = sharedServer();
let game: Environment;

const shopText =
  '{ "price": 5.0, "big": 9007199254740993, "far": 1e400, "on": true, "off": false, "name": "caf\\u00e9", "none": null,' +
  ' "list": [1, {"deep": "x"}, null], "starter": {"price": 1.10, "a/b": 1, "m~n": 2, "": 3}, "twice": 1, "twice": 2,' +
  ' "..": "up", "50%": "half", "__proto__": {"x": 7} }';

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', shopText);
  await game.put('root-text', '"hello"');
  await game.put('root-list', '[1]');
  await game.put('lines', '{"at":"one"}', { appVersion: '1.0.0' });
  await game.put('lines', '{"at":"two"}', { appVersion: '2.0.0' });
});

describe('a flag key', () => {
  it.each([
    ['Shop/price', '5.0'],
    ['Shop%2Fprice', '5.0'],
    ['Shop%2fprice', '5.0'],
    ['sHoP/price', '5.0'],
    ['Shop/big', '9007199254740993'],
    ['Shop/far', '1e400'],
    ['Shop/on', 'true'],
    ['Shop/off', 'false'],
    ['Shop/name', '"caf\\u00e9"'],
    ['Shop/starter', '{"price":1.10,"a/b":1,"m~n":2,"":3}'],
    ['Shop/starter/price', '1.10'],
    ['Shop/starter%2Fprice', '1.10'],
    ['Shop/starter/a~1b', '1'],
    ['Shop/starter/a%7E1b', '1'],
    ['Shop/starter/m~0n', '2'],
    ['Shop/starter/', '3'],
    ['Shop/list/0', '1'],
    ['Shop/list/1/deep', '"x"'],
    ['Shop/twice', '2'],
    ['Shop/..', '"up"'],
    ['Shop/%2E%2E', '"up"'],
    ['Shop/50%25', '"half"'],
    ['Shop/50%', '"half"'],
    ['Shop/__proto__/x', '7'],
    ['root-text', '"hello"'],
  ])('%s has the stored lexeme %s', async (key, value) => {
    let decoded = key;
    try {
      decoded = decodeURIComponent(key);
    } catch {}
    const { hash } = (await game.wrapped(decoded.split('/')[0] as string)).json;
    // The second response is made of what the first one left.
    for (let round = 0; round < 2; round += 1) {
      const { status, text } = await game.flag(key, {});
      const metadata = `{"hash":"${hash}","versionLine":"0.0.0"}`;
      const foot = `"reason":"STATIC","variant":"default","metadata":${metadata}}`;
      expect(status).toBe(200);
      expect(text).toBe(`{"key":${JSON.stringify(decoded)},"value":${value},${foot}`);
    }
  });

  it.each([
    ['', '', 'empty'],
    ['nothing', 'nothing', 'No published content item'],
    ['..', '..', 'No published content item'],
    ['%2E%2E', '..', 'No published content item'],
    ['/price', '/price', 'No published content item'],
    ['Shop%252Fprice', 'Shop%2Fprice', 'No published content item'],
    ['Shop/none', 'Shop/none', 'is null'],
    ['Shop/list', 'Shop/list', 'is an array'],
    ['Shop/list/2', 'Shop/list/2', 'is null'],
    ['Shop/list/3', 'Shop/list/3', 'nothing at "/list/3"'],
    ['Shop/list/-', 'Shop/list/-', 'nothing at "/list/-"'],
    ['Shop/list/01', 'Shop/list/01', 'nothing at "/list/01"'],
    ['Shop/list/deep', 'Shop/list/deep', 'nothing at "/list/deep"'],
    ['Shop/price/x', 'Shop/price/x', 'nothing at "/price/x"'],
    ['Shop/Price', 'Shop/Price', 'nothing at "/Price"'],
    ['Shop/', 'Shop/', 'nothing at "/"'],
    ['Shop//price', 'Shop//price', 'nothing at "/"'],
    ['Shop/starter/a/b', 'Shop/starter/a/b', 'nothing at "/starter/a"'],
    ['Shop/starter/a~2b', 'Shop/starter/a~2b', 'is not a JSON Pointer'],
    ['Shop/toString', 'Shop/toString', 'nothing at "/toString"'],
    ['root-text/0', 'root-text/0', 'nothing at "/0"'],
    ['root-list', 'root-list', 'is an array'],
    [`Shop/${'x'.repeat(3_000)}`, `Shop/${'x'.repeat(3_000)}`, 'more than 2048 characters'],
  ])('%s names no flag', async (key, decoded, reason) => {
    const answer = await game.flag(key, {});
    expectOfrepError(answer, 404, 'FLAG_NOT_FOUND', 'flag_not_found', decoded);
    expect(answer.json.errorDetails).toContain(reason);
  });

  it('finds a value in a large document, compressed where the client accepts it', async () => {
    const items = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `item ${id}` }));
    const text = JSON.stringify({ all: { items }, last: 'z' });
    await game.put('large', text);
    for (let round = 0; round < 3; round += 1) {
      expect((await game.flag('large/last')).json.value).toBe('z');
      expect((await game.flag('large/all/items/39999/name')).json.value).toBe('item 39999');
      expectOfrepError(
        await game.flag('large/all/items/40000/name'),
        404,
        'FLAG_NOT_FOUND',
        'flag_not_found',
        'large/all/items/40000/name',
      );
      const whole = await game.flag('large', {}, { 'accept-encoding': 'gzip' });
      const json =
        whole.header('content-encoding') === 'gzip' ? gunzipSync(whole.bytes) : whole.bytes;
      expect(JSON.parse(json.toString()).value).toEqual(JSON.parse(text));
    }
  });

  it('is compressed for clients that ask for it again', async () => {
    await game.put('middle', JSON.stringify({ text: 'abc'.repeat(2_000) }));
    const plain = await game.flag('middle/text');
    await expect
      .poll(async () => {
        const answer = await game.flag('middle/text', {}, { 'accept-encoding': 'gzip' });
        return answer.header('content-encoding') === 'gzip' && gunzipSync(answer.bytes).toString();
      })
      .toBe(plain.text);
  });
});

describe('the reason and the variant', () => {
  beforeAll(async () => {
    await game.putSegment('whales', { spent: { $gte: 100 } });
    await game.put('rules', '{"price":1,"test":0}');
    await game.put('rules', '{"price":1,"test":0,"gone":true}', {
      appVersion: '9.0.0',
      mapping: [
        { segment: 'whales', merge: { price: 2 } },
        { segment: 'us', when: { country: 'US' }, merge: { price: 3 } },
        { segment: 'gone', when: { country: 'US' }, patch: [{ op: 'remove', path: '/gone' }] },
        {
          segment: 'test',
          when: { country: 'PL' },
          variants: [
            { name: 'low', groups: [0, 499], merge: { test: 1 } },
            { name: 'high', groups: [500, 999], merge: { test: 2 } },
          ],
        },
        {
          segment: 'closed',
          when: {},
          until: '2020-01-01T00:00:00Z',
          variants: [{ name: 'x', groups: [0, 999] }],
        },
      ],
    });
  });

  const evaluate = async (context: Record<string, unknown>) => {
    // A rule that cannot apply in the lower version line is not named.
    const body = { context: { appVersion: '1.0.0', ...context } };
    const { status, json } = await game.flag('rules/price', body);
    expect(status).toBe(200);
    return [json.value, json.reason, json.variant];
  };

  it('say that no rule applied', async () => {
    expect(await evaluate({ targetingKey: 'a' })).toEqual([1, 'DEFAULT', 'default']);
    expect(await evaluate({})).toEqual([1, 'DEFAULT', 'default']);
  });

  it('name the segments that the player is in', async () => {
    expect(await evaluate({ spent: 100 })).toEqual([2, 'TARGETING_MATCH', 'whales']);
    expect(await evaluate({ targetingKey: 'a', spent: 100, country: 'US' })).toEqual([
      3,
      'TARGETING_MATCH',
      'whales,us',
    ]);
  });

  it('name the variant that was assigned, as meta.seg does', async () => {
    for (const targetingKey of ['a', 'b', 'c', 'd']) {
      const variant = uidOf(targetingKey) % 1000 < 500 ? 'low' : 'high';
      const context = { targetingKey, spent: 100, country: 'PL' };
      expect(await evaluate(context)).toEqual([2, 'SPLIT', `whales,test:${variant}`]);
    }
  });

  it('need a targeting key only where a variant is to be assigned', async () => {
    const answer = await game.flag('rules/price', { context: { country: 'PL' } });
    expectOfrepError(answer, 400, 'TARGETING_KEY_MISSING', 'targeting_key_missing', 'rules/price');
    const empty = await game.flag('rules/price', { context: { country: 'PL', targetingKey: '' } });
    expect(empty.text).toBe(answer.text);
    expect(await evaluate({ country: 'US' })).toEqual([3, 'TARGETING_MATCH', 'us']);
    expect(await evaluate({ country: 'US', appVersion: '9.0.0' })).toEqual([
      3,
      'TARGETING_MATCH',
      'us,gone',
    ]);
  });
});

describe('a context', () => {
  it.each(['', '{}', '{"context":{}}', '{"context":null}', '{"other":1}'])(
    'that is %s is empty',
    async (body) => {
      const { status, json } = await game.flag('Shop/price', body);
      expect([status, json.value]).toEqual([200, 5]);
    },
  );

  it.each(['1', '"text"', '[]', '[{}]', 'true', 'false', '0', '""'])(
    'that is %s is no object',
    async (context) => {
      const answer = await game.flag('Shop/price', `{"context":${context}}`);
      expectOfrepError(answer, 400, 'INVALID_CONTEXT', 'invalid_context', 'Shop/price');
    },
  );

  it.each(['1', 'null', 'true', '{}', '["a"]', '0'])(
    'with the targeting key %s is invalid',
    async (key) => {
      const answer = await game.flag('Shop/price', `{"context":{"targetingKey":${key}}}`);
      expectOfrepError(answer, 400, 'INVALID_CONTEXT', 'invalid_context', 'Shop/price');
    },
  );

  it.each(['[]', '1', 'null', '"context"', '{', '\u0000', '{"context":{}} x', '\ufeff{}'])(
    'does not stand in the body %j',
    async (body) => {
      const answer = await game.flag('Shop/price', body);
      expectOfrepError(answer, 400, 'PARSE_ERROR', 'invalid_body', 'Shop/price');
    },
  );

  it('is no UTF-8', async () => {
    const answer = await game.flag('Shop/price', Uint8Array.of(0x7b, 0xff, 0x7d));
    expectOfrepError(answer, 400, 'PARSE_ERROR', 'invalid_body', 'Shop/price');
  });

  it('chooses the version line by appVersion, which counts as absent where it is malformed', async () => {
    const at = async (appVersion: unknown) =>
      (await game.flag('lines/at', { context: { appVersion } })).json.value;
    expect(await at('1.5.0')).toBe('one');
    expect(await at('2.0.0')).toBe('two');
    for (const malformed of ['', '1.5', 'v1.5.0', 1, null, {}, []]) {
      expect(await at(malformed)).toBe('two');
    }
    const none = await game.flag('lines/at', { context: { appVersion: '0.9.0' } });
    expectOfrepError(none, 404, 'FLAG_NOT_FOUND', 'flag_not_found', 'lines/at');
    expect(none.json.errorDetails).toContain('no version line');
  });

  it('gives everything else to the rules, and targetingKey as @u', async () => {
    await game.put('seen', '{"by":"nobody"}', {
      mapping: [
        { segment: 'u', when: { '@u': 'ann' }, merge: { by: 'ann' } },
        { segment: 'v', when: { '@v': { $vgte: '3.0.0' } }, merge: { by: 'version' } },
        { segment: 'own', when: { __proto__x: 1 }, merge: { by: 'p' } },
        { segment: 'deep', when: { 'a.b': [1, { c: null }] }, merge: { by: 'deep' } },
        { segment: 'key', when: { targetingKey: { $exists: true } }, merge: { by: 'key' } },
        { segment: 'appVersion', when: { appVersion: { $exists: true } }, merge: { by: 'key' } },
      ],
    });
    const by = async (context: unknown) =>
      (await game.flag('seen/by', { context } as never)).json.value;
    expect(await by({ targetingKey: 'ann', appVersion: '1.0.0' })).toBe('ann');
    expect(await by({ targetingKey: 'bob', appVersion: '3.0.0' })).toBe('version');
    expect(await by({ __proto__x: 1 })).toBe('p');
    expect(await by({ a: { b: [1, { c: null }] } })).toBe('deep');
  });

  it('may be any JSON', async () => {
    const contexts = [
      '{"__proto__":{"targetingKey":1},"constructor":null}',
      '{"a":1e400,"b":-0,"c":[[[]]],"d":{"":{"":""}},"é":"\\ud800"}',
      `{"deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      '{"targetingKey":"\\ud800","targetingKey":"b"}',
    ];
    for (const context of contexts) {
      const { status, json } = await game.flag('rules/price', `{"context":${context}}`);
      expect([status, json.value]).toEqual([200, 1]);
      expect((await game.flags(`{"context":${context}}`)).status).toBe(200);
    }
  });
});

it('gives the value of now after an edit, and of the sequence that was seen', async () => {
  for (let price = 1; price <= 5; price += 1) {
    const { sequence } = await game.put('edited', `{"price":${price}}`);
    const headers = { 'x-min-sequence': `${sequence}` };
    const answer = await game.flag('edited/price', {}, headers);
    expect(answer.json.value).toBe(price);
    expect(Number(answer.header('x-sequence'))).toBeGreaterThanOrEqual(sequence);
  }
  expectDone(await server.admin('DELETE', `${game.path}/contents/edited`));
  expect((await game.flag('edited/price')).status).toBe(404);
});
