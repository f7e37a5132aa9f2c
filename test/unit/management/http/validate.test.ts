import { type FastifyError, type FastifyInstance, fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RequestRejected } from '../../../../src/management/http/request-rejected.js';
import { zodSchemas } from '../../../../src/management/http/validate.js';

/** Answers what the handler received, or the problem. */
function echo(schema: object): FastifyInstance {
  const app = fastify({ schemaController: zodSchemas });
  app.setErrorHandler((error: FastifyError, _request, reply) =>
    reply
      .code(error.statusCode ?? 500)
      .send(error instanceof RequestRejected ? error.problem : String(error)),
  );
  app.post('/:id', { schema }, ({ params, query, body }) => ({ params, query, body }));
  return app;
}

const post = (app: FastifyInstance, url: string, payload: object) =>
  app.inject({ method: 'POST', url, payload });

describe('a request', () => {
  it('comes to its handler parsed: defaults filled, members that the schema lacks dropped', async () => {
    const app = echo({
      params: z.object({ id: z.coerce.number() }),
      querystring: z.object({ limit: z.coerce.number().default(10) }),
      body: z.object({ name: z.string().overwrite((name) => name.trim()) }),
    });
    const { json } = await post(app, '/7', { name: ' ada ', more: true });
    expect(json()).toEqual({ params: { id: 7 }, query: { limit: 10 }, body: { name: 'ada' } });
  });

  const rules = z.array(z.strictObject({ when: z.string() }));
  it.each([
    ['of a member', z.object({ name: z.string() }), { name: 1 }, 'name'],
    ['in a list', z.object({ rules }), { rules: [{ when: '' }, { when: 1 }] }, 'rules[1].when'],
    ['of the whole', rules, {}, ''],
    ['of an unknown member', z.object({ rules }), { rules: [{ when: '', to: 1 }] }, 'rules[0]'],
    ['below a name of digits', z.object({ 5: z.object({ a: z.string() }) }), { 5: {} }, '[5].a'],
    ['below a name with a slash', z.object({ 'a/b': z.string() }), {}, 'a.b'],
  ])('that is invalid is a problem with the place %s', async (_name, body, sent, path) => {
    const response = await post(echo({ body }), '/7', sent);
    expect(response.statusCode).toBe(400);
    const { issues } = body.safeParse(sent).error as z.ZodError;
    expect(response.json()).toMatchObject({
      code: 'invalid_body',
      detail: 'The body of the request is not valid.',
      errors: [{ path, message: issues[0]?.message }],
    });
  });

  it.each([
    ['path', { params: z.object({ id: z.uuid() }) }],
    ['query', { querystring: z.object({ id: z.string() }) }],
  ])('whose %s is invalid is invalid_request', async (_name, schema) => {
    const response = await post(echo(schema), '/7', {});
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'invalid_request',
      detail: 'The path or query of the request is not valid.',
      errors: [{ path: 'id' }],
    });
  });
});

describe('a response', () => {
  const body = z.looseObject({});

  it('has the members of its schema and no other', async () => {
    const app = echo({ body, response: { 200: z.object({ body: z.object({ a: z.int() }) }) } });
    expect((await post(app, '/7', { a: 1, b: 2 })).body).toBe('{"body":{"a":1}}');
  });

  it('that does not match its schema is a fault of the server', async () => {
    const app = echo({ body, response: { 200: z.object({ body: z.object({ a: z.int() }) }) } });
    const response = await post(app, '/7', { a: 'text' });
    expect(response.statusCode).toBe(500);
    expect(response.body).toContain('does not match the schema of its response');
  });

  it('is checked by the schema of its media type', async () => {
    const content = { 'application/json': { schema: z.object({ query: z.object({}) }) } };
    expect((await post(echo({ body, response: { 200: { content } } }), '/7', {})).body).toBe(
      '{"query":{}}',
    );
  });
});
