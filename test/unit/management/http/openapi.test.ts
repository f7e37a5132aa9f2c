import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OperationSpec, operation } from '../../../../src/contract/operation.js';
import { describedBy } from '../../../../src/contract/schemas/described-by.js';
import { ServerHistory } from '../../../../src/management/health/history/server-history.js';
import { deliveryOrigins } from '../../../../src/management/http/openapi/delivery-origins.js';
import { openapiDocument } from '../../../../src/management/http/openapi/document.js';
import { JsonSchemas } from '../../../../src/management/http/openapi/json-schema.js';
import { operationIdOf } from '../../../../src/management/http/openapi/operation-id.js';
import { makeAdminApi } from '../../../../src/management/serve/admin-api.js';
import { startApi } from '../harness.js';

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

describe('JsonSchemas', () => {
  const input = (schema: z.ZodType) => new JsonSchemas().of(schema, 'input');

  it('keeps the bounds that mean something', () => {
    expect(input(z.int())).toEqual({ type: 'integer' });
    expect(input(z.int().min(1).max(9))).toEqual({ type: 'integer', minimum: 1, maximum: 9 });
  });

  it('says defaults in words', () => {
    const described = z.string().describe('Where to').default('here');
    const nothing = z.string().default('').describe('Why.');
    const limit = z
      .int()
      .max(2 ** 31 - 1)
      .default(2 ** 31 - 1);
    expect(input(z.object({ described, nothing, limit }))).toEqual({
      type: 'object',
      properties: {
        described: { type: 'string', description: 'Where to. Left out, it is `here`.' },
        nothing: { type: 'string', description: 'Why. Left out, it is empty.' },
        limit: {
          type: 'integer',
          maximum: 2 ** 31 - 1,
          description: 'Left out, it bounds nothing.',
        },
      },
    });
  });

  it('says of a tuple what its items are', () => {
    const integer = { type: 'integer' };
    const string = { type: 'string' };
    expect(input(z.tuple([z.int(), z.int()]))).toEqual({
      type: 'array',
      prefixItems: [integer, integer],
      items: integer,
      minItems: 2,
      maxItems: 2,
    });
    expect(input(z.tuple([z.int(), z.string()]))).toMatchObject({
      items: { anyOf: [integer, string] },
    });
  });

  it('refers to the component that describes what a schema does not check', () => {
    const mapping = z.array(z.unknown()).meta(describedBy('TargetingRules')).describe('Or none.');
    expect(input(z.object({ mapping: mapping.nullable() }))).toMatchObject({
      properties: {
        mapping: {
          anyOf: [
            { $ref: '#/components/schemas/TargetingRules', description: 'Or none.' },
            { type: 'null' },
          ],
        },
      },
    });
  });
});

describe('openapiDocument', () => {
  type Parts = Readonly<Record<string, Readonly<Record<string, object>>>>;
  const documentOf = (spec: Partial<OperationSpec>) =>
    openapiDocument([
      operation('PUT /a/:id', {
        ...{ tag: 'test', description: 'Puts it.', role: 'viewer', responses: { 200: z.null() } },
        ...spec,
      }),
    ]) as { readonly paths: Parts; readonly components: Parts };
  const putOf = (paths: Parts) => paths['/admin/v1/a/{id}']?.['put'] as Parts;

  it('has one response per status, with all codes of its problems', () => {
    const { responses } = putOf(
      documentOf({ problems: ['key_exists', 'content_not_found', 'user_exists', 'key_exists'] })
        .paths,
    );
    expect(responses?.['409']).toMatchObject({
      description: 'Conflict: `key_exists`, `user_exists`.',
    });
    expect(responses).toHaveProperty('404');
    expect(responses).not.toHaveProperty('410');
  });

  it('lets responses grow, and holds requests to what they may be', () => {
    const closed = z.strictObject({ a: z.literal('b') }).readonly();
    const { paths } = documentOf({ body: closed, responses: { 200: closed } });
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', enum: ['b'] } },
      required: ['a'],
    };
    expect(Object.keys(paths)).toEqual(['/admin/v1/a/{id}']);
    const { requestBody, responses } = putOf(paths);
    expect(requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { ...schema, additionalProperties: false } } },
    });
    expect(responses?.['200']).toEqual({
      description: 'OK.',
      content: { 'application/json': { schema } },
    });
  });

  it('has the components that something refers to, at first or second hand, one for each direction', () => {
    const inner = z.object({ n: z.int().default(1) }).meta({ id: 'Inner' });
    const outer = z.object({ inner }).meta({ id: 'Outer' });
    z.object({ outer }).meta({ id: 'Unused' });
    const { paths, components } = documentOf({ body: inner, responses: { 200: z.array(outer) } });
    expect(components['schemas']).toMatchObject({
      InnerInput: { type: 'object' },
      Inner: { required: ['n'] },
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
    });
    expect(components['schemas']).not.toHaveProperty('Unused');
    expect(components['schemas']?.['InnerInput']).not.toHaveProperty('required');
    const { requestBody } = putOf(paths);
    expect(requestBody?.['content']).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/InnerInput' } },
    });
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
  it('that has no role stops the start', async () => {
    const { store } = await startApi();
    const app = await makeAdminApi({
      ...({} as Parameters<typeof makeAdminApi>[0]),
      store,
      now: Date.now,
      logger: pino({ level: 'silent' }),
      kept: { history: new ServerHistory(), node: 'tested', startedMs: 0 },
    });
    expect(() => app.get('/admin/v1/added', () => 'all of it')).toThrow(/names no role/);
    expect(() => app.get('/elsewhere', () => 'open')).not.toThrow();
    await app.close();
  });
});
