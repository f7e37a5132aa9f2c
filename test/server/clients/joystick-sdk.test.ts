/** The official JavaScript SDK of this API, unmodified, against a real server: only its hard-coded host is redirected. */
import { createRequire } from 'node:module';
import { ApiBadRequestError, Joystick, MultipleContentsApiError } from '@getjoystick/joystick-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { mappedHash, xxh32 } from '../../support/xxhash.js';

interface RequestConfig {
  url?: string;
}
type Adapter = (config: RequestConfig) => Promise<unknown>;
interface Axios {
  readonly defaults: { adapter: unknown };
  getAdapter(name: string): Adapter;
}

const officialHost = 'https://api.getjoystick.com';
// The very instance the SDK uses, so that what it makes of it inherits the redirection.
const sdkRequire = createRequire(
  createRequire(import.meta.url).resolve('@getjoystick/joystick-js'),
);
const axios: Axios = sdkRequire('axios');
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  shouldLog: () => false,
};

const mapping = [
  { segment: 'whales', info: 'promo', merge: { price: 2.5 } },
  {
    segment: 'test',
    when: {},
    variants: [
      { name: 'control', groups: [0, 109] },
      { name: 'high', groups: [110, 999], merge: { items: [] } },
    ],
  },
];
const whales = { spent: { $gte: 100 } };

const server = sharedServer();
let game: Environment;
const asked: string[] = [];

beforeAll(async () => {
  game = await makeEnvironment(server);
  const sendOverHttp = axios.getAdapter('http');
  axios.defaults.adapter = (config: RequestConfig) => {
    const url = config.url ?? '';
    asked.push(url);
    return sendOverHttp({ ...config, url: url.replace(officialHost, server.deliveryUrl) });
  };
  await game.putSegment('whales', whales);
  await game.put('Shop', '{"price": 1.5, /* in gems */ "items": ["sword"]}', {
    mapping,
  });
  await game.put('motd', '"hello"');
  await game.put('levels', '{"line":1}', { appVersion: '1.0.0' });
  await game.put('levels', '{"line":2}', { appVersion: '2.0.0' });
});

function client(more: Readonly<Record<string, unknown>> = {}): Joystick {
  return new Joystick({ apiKey: game.key, ...more }, { logger: silent });
}

describe('the official SDK', () => {
  it('asks its own host, which the test redirects', async () => {
    await client().getContent('motd');
    expect(asked.at(-1)).toBe(`${officialHost}/api/v1/combine/`);
  });

  it('fetches one content and several', async () => {
    expect(await client().getContent('motd')).toBe('hello');
    expect(await client({ userId: 'abc' }).getContents(['Shop', 'motd', 'levels'])).toEqual({
      Shop: { price: 1.5, items: [] },
      motd: 'hello',
      levels: { line: 2 },
    });
  });

  it('finds a content in the case it asked for', async () => {
    expect(await client().getContents(['MOTD', 'shop'])).toMatchObject({ MOTD: 'hello' });
  });

  it('segments by its parameters and places its user in an A/B test', async () => {
    const whale = client({ userId: 'a', params: { spent: 500 } }); // mod 110
    expect(await whale.getContent('Shop', { fullResponse: true })).toEqual({
      data: { price: 2.5, items: [] },
      hash: mappedHash('{"price":1.5,"items":["sword"]}', mapping, [['whales', whales]]),
      meta: {
        uid: xxh32('a'),
        mod: 110,
        seg: [
          { n: 'whales', v: null, i: 'promo' },
          { n: 'test', v: 'high' },
        ],
      },
    });
    const control = Array.from({ length: 200 }, (_, i) => `u${i}`).find(
      (u) => xxh32(u) % 1000 < 110,
    );
    const minnow = client({ userId: control, params: { spent: 1 } });
    expect(await minnow.getContent('Shop', { fullResponse: true })).toMatchObject({
      data: { price: 1.5, items: ['sword'] },
      meta: { seg: [{ n: 'test', v: 'control' }] },
    });
  });

  it('gets the line of its app version', async () => {
    expect(await client({ semVer: '1.5.0' }).getContent('levels')).toEqual({ line: 1 });
    expect(await client({ semVer: '2.0.0' }).getContent('levels')).toEqual({ line: 2 });
  });

  it('gets contents serialized', async () => {
    expect(await client().getContents(['motd', 'levels'], { serialized: true })).toEqual({
      motd: '"hello"',
      levels: '{"line":2}',
    });
  });

  it('reports a missing id as the error of one content', async () => {
    const missing = client().getContents(['motd', 'none']);
    await expect(missing).rejects.toThrow(MultipleContentsApiError);
    await expect(missing).rejects.toThrow(/^- Error 404, /);
    const old = client({ semVer: '0.1.0' }).getContent('levels');
    await expect(old).rejects.toThrow(MultipleContentsApiError);
  });

  it('reports a wrong key as a bad request', async () => {
    const answer = new Joystick({ apiKey: 'nobody' }, { logger: silent }).getContent('motd');
    await expect(answer).rejects.toThrow(ApiBadRequestError);
  });

  it('sees an edit as soon as it refreshes', async () => {
    const sdk = client();
    await game.put('news', '1');
    expect(await sdk.getContent('news')).toBe(1);
    await game.put('news', '2');
    expect(await sdk.getContent('news', { refresh: true })).toBe(2);
  });
});
