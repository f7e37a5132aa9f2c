/**
 * Texts that PostgreSQL cannot hold, and numbers that its columns cannot, are refused at the edge, on both stores alike. Method:
 * every operation of the document is asked with such a text in each place where one can stand.
 */
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../support/specification/admin-operations.js';
import {
  OpenapiDocument,
  type Operation,
  type Schema,
} from '../../../support/specification/openapi.js';
import { type Answer, type Harness, ownerToken, startApi } from '../harness.js';

const half = '\ud800';
const zero = 'a\0b';

describe('U+0000', () => {
  it('in a path or a query is refused by every operation', async () => {
    const api = await startApi();
    const { operations } = await documentOf(api);
    let asked = 0;
    for (const operation of operations) {
      if (operation.role === null || operation.path.endsWith('/stream')) continue;
      for (const path of zeroPaths(operation)) {
        const answer = await ask(api, operation, path);
        expect(answer.status, `${operation.method} ${path} ${answer.text}`).toBe(400);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(80);
  });

  it('in any member of a body is no fault of the server', async () => {
    const api = await startApi();
    const { operations } = await documentOf(api);
    let asked = 0;
    for (const operation of operations) {
      if (operation.bodyType !== 'application/json') continue;
      for (const body of zeroBodies(operation.bodySchema)) {
        const path = pathWith(operation, () => null);
        const answer = await ask(api, operation, path, body);
        const shown = `${operation.method} ${path} ${JSON.stringify(body)} ${answer.text}`;
        expect(answer.status, shown).toBeLessThan(500);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(40);
  });

  it('in a rule names no saved segment, and in a value of a content is a character like any other', async () => {
    const api = await startApi();
    const mapping = [{ segment: zero, merge: { b: 2 } }];
    const refused = await api.dev('PUT', '/contents/shop', { text: '{"a":1}', mapping });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_mapping']);
    const text = JSON.stringify({ a: zero });
    const rule = [{ segment: 'all', when: { name: zero }, merge: { a: zero } }];
    expect((await api.dev('PUT', '/contents/shop', { text, mapping: rule })).status).toBe(201);
    const { body } = await api.dev('GET', '/contents/shop');
    expect([body.lines[0].text, body.mapping]).toEqual([text, rule]);
    expect((await api.dev('PUT', '/segments/some', { when: { name: zero } })).status).toBe(201);
    const context = { u: zero, p: { name: zero } };
    expect((await api.dev('PUT', '/sample-users/nul', context)).status).toBe(201);
    expect((await api.dev('GET', '/sample-users')).body.sampleUsers[0].context).toEqual(context);
    const evaluated = await api.dev('POST', '/evaluate', { id: 'shop', ...context, v: '1.0.0' });
    expect(evaluated.status, evaluated.text).toBe(200);
  });

  it('in a line of an import is named with its number', async () => {
    const api = await startApi();
    const line = { kind: 'segment', name: 'some', description: zero, when: { a: 1 } };
    const answer = await importLines(api, line);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_import']);
    expect(answer.body.errors).toEqual([
      { line: 1, path: 'description', message: expect.stringContaining('U+0000') },
    ]);
    const tagged = { kind: 'content', id: 'shop', tags: [half], lines: [shopLine] };
    expect((await importLines(api, tagged)).status).toBe(400);
    const mapping = JSON.stringify([{ segment: zero, merge: {} }]);
    const unknown = { kind: 'content', id: 'shop', lines: [shopLine], mapping };
    expect((await importLines(api, unknown)).status).toBe(400);
  });
});

describe('a text with half of a surrogate pair', () => {
  it.each([
    ['PUT', '/contents/shop', { text: '1', note: half }],
    ['PUT', '/contents/shop', { text: '1', description: half }],
    ['PUT', '/contents/shop', { text: '1', tags: ['fine', half] }],
    ['PUT', '/segments/some', { when: { a: 1 }, description: half }],
    ['POST', '/keys', { label: half }],
  ])('is refused: %s %s', async (method, path, body) => {
    const api = await startApi();
    const answer = await api.dev(method, path, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body']);
  });
});

describe('a number of a revision that no column holds', () => {
  it.each(['2147483648', '9007199254740991'])('is refused: %s', async (number) => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const paths = [
      `/contents/shop/revisions/${number}`,
      `/contents/shop/revisions?before=${number}`,
      `/contents/shop/diff?from=1&to=${number}`,
    ];
    for (const path of paths) {
      const answer = await api.dev('GET', path);
      expect([answer.status, answer.body.code], path).toEqual([400, 'invalid_request']);
    }
    const revision = Number(number);
    for (const [path, body] of [
      ['/contents/shop/publish', { revision }],
      ['/contents/shop/rollback', { revision }],
      ['/evaluate', { id: 'shop', revision, u: 'x' }],
    ] as const) {
      const answer = await api.dev('POST', path, body);
      expect([answer.status, answer.body.code], path).toEqual([400, 'invalid_body']);
    }
    const late = await api.dev('PUT', '/contents/shop', { text: '2', ifRevision: revision });
    expect(late.status).toBe(409);
  });
});

const shopLine = { appVersion: '0.0.0', text: '1' };

async function documentOf(api: Harness): Promise<OpenapiDocument> {
  return new OpenapiDocument((await api.call('GET', '/openapi.json')).body);
}

/** Each parameter in turn has it. */
function* zeroPaths(operation: Operation): Generator<string> {
  for (const { in: place, name } of operation.parameters) {
    if (place === 'path') yield pathWith(operation, (one) => (one === name ? 'a%00b' : null));
    if (place !== 'query') continue;
    yield `${pathWith(operation, () => null)}?${name}=a%00b`;
  }
}

function pathWith(operation: Operation, filled: (name: string) => string | null): string {
  const usual: Readonly<Record<string, string>> = {
    env: 'dev',
    appVersion: '1.0.0',
    revision: '1',
  };
  return operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => filled(name) ?? usual[name] ?? 'none',
  );
}

/** What the operation takes, with the text in one member after the other. */
function* zeroBodies(schema: Schema): Generator<unknown> {
  const properties: Readonly<Record<string, Schema>> = schema.properties ?? {};
  const right = sampleOf(schema) as Readonly<Record<string, unknown>>;
  for (const [name, { type, anyOf }] of Object.entries(properties)) {
    const types = [type, ...(anyOf ?? []).map((choice: Schema) => choice.type)];
    if (types.includes('string')) yield { ...right, [name]: zero };
    if (types.includes('array')) yield { ...right, [name]: [zero] };
    if (types.includes('array')) yield { ...right, [name]: [{ segment: zero, merge: {} }] };
    if (types.includes('object')) yield { ...right, [name]: { [zero]: zero } };
  }
}

/** Without the harness, which compares each answer with the document: these are many, and alike. */
async function ask(
  { url }: Harness,
  operation: Operation,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const takesJson = operation.bodyType === 'application/json';
  const sent = body ?? (takesJson ? sampleOf(operation.bodySchema) : undefined);
  const response = await fetch(url + path, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${ownerToken}`,
      'x-loadout-console': '1',
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
  return { status: response.status, text: await response.text() };
}

async function importLines(api: Harness, ...lines: unknown[]): Promise<Answer> {
  const response = await fetch(`${api.url}/admin/v1/environments/dev/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, body: JSON.parse(text) };
}
