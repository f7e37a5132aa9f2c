/** Whatever comes in on the delivery port: no answer is a 5xx, and no process ends. */
import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { sharedServer } from '../support/server/server.js';
import { openConnection } from '../support/wire/raw-connection.js';

const runs = 400;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

const server = sharedServer();
let game: Environment;
let listeners: readonly number[];

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.putSegment('saved', { 'a.b': { $in: [1, 'x', null] } });
  await game.put('shop', '{"a":1.10,"list":[1,2,3]}', {
    mapping: [
      { segment: 'saved', merge: { a: 2 } },
      { segment: 'regex', when: { x: { $regex: '^a+$' } }, patch: [{ op: 'remove', path: '/a' }] },
      { segment: 'all', when: { x: { $all: [1] }, y: { $elemMatch: { $gt: 0 } } }, replace: 1 },
      { segment: 'v', when: { x: { $veq: '1.0.0' }, y: { $size: 1 }, z: { $type: 'null' } } },
      { segment: 't', when: {}, salt: 's', variants: [{ name: 'v', groups: [0, 500] }] },
    ],
  });
  listeners = listenersOf(server.pid, server.deliveryPort);
  expect(listeners).toHaveLength(2);
});
afterAll(async () => {
  agent.destroy();
});

async function expectAllAlive(): Promise<void> {
  expect(listenersOf(server.pid, server.deliveryPort)).toEqual(listeners);
  for (let i = 0; i < 8; i++) expect((await game.plain('shop')).status).toBe(200);
}

async function expectNoFault(path: string, body: Body): Promise<void> {
  const answer = await game.ask('POST', path, body, {}, agent);
  expect(answer.status).toBeGreaterThanOrEqual(200);
  expect(answer.status).toBeLessThan(500);
  expect(['application/json; charset=utf-8', 'application/problem+json']).toContain(
    answer.headers['content-type'],
  );
  JSON.parse(answer.text);
}

/** A valid body of any attributes, as bytes. */
const validBody = fc
  .record({
    u: fc.string({ unit: 'binary' }),
    p: fc.dictionary(
      fc.oneof(fc.constantFrom('x', 'y', 'z', 'a', '__proto__', '@v'), fc.string()),
      fc.jsonValue(),
    ),
    v: fc.option(fc.constantFrom('1.0.0', '0.0.0', '999999999.0.1')),
  })
  .map((body) => Buffer.from(JSON.stringify(body)));

/** A valid body with a few of its bytes replaced, removed or doubled. */
const mutatedBody = fc
  .tuple(
    validBody,
    fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom(0, 1, 2)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([body, edits]) => {
    const bytes = [...body];
    for (const [at, byte, width] of edits) {
      const replacement = width === 2 ? [byte, byte] : [byte].slice(0, width);
      bytes.splice(at % (bytes.length + 1), 1, ...replacement);
    }
    return Uint8Array.from(bytes);
  });

describe('no 5xx and no dead process from', () => {
  it('bodies of random bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(bytes, (body) => expectNoFault('/api/v1/config/shop/dynamic', body)),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('valid bodies of any attributes', async () => {
    await fc.assert(
      fc.asyncProperty(validBody, async (body) => {
        const answer = await game.ask('POST', '/api/v1/config/shop/dynamic', body, {}, agent);
        expect(answer.status).toBe(200);
        JSON.parse(answer.text);
      }),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('valid bodies with a few bytes changed', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedBody, (body) => expectNoFault('/api/v1/config/shop/dynamic', body)),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('random query strings', async () => {
    const piece = fc.oneof(
      fc.constantFrom('c=', 'dynamic=true', 'responseType=serialized', '&', '=', '%', '%5B', '["'),
      fc.constantFrom(
        '["shop"]',
        '%22',
        '"',
        ']',
        '[',
        ',',
        '%ff',
        '%C3%28',
        '%00',
        '\\u',
        '+',
        '?',
      ),
      fc.string({ unit: fc.constantFrom(...'abc/;:@!$()*~^`{|}<>\u00e9\u00ff'), maxLength: 5 }),
    );
    const query = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const path = fc.constantFrom(
      '/api/v1/combine/',
      '/api/v1/combine',
      '/api/v1/config/shop/dynamic',
    );
    await fc.assert(
      fc.asyncProperty(path, query, (endpoint, text) => expectNoFault(`${endpoint}?${text}`, '{}')),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('random lists of ids', async () => {
    const id = fc.oneof(fc.constantFrom('shop', 'SHOP'), fc.string({ unit: 'binary' }));
    const ids = fc.array(id, { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(ids, fc.boolean(), async (list, dynamic) => {
        const c = encodeURIComponent(JSON.stringify(list));
        const path = `/api/v1/combine/?c=${c}&dynamic=${dynamic}`;
        const answer = await game.ask('POST', path, '{}', {}, agent);
        expect(answer.status).toBe(200);
        expect(new Set(Object.keys(answer.json))).toEqual(new Set(list));
      }),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('random paths and methods', async () => {
    const path = fc
      .array(
        fc.constantFrom(
          '/',
          'api',
          'v1',
          'config',
          'combine',
          'env',
          'shop',
          '..',
          '%2f',
          '%',
          '?',
          'é',
        ),
      )
      .map((pieces) => `/${pieces.join('')}`);
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD');
    await fc.assert(
      fc.asyncProperty(path, method, async (target, verb) => {
        const answer = await game.ask(verb, target, undefined, {}, agent);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: runs },
    );
    await expectAllAlive();
  });

  it('random bytes instead of HTTP', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const connection = await openConnection(server.deliveryPort);
        await connection.write(bytes);
        connection.close();
      }),
      { numRuns: 100 },
    );
    await expectAllAlive();
  });
});
