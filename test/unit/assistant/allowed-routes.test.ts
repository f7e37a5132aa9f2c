/**
 * Goal: what is not on the list of the assistant cannot be reached by it, and what is on it cannot publish. Method: every operation of
 * the contract, found in its files, is asked through the assistant's client; an HTTP server notes what arrives.
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { draftRoutes, readRoutes } from '../../../src/assistant/allowed-routes.js';
import { AssistantClient } from '../../../src/assistant/assistant-client.js';
import type { Operation } from '../../../src/contract/operation.js';

const folder = join(import.meta.dirname, '../../../src/contract/operations');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const modules = await Promise.all(files.map((file) => import(join(folder, file))));
const operations: Operation[] = modules
  .flatMap((module) => Object.values(module))
  .filter((value): value is Operation => typeof (value as Operation | null)?.route === 'string');

const allowed: ReadonlySet<string> = new Set([...readRoutes, ...Object.keys(draftRoutes)]);
const params = {
  ...{ env: 'dev', id: 'shop', name: 's', release: '1', revision: '1', appVersion: '1.0.0' },
  ...{ keyId: 'k', userId: 'u', tokenId: 't', deliveryId: 'd' },
};

async function notingServer() {
  const received: { method: string; body: Record<string, unknown> | null }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    received.push({ method: request.method ?? '', body: text === '' ? null : JSON.parse(text) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new AssistantClient({ url, token: 't' }, new AbortController().signal);
  return { received, client };
}

type AnyRead = (route: string, args: object) => Promise<unknown>;
type AnyDraft = (route: string, params: object, body: object) => Promise<unknown>;

/** All that a caller could want to smuggle in. */
const everything = {
  ...{ publish: true, confirm: 'x', dryRun: false, schema: null, guards: [], tags: [] },
  ...{ description: 'd', text: '{}', when: {}, title: 't', state: 'live', emergency: {} },
  ...{ changes: [{ kind: 'environment', edit: { review: 0 } }], rebase: [], at: null, review: 0 },
  drop: [{ kind: 'environment' }, { kind: 'content', id: 'shop' }],
  put: [
    { kind: 'content', id: 'shop', revision: null },
    { kind: 'content', id: 'shop' },
    { kind: 'environment', edit: { delete: true } },
    { kind: 'content', id: 'shop', revision: 2, edit: {} },
  ],
};

describe('an operation of the admin API', () => {
  it('is on the list only if it exists, and the contract has more', () => {
    const known = new Set<string>(operations.map(({ route }) => route));
    for (const route of allowed) expect(known).toContain(route);
    expect(known.size).toBeGreaterThan(100);
  });

  it('that is not on the list is not sent at all', async () => {
    const { received, client } = await notingServer();
    const others = operations.filter(({ route }) => !allowed.has(route));
    for (const { route } of others) {
      const read = client.read.bind(client) as AnyRead;
      const draft = client.draft.bind(client) as AnyDraft;
      await expect(read(route, { params, body: {} })).rejects.toThrow('may not use');
      await expect(draft(route, params, everything)).rejects.toThrow('may not use');
    }
    for (const route of ['constructor', '__proto__', 'toString', 'GET /../v1/keys']) {
      await expect((client.draft.bind(client) as AnyDraft)(route, params, {})).rejects.toThrow();
    }
    expect(received).toEqual([]);
  });

  it('that changes something is on the list only as one that saves drafts', () => {
    const roles = new Map(operations.map((one) => [one.route as string, one]));
    for (const route of readRoutes) {
      const operation = roles.get(route);
      expect([route, operation?.publishes]).toEqual([route, undefined]);
      expect([route, operation?.role]).toEqual([route, expect.stringMatching(/viewer|support/)]);
    }
    const publishing = Object.keys(draftRoutes).filter((route) => roles.get(route)?.publishes);
    expect(publishing).toEqual([
      'PUT /environments/:env/contents/:id',
      'PUT /environments/:env/segments/:name',
    ]);
  });

  it('that saves drafts is sent what makes a draft, whatever it is given', async () => {
    const { received, client } = await notingServer();
    const draft = client.draft.bind(client) as AnyDraft;
    for (const route of Object.keys(draftRoutes)) await draft(route, params, everything);
    expect(received.map(({ body }) => body)).toEqual([
      { text: '{}', dryRun: false, publish: false },
      { when: {}, dryRun: false, publish: false },
      { title: 't', description: 'd' },
      { title: 't', description: 'd' },
      {
        put: [{ kind: 'content', id: 'shop', revision: 2 }],
        drop: [{ kind: 'content', id: 'shop' }],
      },
      {},
    ]);
  });
});
