/** The OpenAPI documents of a real server: valid, complete, and readable without a token. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { problemCodes } from '../../../src/contract/problems.js';
import { sharedServer } from '../../support/server/server.js';
import { fetchDocument } from '../../support/specification/admin-operations.js';
import type { OpenapiDocument, Operation, Schema } from '../../support/specification/openapi.js';

const documents = ['/openapi.json', '/openapi-delivery.json'] as const;

/** All that may be called without a token; a route that is added here needs a reason. */
const open = [
  // Whoever signs in is nobody yet, and a session that has ended can be signed out of; neither from another page.
  'DELETE /admin/v1/session',
  // Whoever is about to sign in sees how.
  'GET /admin/v1/session/ways',
  'GET /healthz',
  'GET /metrics',
  // The numbers of /metrics.
  'GET /metrics.json',
  'GET /openapi-delivery.json',
  'GET /openapi.json',
  'GET /readyz',
  'POST /admin/v1/session',
];

const server = sharedServer();
let admin: OpenapiDocument;

beforeAll(async () => {
  admin = await fetchDocument(server, '/openapi.json');
});

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** The operations of which something does not hold, by name: an empty list says that it holds of all. */
function failing(holds: (operation: Operation) => boolean): readonly string[] {
  return admin.operations.filter((operation) => !holds(operation)).map(nameOf);
}

describe.each(documents)('%s', (path) => {
  it('is valid OpenAPI 3.1', async () => {
    const { json } = await fetchDocument(server, path);
    expect(json.openapi).toMatch(/^3\.1\./);
    await SwaggerParser.validate(structuredClone(json));
  });

  it('names and explains every operation', async () => {
    const { operations } = await fetchDocument(server, path);
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations) {
      expect(operation.description, nameOf(operation)).toMatch(/^[A-Z"`].{20,}\.$/s);
      expect(operation.summary, nameOf(operation)).toMatch(/^[A-Z"`].{3,}[^.]$/);
    }
  });

  it('groups every operation, and explains every group it uses', async () => {
    const { json, operations } = await fetchDocument(server, path);
    const explained = json.tags.map(({ name }: { name: string }) => name);
    expect(operations.filter(({ tags }) => tags.length !== 1).map(nameOf)).toEqual([]);
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect([...used].filter((tag) => !explained.includes(tag))).toEqual([]);
    expect(explained.filter((tag: string) => !used.has(tag))).toEqual([]);
  });

  it('says what each answer is', async () => {
    const { operations } = await fetchDocument(server, path);
    for (const operation of operations) {
      const statuses = Object.keys(operation.responses);
      expect(
        statuses.some((status) => status.startsWith('2')),
        nameOf(operation),
      ).toBe(true);
      for (const [status, response] of Object.entries(operation.responses)) {
        const shown = `${nameOf(operation)} ${status}`;
        expect(response.description, shown).not.toMatch(/default response/i);
        // Without a body, or of the HTTP parser, whose body has no type.
        if (['204', '304', '431'].includes(status)) continue;
        for (const media of Object.values<{ schema: object }>(response.content)) {
          expect(Object.keys(media.schema), shown).not.toEqual([]);
        }
      }
    }
  });
});

describe('/openapi.json', () => {
  it('asks for a token wherever one is needed, and names the role', () => {
    expect(
      admin.operations
        .filter(({ role }) => role === null)
        .map(nameOf)
        .sort(),
    ).toEqual(open);
    expect(
      failing(({ role, security, description }) =>
        role === null
          ? security?.length === 0 && description.endsWith('Needs no token.')
          : JSON.stringify(security) === '[{"token":[]},{"session":[]}]' &&
            new RegExp(`Needs the role ${role}( on all environments)?\\.$`).test(description),
      ),
    ).toEqual([]);
  });

  it('lets viewers change nothing, and editors nothing of the whole server', () => {
    const forViewers = admin.operations.filter(
      ({ role, method }) => role === 'viewer' && method !== 'GET',
    );
    // These look, and take a body to say at what; and viewers may have a word on a release.
    const looking = [
      ...['computeEnvelope', 'computeSampleSize', 'evaluateContent'],
      ...['previewContent', 'testSegment'],
    ];
    const forSupport = admin.operations.filter(({ role }) => role === 'support');
    expect(forSupport.map(({ id }) => id).sort()).toEqual([
      ...['findCohort', 'getMe', 'listEnvironments', 'lookUpPlayer'],
    ]);
    expect(forViewers.map(({ id }) => id).sort()).toEqual(['commentRelease', ...looking]);
    const outside = (path: string): boolean => !path.startsWith('/admin/v1/environments/{env}/');
    expect(failing(({ role, path }) => role !== 'editor' || !outside(path))).toEqual([]);
    const secret = /^\/admin\/v1\/(users|webhooks|backup|retention)\b/;
    expect(failing(({ role, path }) => role === 'owner' || !secret.test(path))).toEqual([]);
  });

  it('lists the refusals of every operation as problem details', () => {
    const refuses = (operation: Operation, status: number, code: string): boolean => {
      const response = operation.responses[status];
      return (
        response?.description.includes(`\`${code}\``) === true &&
        response.content['application/problem+json'] !== undefined
      );
    };
    expect(failing((operation) => refuses(operation, 500, 'internal'))).toEqual([]);
    expect(
      failing(
        (operation) =>
          operation.role === null ||
          (refuses(operation, 401, 'invalid_token') &&
            refuses(operation, 403, 'cross_site') &&
            refuses(operation, 429, 'rate_limited')),
      ),
    ).toEqual([]);
    expect(
      failing(
        (operation) =>
          !operation.path.includes('{env}') || refuses(operation, 404, 'environment_not_found'),
      ),
    ).toEqual([]);
    expect(
      failing(
        ({ role, ...rest }) =>
          role === null || role === 'support' || refuses({ role, ...rest }, 403, 'forbidden'),
      ),
    ).toEqual([]);
    expect(
      failing(
        (operation) =>
          operation.bodyType === null ||
          (refuses(operation, 413, 'body_too_large') &&
            refuses(operation, 415, 'invalid_content_type')),
      ),
    ).toEqual([]);
  });

  it('has a place for every code there is', () => {
    const answers = admin.operations.flatMap(({ responses }) => Object.values(responses));
    const everywhere = admin.json.info.description;
    const said = [everywhere, ...answers.map(({ description }) => description)].join('\n');
    expect(problemCodes.length).toBeGreaterThan(40);
    expect(problemCodes.filter((code) => !said.includes(`\`${code}\``))).toEqual([]);
  });

  it('describes the body of everything that takes one', () => {
    const takesBody = ({ method }: Operation): boolean => ['PUT', 'PATCH'].includes(method);
    expect(failing((operation) => !takesBody(operation) || operation.bodyType !== null)).toEqual(
      [],
    );
  });

  it('says what every parameter and every member of a body is', () => {
    const silent: string[] = [];
    for (const { id, parameters, bodySchema } of admin.operations) {
      for (const { name, description } of parameters) {
        if (description === undefined) silent.push(`${id} ${name}`);
      }
      for (const [name, member] of Object.entries<Schema>(bodySchema?.properties ?? {})) {
        if (member.description === undefined) silent.push(`${id} ${name}`);
      }
    }
    expect(silent).toEqual([]);
  });

  it('says which bodies may be left out', () => {
    const { paths } = admin.json;
    const publish = '/admin/v1/environments/{env}/contents/{id}/publish';
    expect(paths[publish].post.requestBody.required).toBe(true);
    expect(paths['/admin/v1/retention'].post.requestBody.required).toBe(false);
  });

  it('calls operations by names that stay', () => {
    const names = Object.fromEntries(admin.operations.map((one) => [nameOf(one), one.id]));
    const content = '/admin/v1/environments/{env}/contents/{id}';
    expect(names).toMatchObject({
      'POST /admin/v1/environments': 'createEnvironment',
      'GET /admin/v1/environments': 'listEnvironments',
      'PATCH /admin/v1/environments/{env}': 'updateEnvironment',
      'POST /admin/v1/environments/{env}/keys': 'createKey',
      'DELETE /admin/v1/environments/{env}/keys/{keyId}': 'deleteKey',
      [`PUT ${content}`]: 'putContent',
      [`GET ${content}`]: 'getContent',
      [`GET ${content}/revisions/{revision}`]: 'getContentRevision',
      [`POST ${content}/publish`]: 'publishContent',
      [`POST ${content}/rollback`]: 'rollbackContent',
      'POST /admin/v1/environments/{env}/sync': 'syncEnvironment',
      'POST /admin/v1/environments/{env}/evaluate': 'evaluateContent',
      'GET /admin/v1/me': 'getMe',
    });
  });
});
