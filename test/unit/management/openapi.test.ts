import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { makeAdminApi } from '../../../src/management/api/admin-api.js';
import { deliveryOrigins } from '../../../src/management/api/delivery-origins.js';
import { operationIdOf } from '../../../src/management/api/openapi-operation-id.js';
import { polish } from '../../../src/management/api/openapi-polish.js';
import { isProblemResponse, problems } from '../../../src/management/http/problem-responses.js';
import { startApi } from './harness.js';

describe('operationIdOf', () => {
  const env = '/admin/v1/environments/:env';
  it.each([
    ['GET', '/admin/v1/environments', 'listEnvironments'],
    ['POST', '/admin/v1/environments', 'createEnvironment'],
    ['DELETE', env, 'deleteEnvironment'],
    ['PUT', `${env}/contents/:id`, 'putContent'],
    ['GET', `${env}/contents/:id/revisions`, 'listContentRevisions'],
    ['GET', `${env}/contents/:id/revisions/:revision`, 'getContentRevision'],
    ['POST', `${env}/contents/:id/roll-back`, 'rollBackContent'],
    ['POST', `${env}/export`, 'exportEnvironment'],
    ['POST', '/admin/v1/users/:userId/tokens', 'createUserToken'],
    ['GET', '/admin/v1/webhooks/:id/deliveries', 'listWebhookDeliveries'],
    ['GET', '/admin/v1/webhooks/:id/deliveries/:deliveryId', 'getWebhookDelivery'],
    ['POST', '/admin/v1/webhooks/:id/deliveries/retry', 'retryWebhookDeliveries'],
    ['POST', '/admin/v1/webhooks/:id/deliveries/:deliveryId/retry', 'retryWebhookDelivery'],
    ['GET', '/openapi-delivery.json', 'getDeliveryDocument'],
  ])('calls %s %s %s', (method, url, id) => {
    expect(operationIdOf(method, url)).toBe(id);
  });
});

describe('problems', () => {
  it('gives one response per status, with all its codes', () => {
    const responses = problems('key_exists', 'content_not_found', 'user_exists', 'key_exists');
    expect(Object.keys(responses)).toEqual(['404', '409']);
    expect(responses[409]?.description).toBe('Conflict: `key_exists`, `user_exists`.');
    expect(isProblemResponse(responses[404])).toBe(true);
    expect(isProblemResponse({ description: 'A success.' })).toBe(false);
  });
});

describe('polish', () => {
  const respond = (schema: object): object => ({
    get: { responses: { 200: { description: 'Default Response', content: { a: { schema } } } } },
  });

  it('keeps the bounds that mean something', () => {
    const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;
    const parameters = [{ schema: { minimum, maximum } }, { schema: { minimum: 1, maximum: 9 } }];
    const { paths } = polish({
      components: { schemas: {} },
      paths: { '/a': { get: { parameters, responses: {} } } },
    });
    expect(paths['/a'].get.parameters).toEqual([
      { schema: {} },
      { schema: { minimum: 1, maximum: 9 } },
    ]);
  });

  it('lets answers grow, and holds requests to what they may be', () => {
    const closed = { type: 'object', additionalProperties: false };
    const { paths } = polish({
      components: { schemas: {} },
      paths: { '/a': { ...respond(closed), put: { requestBody: closed, responses: {} } } },
    });
    expect(JSON.stringify(paths['/a'])).toBe(
      JSON.stringify({
        get: {
          responses: {
            200: { description: 'OK.', content: { a: { schema: { type: 'object' } } } },
          },
        },
        put: { requestBody: closed, responses: {} },
      }),
    );
  });

  it('drops components that nothing refers to, at first or second hand', () => {
    const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const { components } = polish({
      components: { schemas: { A: { items: to('B') }, B: {}, C: { items: to('C') } } },
      paths: { '/a': respond(to('A')) },
    });
    expect(Object.keys(components.schemas)).toEqual(['A', 'B']);
  });
});

describe('deliveryOrigins', () => {
  it('names the origin that is printed, and its port on the host of the reader', () => {
    expect(deliveryOrigins('https://127.0.0.1:8443', 'loadout.lan')).toEqual([
      'https://127.0.0.1:8443',
      'https://loadout.lan:8443',
    ]);
    expect(deliveryOrigins('http://127.0.0.1:8080', '[::1]')).toContain('http://[::1]:8080');
    expect(deliveryOrigins(null, '127.0.0.1')).toEqual(['http://127.0.0.1:8080']);
  });

  it.each(['', 'a b', "a;script-src'*", 'a,b', '[a]', 'a/b', 'a@b', 'x'.repeat(300), '['])(
    'takes no host such as %j into a policy',
    (host) => {
      expect(deliveryOrigins('http://127.0.0.1:8080', host)).toEqual(['http://127.0.0.1:8080']);
    },
  );
});

describe('a route of the admin API', () => {
  it.each([
    ['without a role', {}, /names no role/],
    ['hidden from the documents', { config: { role: 'owner' }, schema: { hide: true } }, /hidden/],
  ] as const)('that is %s stops the start', async (_name, options, reason) => {
    const { store } = await startApi();
    const app = await makeAdminApi({
      ...({} as Parameters<typeof makeAdminApi>[0]),
      store,
      now: Date.now,
      logger: pino({ level: 'silent' }),
    });
    expect(() => app.get('/admin/v1/added', options as object, () => 'all of it')).toThrow(reason);
    expect(() => app.get('/elsewhere', () => 'open')).not.toThrow();
    await app.close();
  });
});
