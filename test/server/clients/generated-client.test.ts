/**
 * Goal: what a generator makes of the documents can call all that is in them. Method: two generators make clients from a running
 * server's documents; one list of calls is compiled with strict types, and made through both against the server. Which
 * operations succeeded is read from the requests themselves.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';
import { fetchDocument } from '../../support/specification/admin-operations.js';
import type { OpenapiDocument } from '../../support/specification/openapi.js';
import { send } from '../../support/wire/exchange.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const folder = path('../../client');
// By their paths: they are compiled with what is generated, not with the tests.
const life = path('../../client/content-life.ts');
const everyOperation = path('../../client/every-operation.ts');
const generatedClients = path('../../client/generated-clients.ts');
const generated = `${folder}/generated`;
const run = promisify(execFile);
const generateMsMax = 120_000;

const server = sharedServer();
const documents = { admin: '/openapi.json', delivery: '/openapi-delivery.json' } as const;
const read = new Map<keyof typeof documents, OpenapiDocument>();

beforeAll(async () => {
  // Made each time, and not kept in the repository: they can be no older than the routes.
  mkdirSync(generated, { recursive: true });
  for (const kind of ['admin', 'delivery'] as const) {
    const document = await fetchDocument(server, documents[kind]);
    read.set(kind, document);
    const file = `${generated}/${kind}.json`;
    writeFileSync(file, JSON.stringify(document.json));
    const source = await generateSource(file, { useUnknown: true, argumentStyle: 'object' });
    writeFileSync(`${generated}/${kind}-client.ts`, source);
    await run(process.execPath, [
      `${folder}/generate-types.mjs`,
      file,
      `${generated}/${kind}-types.ts`,
    ]);
  }
}, generateMsMax);

it('the calls compile with the types of both generators', { timeout: generateMsMax }, async () => {
  const compiler = path('../../../node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [compiler, '-p', folder], { timeout: generateMsMax });
  const said = await compiled.then(
    ({ stdout }) => stdout,
    (fault: { stdout: string }) => fault.stdout,
  );
  expect(said).toBe('');
});

it('brings a content to life', async () => {
  const { liveThrough } = await import(life);
  await liveThrough(server.adminUrl, ownerToken, {
    async wrapped(key: string, minSequence: number): Promise<unknown> {
      const answer = await send(server.deliveryUrl, '/api/v1/config/shop/dynamic', {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'x-min-sequence': `${minSequence}`,
        },
        body: '{}',
      });
      return answer.json.data;
    },
  });
});

describe.each(['openapi-fetch', 'oazapfts'] as const)('a client of %s', (generator) => {
  it('calls every operation of both documents', { timeout: 120_000 }, async () => {
    const succeeded = new Set<string>();
    const fetch = watchedFetch(succeeded);
    const { callEveryOperation } = await import(everyOperation);
    const { oazapfts, openapiFetch } = await import(generatedClients);
    const places = {
      admin: {
        url: server.adminUrl,
        headers: { authorization: `Bearer ${ownerToken}`, 'x-loadout-console': '1' },
        operations: operationsOf('admin'),
      },
      delivery: (key: string) => ({
        url: server.deliveryUrl,
        headers: { 'x-api-key': key },
        operations: operationsOf('delivery'),
      }),
    };
    const client =
      generator === 'openapi-fetch'
        ? openapiFetch(places, fetch)
        : oazapfts({ admin: await made('admin'), delivery: await made('delivery') }, places, fetch);
    await callEveryOperation(client, `generated-${generator}`);
    const all = (['admin', 'delivery'] as const).flatMap((kind) =>
      operationsOf(kind).map(({ id }) => `${kind} ${id}`),
    );
    expect(all.length).toBeGreaterThan(70);
    expect(all.filter((name) => !succeeded.has(name))).toEqual([]);
  });
});

/** Notes each operation that answers with a success; a response that never ends is cut after its first piece. */
function watchedFetch(succeeded: Set<string>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const kind = request.url.startsWith(server.adminUrl) ? 'admin' : 'delivery';
    const { pathname } = new URL(request.url);
    const operation = read.get(kind)?.operation(request.method, pathname);
    const response = await fetch(request);
    if (response.ok) succeeded.add(`${kind} ${operation?.id}`);
    if (!pathname.endsWith('/stream') || !response.ok) return response;
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return new Response(first?.value ?? null, { status: 200, headers: response.headers });
  };
}

/** What `CalledOperation` of generated-clients.ts says. */
function operationsOf(kind: keyof typeof documents) {
  const operations = read.get(kind)?.operations ?? [];
  return operations.map(
    ({ id, method, path: at, bodyType, bodySchema, parameters, responses }) => ({
      ...{ id, method, path: at, bodyType },
      bodyName: lowerFirst(bodySchema?.$ref?.split('/').at(-1) ?? 'body'),
      takesArguments: parameters.length > 0 || bodyType !== null,
      successType: Object.keys(responses['200']?.content ?? { 'application/json': 1 })[0] ?? '',
    }),
  );
}

function made(kind: keyof typeof documents): Promise<unknown> {
  return import(`${generated}/${kind}-client.ts`);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
