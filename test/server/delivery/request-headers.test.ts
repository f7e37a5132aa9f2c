/** X-Api-Key and Content-Type: what is accepted, and how the rest is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  type Environment,
  encodeBody,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});

function askWith(headers: Record<string, string>): Promise<Answer> {
  return send(server.deliveryUrl, '/api/v1/config/shop', {
    method: 'POST',
    headers,
    body: encodeBody({}),
  });
}

const json = { 'content-type': 'application/json' };

describe('a missing or wrong API key is 401 invalid_api_key', () => {
  it('missing', async () => {
    expectRefusal(await askWith(json), 401, 'invalid_api_key');
  });

  it('missing, on the catalog and on combine', async () => {
    const catalog = await send(server.deliveryUrl, '/api/v1/env/catalog', { headers: json });
    expectRefusal(catalog, 401, 'invalid_api_key');
    const combine = await send(server.deliveryUrl, '/api/v1/combine/?c=[]', {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    expectRefusal(combine, 401, 'invalid_api_key');
  });

  const wrong: Record<string, () => string> = {
    empty: () => '',
    unknown: () => 'no-such-key',
    'with one character changed': () =>
      game.key.slice(0, -1) + (game.key.endsWith('0') ? '1' : '0'),
    'with one character missing': () => game.key.slice(0, -1),
    'with one character more': () => `${game.key}0`,
    'of 10 KB': () => 'k'.repeat(10_240),
    'of 10 KB that begins with a good one': () => game.key.padEnd(10_240, 'k'),
    __proto__: () => '__proto__',
  };
  for (const [name, key] of Object.entries(wrong)) {
    it(name, async () => {
      expectRefusal(await askWith({ ...json, 'x-api-key': key() }), 401, 'invalid_api_key');
    });
  }

  it('revoked, as soon as management has answered, on every listener', async () => {
    const key = await makeKey(server, game.id);
    for (let i = 0; i < 8; i++) {
      expect((await askWith({ ...json, 'x-api-key': key.key })).status).toBe(200);
    }
    expectDone(await server.admin('DELETE', `${game.path}/keys/${key.id}`));
    for (let i = 0; i < 16; i++) {
      expectRefusal(await askWith({ ...json, 'x-api-key': key.key }), 401, 'invalid_api_key');
    }
    expect((await askWith({ ...json, 'x-api-key': game.key })).status).toBe(200);
  });

  it('expired, without any edit between', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const key = await makeKey(server, game.id, { expiresAt });
    expect((await askWith({ ...json, 'x-api-key': key.key })).status).toBe(200);
    const refused = await eventually('the key expires', 6_000, async () => {
      const answer = await askWith({ ...json, 'x-api-key': key.key });
      return answer.status === 200 ? null : answer;
    });
    expectRefusal(refused, 401, 'invalid_api_key');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  });
});

describe('an API key', () => {
  it('opens its own environment only', async () => {
    const other = await makeEnvironment(server);
    const answer = await askWith({ ...json, 'x-api-key': other.key });
    expectRefusal(answer, 404, 'content_not_found');
  });

  it('is one of several of its environment', async () => {
    const second = await makeKey(server, game.id);
    expect(second.key).not.toBe(game.key);
    expect((await askWith({ ...json, 'x-api-key': second.key })).text).toBe('{"price":1}');
  });

  it('is found whatever the case of the header name', async () => {
    expect((await askWith({ ...json, 'X-API-KEY': game.key })).status).toBe(200);
  });
});

describe('Content-Type', () => {
  const good = [
    'application/json',
    'Application/JSON',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset=utf-8',
    'application/json; charset=utf-8; odd="x;y"',
  ];
  for (const type of good) {
    it(`${type} is accepted`, async () => {
      const answer = await askWith({ 'x-api-key': game.key, 'content-type': type });
      expect(answer.status).toBe(200);
      expect((await game.catalog({ 'content-type': type })).status).toBe(200);
    });
  }

  const bad = [
    '',
    'text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'application/problem+json',
    'text/json',
    'json',
    'xapplication/json',
    'application/x-www-form-urlencoded',
    'text/plain; application/json',
  ];
  for (const type of bad) {
    it(`"${type}" is 400 invalid_content_type`, async () => {
      const answer = await askWith({ 'x-api-key': game.key, 'content-type': type });
      expectRefusal(answer, 400, 'invalid_content_type');
      expectRefusal(await game.catalog({ 'content-type': type }), 400, 'invalid_content_type');
    });
  }

  it('missing is 400 invalid_content_type, the catalog GET too', async () => {
    const headers = { 'x-api-key': game.key };
    expectRefusal(await askWith(headers), 400, 'invalid_content_type');
    const catalog = await send(server.deliveryUrl, '/api/v1/env/catalog', { headers });
    expectRefusal(catalog, 400, 'invalid_content_type');
  });
});
