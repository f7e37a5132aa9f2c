/** The refresh that stays open: what is sent, who is told of what, and who is not. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { OpenedStream } from '../../support/stream/opened-stream.js';
import { StreamClient, type Wake } from '../../support/stream/stream-client.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;
const open: { close(): void }[] = [];

beforeAll(async () => {
  game = await makeEnvironment(server);
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** One response of the stream, byte for byte. */
function streamOf(body: object, env = game, more: object = {}, query = ''): OpenedStream {
  const headers = { 'x-api-key': env.key, 'content-type': 'application/json', ...more };
  const asked = { headers, body: JSON.stringify(body) };
  const stream = new OpenedStream(server.deliveryUrl, `/api/v1/stream${query}`, asked);
  open.push(stream);
  return stream;
}

class Follower extends StreamClient {
  readonly wakes: Wake[];

  constructor(
    context: Readonly<Record<string, unknown>>,
    more: Partial<ConstructorParameters<typeof StreamClient>[0]> = {},
  ) {
    const wakes: Wake[] = [];
    const origin = () => server.deliveryUrl;
    const options = { origin, key: game.key, context, random: () => 0, ...more };
    super(options, (wake) => wakes.push(wake));
    this.wakes = wakes;
    open.push(this);
    this.open();
  }

  async wake(count: number): Promise<Wake> {
    await this.until(() => this.wakes.length >= count);
    return this.wakes[count - 1] as Wake;
  }
}

/** Everything that was published is known to have been told: an edit of an item that all follow has arrived everywhere. */
async function settle(env: Environment, ...followers: readonly Follower[]): Promise<number> {
  const { sequence } = await env.put('beacon', JSON.stringify({ at: Math.random() }));
  await Promise.all(followers.map((follower) => follower.reached(sequence)));
  return sequence;
}

/** Ids that were told after the first event, without those of `settle`. */
function toldOf({ wakes }: Follower): string[][] {
  return wakes
    .slice(1)
    .map(({ changed, gone }) => [...changed, ...gone.map((id) => `-${id}`)])
    .map((ids) => ids.filter((id) => id !== 'beacon'))
    .filter((ids) => ids.length > 0);
}

describe('the first event', () => {
  it('is what a refresh responds with, on one line', async () => {
    const env = await makeEnvironment(server);
    await env.put('shop', '{\n "price": 1.10, // in dollars\n "text": "a\\nb"}');
    await env.put('news', '"x"');
    for (const query of ['', '?responseType=serialized']) {
      for (const body of [{}, { have: { old: 'x', NEWS: '?' } }, { ids: ['SHOP'], u: 'a' }]) {
        const refreshed = await env.refresh(body, query);
        const stream = streamOf(body, env, { 'accept-encoding': 'gzip, br' }, query);
        const { status, headers } = await stream.opened;
        await stream.count(1);
        const { sequence } = refreshed.json;
        expect(stream.text).toBe(
          `event: refresh\nid: ${sequence}\ndata: ${refreshed.bytes.toString('latin1')}\n\n`,
        );
        expect(status).toBe(200);
        expect(headers).toMatchObject({
          'content-type': 'text/event-stream',
          'cache-control': 'no-cache',
          'x-accel-buffering': 'no',
          'access-control-allow-origin': '*',
        });
        expect(headers).not.toHaveProperty('content-encoding');
        expect(headers).not.toHaveProperty('x-sequence');
      }
    }
  });

  it('comes where nothing differs, and says from which sequence it was made', async () => {
    const { sequence } = await game.put('shop', '{"price":1}');
    const { contents } = (await game.refresh({ ids: ['shop'] })).json;
    const have = { shop: contents.shop.tag };
    const stream = streamOf({ have, ids: [] }, game, { 'x-min-sequence': String(sequence) });
    const [event] = await stream.count(1);
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ contents: {}, gone: [], more: false });
    expect((await stream.opened).headers['x-sequence']).toBe(event?.lastEventId);
    const late = await streamOf({}, game, { 'x-min-sequence': String(sequence + 1_000_000) });
    expect((await late.opened).status).toBe(503);
  });

  it('comes in pages, of which the last one says so, and later ones as well', async () => {
    const env = await makeEnvironment(server);
    const put = (id: string, size: number) => env.put(id, JSON.stringify('x'.repeat(size)));
    for (const id of ['a', 'b', 'c']) await put(id, 1_000);
    const stream = streamOf({ bytesMax: 1, have: { gone: 'x' } }, env);
    const pages = (await stream.count(3)).map(({ data }) => JSON.parse(data));
    expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
    expect(pages.map(({ gone }) => gone)).toEqual([['gone'], ['gone'], ['gone']]);
    expect(pages.flatMap(({ contents }) => Object.keys(contents))).toEqual(['a', 'b', 'c']);
    await put('b', 1_001);
    const next = JSON.parse((await stream.count(4))[3]?.data ?? '');
    expect([Object.keys(next.contents), next.more, next.gone]).toEqual([['b'], false, []]);
  });

  it('has a megabyte or more', async () => {
    const env = await makeEnvironment(server);
    const large = JSON.stringify('y'.repeat(6_000_000));
    await env.put('large', large);
    const stream = streamOf({}, env);
    const [event] = await stream.count(1);
    expect(event?.data).toContain(`"data":${large}`);
    await env.put('large', '1');
    expect((await stream.count(2))[1]?.data).toContain('"data":1,');
  });
});

describe('an edit is told', () => {
  it('to those whose own response changed, and to nobody else', async () => {
    const env = await makeEnvironment(server);
    const of = (context: object) => new Follower({ ...context }, { key: env.key });
    await env.put('beacon', '0');
    await env.put('shop', '{"price":1}');
    const followers = {
      us: of({ u: 'a', p: { country: 'US', level: 5 } }),
      pl: of({ u: 'b', p: { country: 'PL', level: 50 } }),
      old: of({ u: 'c', v: '1.0.0' }),
    };
    const all = Object.values(followers);
    await Promise.all(all.map((follower) => follower.wake(1)));
    const shop = 'shop';
    const rule = (segment: string, more: object) => [{ segment, ...more }];
    await env.putMapping(shop, rule('us', { when: { country: 'US' }, merge: { price: 2 } }));
    await settle(env, ...all);
    await env.putSegment('whales', { level: { $gte: 40 } });
    await settle(env, ...all);
    await env.putMapping(shop, rule('whales', { merge: { price: 9 } }));
    await settle(env, ...all);
    await env.putSegment('whales', { level: { $gte: 60 } });
    await settle(env, ...all);
    await env.put(shop, '{"price":4}', { appVersion: '2.0.0' });
    await settle(env, ...all);
    expectDone(await env.server.admin('DELETE', `${env.path}/contents/${shop}`));
    await settle(env, ...all);
    await env.put('SHOP', '{"price":4}');
    await settle(env, ...all);
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
    // `us`: its rule came and went; `pl`: it became a whale and was one no longer; a line for 2.0.0 is the newest for both.
    // A stream goes on with the spelling that it began with.
    const five = [['shop'], ['shop'], ['shop'], ['-shop'], ['shop']];
    expect(toldOf(followers.us)).toEqual(five);
    expect(toldOf(followers.pl)).toEqual(five);
    expect(toldOf(followers.old)).toEqual([['-shop'], ['shop']]);
    expect((await of({}).wake(1)).changed).toContain('SHOP');
  });

  it('by the ids that the client wrote, and only of those', async () => {
    const env = await makeEnvironment(server);
    await env.put('beacon', '0');
    await env.put('shop', '1');
    const follower = new Follower({}, { key: env.key, ids: ['SHOP', 'Later', 'beacon'] });
    const first = await follower.wake(1);
    expect([first.changed.toSorted(), first.gone]).toEqual([['SHOP', 'beacon'], ['Later']]);
    await env.put('other', '1');
    await env.put('LATER', '1');
    await settle(env, follower);
    await env.put('shop', '2');
    await settle(env, follower);
    expectDone(await server.admin('DELETE', `${env.path}/contents/later`));
    await settle(env, follower);
    expect(toldOf(follower)).toEqual([['Later'], ['SHOP'], ['-Later']]);
    expect(follower.violations).toEqual([]);
  });

  it('without its content in the mode `notify`', async () => {
    const env = await makeEnvironment(server);
    await env.put('shop', '1');
    const stream = streamOf({ mode: 'notify' }, env);
    const { sequence } = await env.put('shop', '2');
    const [first, second] = await stream.count(2);
    expect(JSON.parse(first?.data ?? '')).toEqual({ ids: ['shop'], sequence: expect.any(Number) });
    expect(second?.data).toBe(JSON.stringify({ ids: ['shop'], sequence }));
    const gone = expectDone(await server.admin('DELETE', `${env.path}/contents/shop`)).json;
    expect((await stream.count(3))[2]?.data).toContain('"ids":["shop"]');
    expect(gone.sequence ?? sequence + 1).toBeGreaterThan(sequence);
  });
});

describe('a window', () => {
  it('is told when it begins and ends, with the instant', async () => {
    const env = await makeEnvironment(server);
    const [from, until] = [1_000, 6_000].map((ms) => new Date(Date.now() + ms));
    await env.put('offer', '{"price":2}');
    const follower = new Follower({ u: 'a', p: { country: 'US' } }, { key: env.key });
    const other = new Follower({ u: 'a', p: { country: 'PL' } }, { key: env.key });
    await Promise.all([follower.wake(1), other.wake(1)]);
    const when = { country: 'US' };
    const window = { from: from?.toISOString(), until: until?.toISOString() };
    await env.putMapping('offer', [{ segment: 'sale', when, ...window, merge: { price: 1 } }]);
    const begun = await follower.wake(2);
    expect([begun.changed, begun.at]).toEqual([['offer'], from?.toISOString()]);
    const ended = await follower.wake(3);
    expect([ended.changed, ended.at]).toEqual([['offer'], until?.toISOString()]);
    expect(other.wakes.length).toBe(1);
    expect([...follower.violations, ...other.violations]).toEqual([]);
  });

  it('that an edit moves is told when it begins then', async () => {
    const env = await makeEnvironment(server);
    const put = (ms: number) => {
      const from = new Date(Date.now() + ms).toISOString();
      return env.put('offer', '{"price":2}', {
        mapping: [{ segment: 'sale', when: {}, from, merge: { price: 1 } }],
      });
    };
    await put(3_600_000);
    const follower = new Follower({}, { key: env.key });
    await follower.wake(1);
    await put(500);
    expect((await follower.wake(2)).changed).toEqual(['offer']);
    expect((await env.wrapped('offer')).json.data).toEqual({ price: 1 });
  });
});

describe('a key', () => {
  it('that is revoked ends its streams, and nobody else’s', async () => {
    const env = await makeEnvironment(server);
    await env.put('shop', '1');
    const other = await makeKey(server, env.id);
    const revoked = new Follower({}, { key: other.key });
    const kept = new Follower({}, { key: env.key });
    await Promise.all([revoked.wake(1), kept.wake(1)]);
    // Both at once: what is published with the revocation, or after it, is not for this key.
    const [, { sequence }] = await Promise.all([
      server.admin('DELETE', `${env.path}/keys/${other.id}`).then(expectDone),
      env.put('shop', '2'),
    ]);
    await kept.reached(sequence);
    await eventually('its streams ended', 5_000, async () => revoked.end === 'rejected');
    await env.put('shop', '3').then(({ sequence: last }) => kept.reached(last));
    expect(revoked.wakes.length).toBeLessThanOrEqual(2);
    expect(kept.connections).toBe(1);
    expect([...kept.violations, ...revoked.violations]).toEqual([]);
  });

  it('that expires ends its streams', async () => {
    const env = await makeEnvironment(server);
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { key } = await makeKey(server, env.id, { expiresAt });
    const follower = new Follower({}, { key });
    await follower.wake(1);
    await eventually('its stream ended', 5_000, async () => follower.end === 'rejected');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(follower.connections).toBe(1);
  });

  it('of an environment that is deleted ends its streams', async () => {
    const env = await makeEnvironment(server);
    const follower = new Follower({}, { key: env.key });
    await follower.wake(1);
    expectDone(await server.admin('DELETE', env.path));
    await eventually('its stream ended', 5_000, async () => follower.end === 'rejected');
  });
});

describe('what is asked wrongly', () => {
  it.each([
    ['{"mode":"all"}', 'mode is either data or notify.'],
    ['{"mode":1}', 'mode is either data or notify.'],
    ['{"at":"tomorrow"}', 'at must be a date-time'],
    ['{"at":1}', 'at must be a date-time'],
    ['{"have":[]}', 'have must be'],
    ['{"have":{"a":"x","A":"y"}}', 'two spellings'],
    ['{"ids":["a","A"]}', 'two spellings'],
    ['{"bytesMax":0}', 'bytesMax'],
    ['{"u":1}', 'u must be a string'],
    ['[]', 'JSON object'],
    ['', 'empty'],
  ])('%s is rejected', async (body, detail) => {
    const answer = await game.ask('POST', '/api/v1/stream', body);
    expectRefusal(answer, 400, 'invalid_body');
    expect(answer.json.detail).toContain(detail);
  });

  it('is a context that is larger than other requests may have, or nests too deep to be kept', async () => {
    const path = '/api/v1/stream';
    const large = await game.ask('POST', path, { p: { much: 'x'.repeat(70_000) } });
    expectRefusal(large, 413, 'body_too_large');
    const deep = `{"p":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`;
    const answer = await game.ask('POST', path, deep);
    expectRefusal(answer, 413, 'body_too_large');
    expectRefusal(await game.ask('GET', path), 405, 'method_not_allowed');
    expectRefusal(await game.ask('POST', path, {}, { 'x-api-key': 'no' }), 401, 'invalid_api_key');
    expectRefusal(await game.ask('POST', `${path}?responseType=xml`, {}), 400, 'invalid_query');
  });

  it('is any number of attributes and tags up to the limits', async () => {
    const have = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`id-${at}`, 'x']));
    const stream = streamOf({ have, p: { a: null, b: [1, { c: [] }], __proto__: 1, '': 'é' } });
    const [event] = await stream.count(1);
    expect(JSON.parse(event?.data ?? '').gone.length).toBe(10_000);
    const more = { ...have, one: 'x' };
    expectRefusal(await game.ask('POST', '/api/v1/stream', { have: more }), 400, 'invalid_body');
  });
});
