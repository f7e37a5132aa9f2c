/** How OFREP's routes reject requests: the order of checks, credentials, methods, paths, overload, CORS. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { OpenStreams } from '../../support/stream/open-stream.js';
import { expectOfrepError } from '../../support/wire/ofrep-error.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
const bulk = '/ofrep/v1/evaluate/flags';
const single = `${bulk}/Shop/price`;
const stream = '/ofrep/v1/stream';
const streams = new OpenStreams();
/** Each evaluation with the key that its errors name. */
const evaluations: readonly (readonly [path: string, key: string | undefined])[] = [
  [bulk, undefined],
  [single, 'Shop/price'],
];
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":1}', { flags: ['/price'] });
});

describe.each(evaluations)('POST %s', (path, key) => {
  const badKey = { 'x-api-key': 'nobody' };
  const badType = { 'content-type': 'text/plain' };
  const bigBody = 'x'.repeat(70_000);

  it('checks the key, then Content-Type, body size, body, sequence', async () => {
    const ask = (body: string, headers: Record<string, string>) =>
      game.ask('POST', path, body, { 'x-min-sequence': 'x', ...headers });
    const keyless = await ask(bigBody, { ...badKey, ...badType });
    expectOfrepError(keyless, 401, 'GENERAL', 'invalid_api_key', key);
    expectOfrepError(await ask(bigBody, badType), 400, 'GENERAL', 'invalid_content_type', key);
    expectOfrepError(await ask(bigBody, {}), 413, 'GENERAL', 'body_too_large', key);
    expectOfrepError(await ask('x', {}), 400, 'PARSE_ERROR', 'invalid_body', key);
    expectOfrepError(await ask('{}', {}), 400, 'GENERAL', 'invalid_sequence', key);
  });

  it('takes a key as X-Api-Key, or else as a bearer token', async () => {
    const statusOf = async (headers: Record<string, string | undefined>) =>
      (await game.ask('POST', path, '{}', headers as Record<string, string>)).status;
    const none = { 'x-api-key': '' };
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ ...none, authorization: `Bearer ${game.key}` })).toBe(200);
    expect(await statusOf({ ...none, authorization: `bearer  ${game.key}` })).toBe(200);
    expect(await statusOf({ authorization: 'Bearer nobody' })).toBe(200);
    expect(await statusOf({ ...badKey, authorization: `Bearer ${game.key}` })).toBe(401);
    for (const authorization of ['', 'Bearer', 'Bearer nobody', `Basic ${game.key}`, game.key]) {
      expect(await statusOf({ ...none, authorization })).toBe(401);
    }
  });

  it('rejects a key from its revocation on', async () => {
    const { id, key: made } = await makeKey(server, game.id);
    const ask = () => game.ask('POST', path, '{}', { 'x-api-key': made });
    expect((await ask()).status).toBe(200);
    expectDone(await server.admin('DELETE', `${game.path}/keys/${id}`));
    expectOfrepError(await ask(), 401, 'GENERAL', 'invalid_api_key', key);
  });

  it('answers overload with 429', async () => {
    const answer = await game.ask('POST', path, '{}', { 'x-min-sequence': '999999999' });
    expectOfrepError(answer, 429, 'GENERAL', 'sequence_not_reached', key);
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', bulk, 'POST, OPTIONS'],
    ['PUT', single, 'POST, OPTIONS'],
    ['DELETE', `${bulk}/`, 'POST, OPTIONS'],
    ['POST', stream, 'GET, OPTIONS'],
  ])('%s %s is 405', async (method, path, allow) => {
    const answer = await game.ask(method, path, method === 'GET' ? undefined : '{}');
    expectOfrepError(answer, 405, 'GENERAL', 'method_not_allowed');
    expect(answer.header('allow')).toBe(allow);
  });

  it.each([
    '/ofrep/',
    '/ofrep/v1',
    '/ofrep/v1/configuration',
    '/ofrep/v2/evaluate/flags',
    `${stream}/x`,
  ])('POST %s is 404', async (path) => {
    expectOfrepError(await game.ask('POST', path, '{}'), 404, 'GENERAL', 'not_found');
  });

  it('elsewhere are rejected as ever', async () => {
    expectRefusal(await game.ask('POST', '/ofrepx', '{}'), 404, 'not_found');
    expectRefusal(await game.ask('POST', '/api/v1/ofrep', '{}'), 404, 'not_found');
  });
});

describe('CORS', () => {
  const origin = 'https://game.example';

  it.each([bulk, single, stream])('lets the preflight of %s pass', async (path) => {
    const answer = await game.ask('OPTIONS', path, undefined, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, if-none-match',
    });
    expect(answer.status).toBe(204);
    const allowed = answer.header('access-control-allow-headers').split(/,\s*/);
    for (const name of [
      'authorization',
      'content-type',
      'if-none-match',
      'last-event-id',
      'x-api-key',
    ]) {
      expect(allowed).toContain(name);
    }
  });

  it('lets scripts read ETag and Retry-After', async () => {
    const answers = [
      await game.ask('POST', bulk, '{}', { origin }),
      await game.ask('POST', bulk, '{}', { origin, 'x-min-sequence': '999999999' }),
    ];
    for (const answer of answers) {
      expect(answer.header('access-control-allow-origin')).toBe('*');
      const exposed = answer.header('access-control-expose-headers').split(/,\s*/);
      expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Retry-After']));
    }
  });
});

describe('a server with a rate per key', () => {
  let slow: LoadoutServer;

  beforeAll(async () => {
    slow = await startServer({ listeners: 1, flags: ['--key-rate-max', '1'] });
  });
  afterAll(() => slow.stop());
  afterEach(() => streams.closeAll());

  it("answers 429 in OFREP's form", async () => {
    const busy = await makeEnvironment(slow);
    await busy.put('Shop', '{"price":1}');
    const answers = await Promise.all(Array.from({ length: 10 }, () => busy.flag('Shop/price')));
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    for (const answer of rejected) {
      expectOfrepError(answer, 429, 'GENERAL', 'rate_limited', 'Shop/price');
    }
  });

  it('counts streams, which have no key of their own but a token', async () => {
    const busy = await makeEnvironment(slow);
    const { json } = await busy.flags({});
    const path = json.eventStreams[0].endpoint.requestUri;
    const opened = await Promise.all(
      Array.from({ length: 10 }, () => streams.open(busy, '', { method: 'GET', path })),
    );
    const rejected = opened.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    for (const stream of rejected) {
      const { status, headers } = stream;
      const text = await stream.text();
      expectOfrepError(
        { status, headers, text, json: JSON.parse(text) },
        429,
        'GENERAL',
        'rate_limited',
      );
    }
  });
});

describe('a token of the stream', () => {
  const tokenOf = async (context: unknown, headers = {}): Promise<string> => {
    const { json } = await game.flags({ context } as never, headers);
    return json.eventStreams[0].endpoint.requestUri;
  };

  it('is equal for an equal player, and holds no context of more than 2 KiB', async () => {
    const ann = { targetingKey: 'ann', level: 1 };
    expect(await tokenOf(ann)).toBe(await tokenOf(ann));
    expect(await tokenOf(ann)).not.toBe(await tokenOf({ ...ann, level: 2 }));
    const large = { targetingKey: 'ann', notes: 'x'.repeat(2_000) };
    expect((await tokenOf(large)).length).toBeLessThan(300);
    expect(await tokenOf(large)).toBe(await tokenOf({ ...large, level: 2 }));
  });

  it.each([
    '',
    '?token=',
    '?token=x',
    '?token=%00',
    `?token=${'A'.repeat(100)}`,
    `?token=${'A'.repeat(5_000)}`,
  ])('that is malformed is 401: %s', async (query) => {
    const answer = await game.ask('GET', stream + query, undefined, { 'x-api-key': '' });
    expectOfrepError(answer, 401, 'GENERAL', 'invalid_token');
  });

  it('is 403 once its key is revoked', async () => {
    const { id, key } = await makeKey(server, game.id);
    const uri = await tokenOf({}, { 'x-api-key': key });
    expectDone(await server.admin('DELETE', `${game.path}/keys/${id}`));
    const answer = await game.ask('GET', uri, undefined, { 'x-api-key': '' });
    expectOfrepError(answer, 403, 'GENERAL', 'invalid_token');
  });
});
