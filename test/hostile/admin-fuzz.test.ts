/**
 * Whatever is sent to any operation of the admin API is answered as its document says, and never with a 5xx. The requests are
 * made from the document: right in most places, wrong in one or a few.
 */
import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import {
  ask,
  fetchDocument,
  fillPath,
  sampleOf,
} from '../support/specification/admin-operations.js';
import type { OpenapiDocument, Operation, Schema } from '../support/specification/openapi.js';

/** Requests per operation and test: some seconds for all of them. */
const runs = 12;
/** Of one operation, where the machine has other things to do; the first runs count all the same. */
const millisMax = 5_000;
/** Without it, what signs in and out would be refused before it is looked at. */
const fromConsole = { 'x-loadout-console': '1' };
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

let server: LoadoutServer;
let admin: OpenapiDocument;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  const game = await makeEnvironment(server, 'dev');
  await game.putSegment('none', { level: { $gt: 3 } });
  await game.put('none', '{"a":1}', { mapping: [{ segment: 'none', merge: { a: 2 } }] });
  admin = await fetchDocument(server, '/openapi.json');
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

const long = 'x'.repeat(5_000);

/** What a field may hold instead of what it should. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1.5, 1e300, '', '..', '\u0000', '\ud800', long, [], {}),
  fc.constantFrom<unknown>([[[[]]]], { __proto__: null, constructor: 1 }, '9999999999', '%'),
  fc.jsonValue({ maxDepth: 3 }),
);

const pathPart = fc.oneof(
  fc.constantFrom('none', 'dev', '.', '%00', '%2e%2e', '%ff', '%', 'a%2fb', '-1', '1e9', '%20'),
  fc.constantFrom('9007199254740993', '0', 'x'.repeat(129), 'x'.repeat(600), '%F0%9F%98%80'),
  fc.string({ minLength: 1, maxLength: 20 }).map(encodeText),
);

/** Percent-encoded; what is not well-formed cannot be, and becomes what a browser would send. */
function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** No release has that number; a word in its place would be what is refused. */
const inDev = { env: 'dev', release: '999' };

function wildPath(operation: Operation): fc.Arbitrary<string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const queried = operation.parameters.filter((parameter) => parameter.in === 'query');
  const values = fc.tuple(...names.map((name) => fc.oneof(fc.constant(usual(name)), pathPart)));
  const query = fc.tuple(
    ...queried.map(({ name }) =>
      fc.option(anything.map((value) => `${name}=${encodeText(textOf(value))}`)),
    ),
  );
  return fc.tuple(values, query).map(([parts, pairs]) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, () => parts.shift() ?? 'none');
    const search = pairs.filter((pair) => pair !== null).join('&');
    return search === '' ? path : `${path}?${search}`;
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function usual(name: string): string {
  return name === 'env' ? 'dev' : ({ appVersion: '0.0.0', revision: '1' }[name] ?? 'none');
}

/** A body that is right but for one or two members: another value, one that is not known, one left out. */
function wildBody(schema: Schema): fc.Arbitrary<unknown> {
  const properties: Readonly<Record<string, Schema>> = schema.properties ?? {};
  const names = Object.keys(properties);
  const right = Object.fromEntries(names.map((name) => [name, sampleOf(properties[name])]));
  const edit = fc.tuple(fc.constantFrom(...names, 'unknownMember'), fc.option(anything));
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    {
      weight: 4,
      arbitrary: fc
        .array(edit, { minLength: 1, maxLength: 2 })
        .map((edits) => ({ ...right, ...Object.fromEntries(edits) })),
    },
  );
}

async function checkAll(
  arbitraryOf: (operation: Operation) => fc.Arbitrary<Parameters<typeof ask>[2]> | null,
  isRight: (operation: Operation, status: number, text: string, body: string) => void,
): Promise<void> {
  for (const operation of admin.operations) {
    const arbitrary = arbitraryOf(operation);
    if (arbitrary === null) continue;
    await fc.assert(
      fc.asyncProperty(arbitrary, async (call) => {
        const answer = await ask(server, operation, {
          ...{ token: ownerToken, agent, headers: fromConsole },
          ...call,
        });
        isRight(operation, answer.status, answer.text, call.body ?? '');
        // A path may be so odd that it is none.
        if (answer.text.includes('"code":"not_found"')) return;
        admin.expectDocumented(operation, answer);
      }),
      { numRuns: runs, endOnFailure: true, interruptAfterTimeLimit: millisMax },
    );
  }
}

function expectNoFault({ method, path }: Operation, status: number, text: string): void {
  expect(status, `${method} ${path} -> ${text.slice(0, 300)}`).toBeLessThan(500);
}

describe('no operation fails on', () => {
  it('ids and queries of any kind', async () => {
    await checkAll((operation) => wildPath(operation).map((path) => ({ path })), expectNoFault);
  });

  it('bodies that are not JSON, not UTF-8, or of another type', async () => {
    const body = fc.oneof(
      fc.constantFrom('', '{', '[1,]', 'nul', '"', '{"a":1}{"a":2}', `{"a":${'['.repeat(9_000)}`),
      fc.string(),
    );
    const bodyType = fc.constantFrom(
      'application/json',
      'application/x-ndjson',
      'text/plain',
      'application/json; charset=latin1',
      'x',
    );
    await checkAll(
      (operation) =>
        operation.bodyType === null
          ? null
          : fc.record({ body, bodyType, path: fc.constant(fillPath(operation, inDev)) }),
      expectNoFault,
    );
  });

  it('lines of any kind, where a body is read line by line', async () => {
    const lines = fc.array(
      fc.oneof(
        anything.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
    );
    await checkAll(
      (operation) =>
        operation.bodyType !== 'application/x-ndjson'
          ? null
          : fc.record({
              body: lines.map((all) => all.join('\n')),
              path: fc.constant(fillPath(operation, inDev)),
            }),
      expectNoFault,
    );
  });
});

describe('an id longer than any', () => {
  it('is refused with 400', async () => {
    const varying = admin.operations.filter(({ path }) => path.includes('{'));
    expect(varying.length).toBeGreaterThan(20);
    for (const operation of varying) {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'x'.repeat(600));
      const answer = await ask(server, operation, { token: ownerToken, agent, path });
      expect(`${operation.id} ${answer.status} ${answer.text}`).toContain(
        `${operation.id} 400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_request"`,
      );
    }
  });
});

describe('a body that the document does not allow', () => {
  it('is refused with 400, and its faults are named', async () => {
    let refused = 0;
    await checkAll(
      (operation) =>
        operation.bodyType !== 'application/json'
          ? null
          : wildBody(operation.bodySchema).map((value) => ({
              body: JSON.stringify(value),
              path: fillPath(operation, inDev),
            })),
      (operation, status, text, body) => {
        expectNoFault(operation, status, text);
        if (admin.takesBody(operation, JSON.parse(body))) return;
        refused++;
        const shown = `${operation.method} ${operation.path} ${body.slice(0, 500)}\n${text}`;
        expect(status, shown).toBe(400);
        const { code, errors } = JSON.parse(text);
        expect(code, shown).toBe('invalid_body');
        expect(errors.length, shown).toBeGreaterThan(0);
      },
    );
    expect(refused).toBeGreaterThan(50);
  });
});

describe('after all of it', () => {
  it('the server goes on, and says nothing of faults in its log', async () => {
    expect((await server.admin('GET', '/readyz')).json.ready).toBe(true);
    expect(server.stderr).not.toMatch(/the admin API failed|uncaught|unhandled/i);
  });
});
