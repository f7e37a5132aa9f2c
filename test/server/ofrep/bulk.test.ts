/** OFREP's evaluation of all flags that the contents of an environment list. */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectOfrepError } from '../../support/wire/ofrep-error.js';

const server = sharedServer();
let game: Environment;

const context = { targetingKey: 'ann', country: 'US' };

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":5.0,"starter":{"a/b":true},"list":[],"none":null}', {
    flags: ['/price', '/starter/a~1b', '/list', '/none', '/missing', ''],
    mapping: [{ segment: 'us', when: { country: 'US' }, merge: { price: 6.0 } }],
  });
  await game.put('events', '{"on":false}', {
    flags: ['/on'],
    mapping: [
      {
        segment: 'test',
        when: {},
        variants: [{ name: 'v', groups: [0, 999], merge: { on: true } }],
      },
    ],
  });
  await game.put('later', '{"on":false}', { appVersion: '2.0.0', flags: ['/on'] });
  await game.put('unlisted', '{"on":false}');
});

const keys = [
  'events/on',
  'later/on',
  'Shop/price',
  'Shop/starter/a~1b',
  'Shop/list',
  'Shop/none',
  'Shop/missing',
  'Shop',
];

describe('a bulk evaluation', () => {
  it('has each listed flag as its single evaluation has it, byte for byte', async () => {
    for (const each of [{}, context, { targetingKey: 'bob', appVersion: '1.0.0' }]) {
      for (let round = 0; round < 3; round += 1) {
        const { status, text, json } = await game.flags({ context: each });
        expect(status).toBe(200);
        const singles: string[] = [];
        for (const key of keys) singles.push((await game.flag(key, { context: each })).text);
        expect(json.flags.map(({ key }: { key: string }) => key)).toEqual(keys);
        expect(text.startsWith(`{"flags":[${singles.join(',')}],"eventStreams":[`)).toBe(true);
      }
    }
  });

  it('has what cannot be evaluated as an item of its own', async () => {
    const { json } = await game.flags({ context: { appVersion: '1.0.0' } });
    const codes = json.flags.map(({ errorCode }: { errorCode?: string }) => errorCode ?? '');
    const miss = 'FLAG_NOT_FOUND';
    expect(codes).toEqual(['TARGETING_KEY_MISSING', miss, '', '', miss, miss, miss, '']);
    for (const item of json.flags) {
      expect(item.metadata).toBeTypeOf('object');
      if (item.errorCode === undefined)
        expect([item.reason, item.variant]).not.toContain(undefined);
      else expect(item.errorDetails).toMatch(/^\S.{10,}/);
    }
  });

  it('says its sequence, and where its stream is', async () => {
    const { sequence } = await game.put('unlisted', '{"on":true}');
    const { json } = await game.flags({ context });
    expect(json.metadata).toEqual({ sequence });
    expect(json.eventStreams).toEqual([
      {
        type: 'sse',
        endpoint: {
          requestUri: expect.stringMatching(/^\/ofrep\/v1\/stream\?token=[\w-]{40,2048}$/),
        },
        inactivityDelaySec: 120,
      },
    ]);
  });

  it('is the same compressed', async () => {
    await game.put('long', JSON.stringify({ text: 'abc'.repeat(1_000) }), { flags: ['/text'] });
    const plain = await game.flags({ context });
    // Each delivery process compresses it when it is asked for again.
    await expect
      .poll(async () => {
        const answer = await game.flags({ context }, { 'accept-encoding': 'gzip' });
        expect(answer.header('etag')).toBe(plain.header('etag'));
        const isGzip = answer.header('content-encoding') === 'gzip';
        return isGzip && gunzipSync(answer.bytes).toString();
      })
      .toBe(plain.text);
    expectDone(await server.admin('DELETE', `${game.path}/contents/long`));
  });

  it('lists nothing where nothing is listed', async () => {
    const bare = await makeEnvironment(server);
    const { status, json } = await bare.flags('');
    expect([status, json.flags]).toEqual([200, []]);
  });
});

describe('its ETag', () => {
  const tagOf = async (each: unknown = context, headers = {}) => {
    const answer = await game.flags({ context: each } as never, headers);
    expect(answer.header('etag')).toMatch(/^W\/"[0-9a-f]{32}"$/);
    return answer.header('etag');
  };
  const statusFor = async (etag: string, each: unknown = context) =>
    (await game.flags({ context: each } as never, { 'if-none-match': etag })).status;

  it('gives 304 to a client that holds the same', async () => {
    const etag = await tagOf();
    const held = await game.flags({ context }, { 'if-none-match': etag });
    expect(held.status).toBe(304);
    expect(held.bytes.byteLength).toBe(0);
    expect(held.header('etag')).toBe(etag);
    expect(await statusFor(`"x", ${etag}`)).toBe(304);
    expect(await statusFor(etag.replace('W/', ''))).toBe(304);
    expect(await statusFor('*')).toBe(304);
    expect(await statusFor('"x"')).toBe(200);
  });

  it('stays with edits that do not concern the player, and changes with those that do', async () => {
    const poland = { targetingKey: 'ann', country: 'PL' };
    let etag = await tagOf(poland);
    await game.put('unlisted', '{"on":"other"}');
    expect(await statusFor(etag, poland)).toBe(304);
    const mapping = (price: number) => [
      { segment: 'us', when: { country: 'US' }, merge: { price } },
    ];
    await game.putMapping('Shop', mapping(7));
    expect(await statusFor(etag, poland)).toBe(304);
    expect((await game.flags({ context })).json.flags[2].value).toBe(7);
    await game.put('later', '{"on":true}', { appVersion: '2.0.0' });
    expect(await statusFor(etag, poland)).toBe(200);
    etag = await tagOf(poland);
    expectDone(await game.tryPut('unlisted', { flags: ['/on'] }));
    expect(await statusFor(etag, poland)).toBe(200);
    expectDone(await game.tryPut('unlisted', { flags: [] }));
    expect(await statusFor(etag, poland)).toBe(304);
  });

  it('is of one player and one key: another one has another stream', async () => {
    const etag = await tagOf();
    expect(await statusFor(etag, { ...context, level: 1 })).toBe(200);
    const { key } = await makeKey(server, game.id);
    const answer = await game.flags({ context }, { 'x-api-key': key, 'if-none-match': etag });
    expect(answer.status).toBe(200);
  });

  it('tells a player without a targeting key from one in the same bucket', async () => {
    const anonymous = await tagOf({});
    expect(anonymous).not.toBe(await tagOf({ targetingKey: 'u' }));
  });
});

it('is of one sequence beside edits, with another ETag for other values', async () => {
  const busy = await makeEnvironment(server);
  const put = (value: number) => busy.put('a', `{"n":${value}}`, { flags: ['/n'] });
  await put(0);
  const values = new Map<string, number>();
  for (let value = 1; value <= 20; value += 1) {
    const [{ sequence }, ...answers] = await Promise.all([
      put(value),
      ...Array.from({ length: 8 }, () => busy.flags({ context })),
    ]);
    const after = await busy.flags({ context }, { 'x-min-sequence': `${sequence}` });
    expect(after.json.flags[0].value).toBe(value);
    for (const { status, json } of [...answers, after]) {
      expect(status).toBe(200);
      const { value: found } = json.flags[0];
      expect([value - 1, value]).toContain(found);
      expect(json.metadata.sequence >= sequence).toBe(found === value);
    }
    values.set(after.header('etag'), value);
  }
  expect(values.size).toBe(20);
});

describe('flagConfigEtag', () => {
  it('is the sequence that the evaluation is made from, at least', async () => {
    const { sequence } = await game.put('unlisted', '{"on":1}');
    for (const etag of [`${sequence}`, `%22${sequence}%22`, `W/%22${sequence}%22`]) {
      const query = `?flagConfigEtag=${etag}&flagConfigLastModified=1771622898`;
      const answer = await game.flags({ context }, {}, query);
      expect(answer.status).toBe(200);
      expect(Number(answer.header('x-sequence'))).toBeGreaterThanOrEqual(sequence);
      expect(answer.json.metadata.sequence).toBeGreaterThanOrEqual(sequence);
    }
  });

  it('is 429 while it is not reached', async () => {
    const answer = await game.flags({ context }, {}, '?flagConfigEtag=999999999');
    expectOfrepError(answer, 429, 'GENERAL', 'sequence_not_reached');
  });

  it('is 400 where it is no sequence', async () => {
    for (const etag of ['x', '-1', '1.5', '1234567890123456']) {
      const answer = await game.flags({ context }, {}, `?flagConfigEtag=${etag}`);
      expectOfrepError(answer, 400, 'GENERAL', 'invalid_sequence');
    }
  });
});

describe('too much', () => {
  it('is 400 beyond 1,000 flags, which names the limit', async () => {
    const many = await makeEnvironment(server);
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [i, i])));
    const flags = Array.from({ length: 600 }, (_, i) => `/${i}`);
    await many.put('a', text, { flags });
    await many.put('b', text, { flags: flags.slice(0, 400) });
    const full = await many.flags({ context });
    expect([full.status, full.json.flags.length]).toEqual([200, 1_000]);
    await many.put('c', '1', { flags: [''] });
    const answer = await many.flags({ context });
    expectOfrepError(answer, 400, 'GENERAL', 'too_many_flags');
    expect(answer.json.errorDetails).toContain('1000');
  });

  it('is not that there are many large content items, the first time that they are asked for', async () => {
    const large = await makeEnvironment(server);
    const text = 'x'.repeat(300 * 1024);
    for (let at = 0; at < 40; at += 1) {
      await large.put(`large-${at}`, JSON.stringify({ text, at }), { flags: ['/at'] });
    }
    const answer = await large.flags({ context });
    expect([answer.status, answer.json.flags.length]).toEqual([200, 40]);
  }, 60_000);

  it('is 400 beyond the bytes of a combined response', async () => {
    const large = await makeEnvironment(server);
    const text = JSON.stringify({ text: 'x'.repeat(30 * 1024 * 1024) });
    await large.put('a', text, { flags: ['/text'] });
    expect((await large.flags({ context })).status).toBe(200);
    expectDone(await large.tryPut('a', { flags: ['/text', ''] }));
    const answer = await large.flags({ context });
    expectOfrepError(answer, 400, 'GENERAL', 'too_many_flags');
    expect(answer.json.errorDetails).toMatch(/\d{8} bytes/);
  }, 60_000);
});
