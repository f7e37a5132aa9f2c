/** /openapi-delivery.json against the delivery port of a real server: every answer it promises, and no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problems } from '../../../src/delivery/problems.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { fetchDocument } from '../../support/specification/admin-operations.js';
import { OpenapiDocument, type Operation } from '../../support/specification/openapi.js';
import type { Answer } from '../../support/wire/exchange.js';

const wrapped = '/api/v1/config/shop/dynamic';
const plain = '/api/v1/config/shop';
const combine = '/api/v1/combine';
const refresh = '/api/v1/refresh';
const stream = '/api/v1/stream';
const catalog = '/api/v1/env/catalog';
const flag = '/ofrep/v1/evaluate/flags/shop';
const bulk = '/ofrep/v1/evaluate/flags';
const all = `${combine}?c=["shop","none","old"]`;

let server: LoadoutServer;
let game: Environment;
let delivery: OpenapiDocument;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
  await game.put('shop', '{"a":1}', {
    mapping: [
      { segment: 'all', when: {}, info: 'i-1', merge: { a: 2 } },
      { segment: 'test', when: {}, variants: [{ name: 'v', groups: [0, 999], merge: { b: 3 } }] },
    ],
  });
  await game.put('old', '"text"', { appVersion: '2.0.0' });
  delivery = await fetchDocument(server, '/openapi-delivery.json');
});
afterAll(() => server.stop());

/** Asserts that the document promises the answer: status, type, every field, code, and each header that it lists. */
function expectPromised(method: string, path: string, answer: Answer): Operation {
  const operation = delivery.operation(method, path);
  const { status, text } = answer;
  delivery.expectDocumented(operation, {
    status,
    text,
    contentType: answer.header('content-type'),
  });
  return operation;
}

async function expectStatus(
  status: number,
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await game.ask(method, path, body, headers);
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
  expectPromised(method, path, answer);
  return answer;
}

describe('the document promises', () => {
  it.each([
    ['wrapped content', wrapped],
    ['serialized content', `${wrapped}?responseType=serialized`],
    ['content alone', plain],
    ['several contents', all],
    ['several wrapped contents', `${all}&dynamic=true`],
    ['several serialized contents', `${all}&dynamic=true&responseType=serialized`],
  ])('%s', async (_name, path) => {
    for (const body of ['{}', '{"u":"a","p":{"x":1},"v":"1.0.0"}', '{"u":"","p":{},"v":""}']) {
      await expectStatus(200, 'POST', path, body);
    }
  });

  it('several contents that the body names', async () => {
    for (const query of ['', '?dynamic=true', '?dynamic=true&responseType=serialized']) {
      const body = '{"u":"a","c":["shop","none","old"]}';
      const answer = await expectStatus(200, 'POST', `${combine}${query}`, body);
      expect(Object.keys(answer.json)).toEqual(['shop', 'none', 'old']);
    }
    const operation = delivery.operation('POST', combine);
    expect(delivery.takesBody(operation, { c: ['shop'], u: 'a' })).toBe(true);
    expect(delivery.takesBody(operation, { c: 'shop' })).toBe(false);
    await expectStatus(400, 'POST', combine, '{"c":"shop"}');
    await expectStatus(400, 'POST', combine, '{}');
  });

  it('each wrapped entry of several like one that was asked for alone', async () => {
    const answer = await expectStatus(200, 'POST', `${all}&dynamic=true`, '{"u":"a"}');
    const { none, ...entries } = answer.json;
    expect(none).toMatch(/^Error 404, /);
    expect(Object.keys(entries)).toEqual(['shop', 'old']);
    const alone = delivery.operation('POST', wrapped);
    for (const entry of Object.values(entries)) {
      const text = JSON.stringify(entry);
      delivery.expectDocumented(alone, { status: 200, text, contentType: 'application/json' });
    }
  });

  it('a refresh of everything, of what is held, in pages', async () => {
    for (const query of ['', '?responseType=serialized']) {
      const first = await expectStatus(200, 'POST', `${refresh}${query}`, '{"bytesMax":1}');
      expect(first.json.more).toBe(true);
      const { shop } = (await expectStatus(200, 'POST', `${refresh}${query}`, '{}')).json.contents;
      const body = JSON.stringify({ have: { shop: shop.tag, none: '' }, ids: ['old'] });
      const rest = await expectStatus(200, 'POST', `${refresh}${query}`, body);
      expect(Object.keys(rest.json.contents)).toEqual(['old']);
      expect(rest.json.gone).toEqual(['none']);
    }
    const operation = delivery.operation('POST', refresh);
    expect(delivery.takesBody(operation, { have: { shop: '' }, ids: null })).toBe(true);
    expect(delivery.takesBody(operation, { have: { shop: 1 } })).toBe(false);
    await expectStatus(400, 'POST', refresh, '{"have":{"shop":1}}');
    for (const path of [refresh, stream]) {
      await expectStatus(413, 'POST', path, JSON.stringify({ u: 'x'.repeat(1024 * 1024) }));
    }
    const opened = delivery.operation('POST', stream);
    expect(delivery.takesBody(opened, { have: { shop: '' }, mode: 'notify' })).toBe(true);
    expect(delivery.takesBody(opened, { mode: 'all' })).toBe(false);
    await expectStatus(400, 'POST', stream, '{"mode":"all"}');
  });

  it('evaluations of flags, and 304 for those that are held', async () => {
    for (const body of ['', '{}', '{"context":{"targetingKey":"a","x":[1]}}']) {
      const isKnown = body.includes('targetingKey');
      await expectStatus(isKnown ? 200 : 400, 'POST', flag, body);
      await expectStatus(404, 'POST', '/ofrep/v1/evaluate/flags/none', body);
      await expectStatus(200, 'POST', bulk, body);
    }
    expectDone(await game.tryPut('shop', { flags: ['/a', '/none'] }));
    const body = '{"context":{"targetingKey":"a"}}';
    const answer = await expectStatus(200, 'POST', bulk, body);
    expect(answer.json.flags.length).toBe(2);
    const held = { 'if-none-match': answer.header('etag') };
    await expectStatus(304, 'POST', bulk, body, held);
    expectDone(await game.tryPut('shop', { flags: [] }));
  });

  it('the rejections of flags', async () => {
    for (const path of [flag, bulk]) {
      await expectStatus(401, 'POST', path, '{}', { 'x-api-key': 'no' });
      await expectStatus(400, 'POST', path, '{}', { 'content-type': 'text/plain' });
      await expectStatus(413, 'POST', path, JSON.stringify({ u: 'x'.repeat(70_000) }));
      for (const body of ['x', '[]', '{"context":1}', '{"context":{"targetingKey":1}}']) {
        await expectStatus(400, 'POST', path, body);
      }
      await expectStatus(400, 'POST', path, '{}', { 'x-min-sequence': 'x' });
      await expectStatus(429, 'POST', path, '{}', { 'x-min-sequence': '999999999' });
    }
    await expectStatus(401, 'GET', '/ofrep/v1/stream?token=x', undefined);
  });

  it('the catalog, and 304 for one that is held', async () => {
    const first = await expectStatus(200, 'GET', catalog, undefined);
    const etag = first.header('etag');
    const held = await expectStatus(304, 'GET', catalog, undefined, { 'if-none-match': etag });
    expect(held.header('etag')).toBe(etag);
  });

  it('the sequence that was asked for', async () => {
    const { sequence } = await game.put('later', '1');
    const asked = { 'x-min-sequence': `${sequence}` };
    const answer = await expectStatus(200, 'POST', '/api/v1/config/later', '{}', asked);
    expect(Number(answer.header('x-sequence'))).toBeGreaterThanOrEqual(sequence);
  });

  it('what the HTTP parser says to a head that is too long', async () => {
    const padding = { 'x-padding': 'x'.repeat(40_000) };
    const answer = await game.ask('GET', '/healthz', undefined, padding);
    expect(answer.status).toBe(431);
    expect(delivery.operation('GET', '/healthz').responses[431]).toBeDefined();
  });

  it('health', async () => {
    await expectStatus(200, 'GET', '/healthz', undefined);
  });
});

describe('the document promises the refusal of', () => {
  const posts = [wrapped, plain, all, refresh, stream];

  it('a key that is not known', async () => {
    for (const path of posts) await expectStatus(401, 'POST', path, '{}', { 'x-api-key': 'no' });
    await expectStatus(401, 'GET', catalog, undefined, { 'x-api-key': 'no' });
  });

  it('another Content-Type', async () => {
    const text = { 'content-type': 'text/plain' };
    for (const path of posts) await expectStatus(400, 'POST', path, '{}', text);
    await expectStatus(400, 'GET', catalog, undefined, text);
  });

  it('a body that is too large, and one that is wrong', async () => {
    for (const path of [wrapped, plain, all]) {
      await expectStatus(413, 'POST', path, JSON.stringify({ u: 'x'.repeat(70_000) }));
      for (const body of ['', 'x', '[]', '{"u":1}', '{"p":[]}', '{"v":1}', '{"v":"1.0"}']) {
        await expectStatus(400, 'POST', path, body);
      }
    }
  });

  it('a query that is wrong', async () => {
    await expectStatus(400, 'POST', `${wrapped}?responseType=xml`, '{}');
    await expectStatus(400, 'POST', `${refresh}?responseType=xml`, '{}');
    for (const query of ['', '?c=1', '?c=["shop"]&dynamic=1', '?c=[]&responseType=serialized']) {
      await expectStatus(400, 'POST', combine + query, '{}');
    }
  });

  it('a content that is not there', async () => {
    await expectStatus(404, 'POST', '/api/v1/config/none', '{}');
    await expectStatus(404, 'POST', '/api/v1/config/old/dynamic', '{"v":"1.0.0"}');
  });

  it('a sequence that does not come', async () => {
    const never = { 'x-min-sequence': '999999999' };
    const ask = (path: string) => expectStatus(503, 'POST', path, '{}', never);
    for (const answer of await Promise.all(posts.map(ask))) {
      expect(answer.header('retry-after')).toMatch(/^\d+$/);
    }
  });

  it('an unknown path and another method, which belong to no operation', async () => {
    const responses = delivery.json['x-other-responses'];
    const unknown = await game.ask('POST', '/api/v1/none', '{}');
    const method = await game.ask('PUT', plain, '{}');
    expect(method.header('allow')).toBe('POST, OPTIONS');
    expect(Object.keys(responses.MethodNotAllowed.headers)).toEqual(['Allow']);
    for (const [answer, promised] of [
      [unknown, responses.PathUnknown],
      [method, responses.MethodNotAllowed],
    ]) {
      const { properties } = promised.content['application/problem+json'].schema;
      expect(answer.json.code).toBe(properties.code.enum[0]);
      expect(answer.status).toBe(properties.status.const);
    }
  });
});

describe('a server with a rate per key', () => {
  it('refuses as the document promises', async () => {
    const slow = await startServer({ listeners: 1, flags: ['--key-rate-max', '1'] });
    const busy = await makeEnvironment(slow);
    await busy.put('shop', '1');
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) {
      const answer = await busy.ask('POST', plain, '{}');
      statuses.push(answer.status);
      expectPromised('POST', plain, answer);
      if (answer.status === 429) expect(answer.header('retry-after')).toMatch(/^\d+$/);
    }
    expect(statuses).toContain(429);
    await slow.stop();
  });
});

describe('the codes of the document', () => {
  it('are all that delivery refuses with, each under its status', () => {
    const documented = new Set<string>();
    const collect = (responses: Operation['responses']): void => {
      for (const response of Object.values(responses)) {
        const schema = response.content?.['application/problem+json']?.schema;
        for (const code of schema?.properties.code.enum ?? []) {
          documented.add(`${schema.properties.status.const} ${code}`);
        }
      }
    };
    for (const operation of delivery.operations) collect(operation.responses);
    collect(delivery.json['x-other-responses']);
    const real = new Set(Object.values(problems).map(({ status, code }) => `${status} ${code}`));
    expect([...documented].sort()).toEqual([...real].sort());
  });

  it('come in bodies as the document has them, those too that no test can bring about', () => {
    const others = delivery.json['x-other-responses'];
    const elsewhere = Object.values<Operation['responses'][string]>(others).flatMap(
      ({ content }) => content['application/problem+json'].schema.properties.code.enum,
    );
    for (const { status, code, body } of Object.values(problems)) {
      if (elsewhere.includes(code)) continue;
      const promising = delivery.operations.filter(({ responses }) =>
        responses[status]?.description.includes(`\`${code}\``),
      );
      expect(promising.length, code).toBeGreaterThan(0);
      for (const operation of promising) {
        const text = Buffer.from(body).toString();
        const contentType = 'application/problem+json';
        delivery.expectDocumented(operation, { status, text, contentType });
      }
    }
  });

  it('come with the header that says when to try again', () => {
    for (const { responses } of delivery.operations) {
      for (const status of ['429', '503']) {
        const response = responses[status];
        if (response?.content['application/problem+json'] === undefined) continue;
        expect(Object.keys(response.headers)).toEqual(['Retry-After']);
      }
    }
  });
});

describe('the examples of the document', () => {
  it('are what they are examples of', () => {
    const checked = new OpenapiDocument(delivery.json);
    for (const operation of checked.operations) {
      const status = operation.responses['202'] === undefined ? 200 : 202;
      const [contentType, { example }] = expectOne(
        Object.entries<{ example?: unknown }>(operation.responses[status].content),
      );
      if (example === undefined) continue;
      const text = typeof example === 'string' ? example : JSON.stringify(example);
      checked.expectDocumented(operation, { status, text, contentType });
    }
    expect(checked.operations.length).toBe(12);
  });
});

/** The only one of the list. */
function expectOne<T>(list: readonly (readonly [string, T])[]): readonly [string, T] {
  expect(list.length).toBe(1);
  return list[0] as readonly [string, T];
}
