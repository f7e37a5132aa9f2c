/** Which paths and methods there are, and how every other one is refused. */
import { Agent } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});

const unknownPaths = [
  '/',
  '/api',
  '/api/v1',
  '/api/v1/config',
  '/api/v1/config/shop/dynamic/more',
  '/api/v1/config/shop/static',
  '/api/v1/env',
  '/api/v1/env/catalog/more',
  '/api/v1/combine/more',
  '/api/v2/config/shop',
  '/v1/config/shop',
  '/admin/v1/environments',
  '/favicon.ico',
];

describe('an unknown path is 404 not_found', () => {
  for (const path of unknownPaths) {
    it(`POST ${path}`, async () => {
      expectRefusal(await game.ask('POST', path, '{}'), 404, 'not_found');
    });
  }

  it('GET of an unknown path', async () => {
    expectRefusal(await game.ask('GET', '/nothing/here'), 404, 'not_found');
  });
});

const paths: readonly { path: string; allowed: string }[] = [
  { path: '/api/v1/config/shop', allowed: 'POST' },
  { path: '/api/v1/config/shop/dynamic', allowed: 'POST' },
  { path: '/api/v1/combine?c=[]', allowed: 'POST' },
  { path: '/api/v1/combine/?c=[]', allowed: 'POST' },
  { path: '/api/v1/env/catalog', allowed: 'GET' },
];

describe('a known path with a wrong method is 405 method_not_allowed with Allow', () => {
  for (const { path, allowed } of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => m !== allowed)) {
      it(`${method} ${path}`, async () => {
        const answer = await game.ask(method, path, method === 'GET' ? undefined : '{}');
        expectRefusal(answer, 405, 'method_not_allowed');
        expect(answer.header('allow').split(/,\s*/)).toContain(allowed);
        expect(answer.header('allow').split(/,\s*/)).not.toContain(method);
      });
    }
  }

  it('HEAD of the catalog, which defines only GET, without a body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answer = await game.ask('HEAD', '/api/v1/env/catalog', undefined, {}, agent);
    expect(answer.status).toBe(405);
    expect(answer.header('allow')).toContain('GET');
    // A body would be taken for the beginning of the next answer.
    expect((await game.ask('GET', '/api/v1/env/catalog', undefined, {}, agent)).status).toBe(200);
    agent.destroy();
  });

  it('an unknown content id does not make the path unknown', async () => {
    expectRefusal(await game.ask('GET', '/api/v1/config/none'), 405, 'method_not_allowed');
  });
});

describe('the four endpoints', () => {
  it('answer with 200 and application/json; charset=utf-8', async () => {
    const answers = [
      await game.plain('shop'),
      await game.wrapped('shop'),
      await game.ask('POST', '/api/v1/combine?c=["shop"]', '{}'),
      await game.ask('POST', '/api/v1/combine/?c=["shop"]', '{}'),
      await game.catalog(),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('give the same combine with and without the trailing slash', async () => {
    const without = await game.ask('POST', '/api/v1/combine?c=["shop"]', '{}');
    const withSlash = await game.ask('POST', '/api/v1/combine/?c=["shop"]', '{}');
    expect(without.text).toBe('{"shop":{"price":1}}');
    expect(withSlash.text).toBe(without.text);
  });

  it('leave room for /healthz, which needs no key', async () => {
    const answer = await send(server.deliveryUrl, '/healthz');
    expect(answer.status).toBe(200);
  });
});

describe('a content that is not there is 404 content_not_found', () => {
  it('on the plain and the wrapped endpoint', async () => {
    expectRefusal(await game.plain('none'), 404, 'content_not_found');
    expectRefusal(await game.wrapped('none'), 404, 'content_not_found');
  });
});
