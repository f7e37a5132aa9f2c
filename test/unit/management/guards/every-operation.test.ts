/**
 * Every operation that publishes asks for a confirmation, or says here why it brings no value that has to be confirmed. The
 * list is derived from the contract: an operation that is added has to take a place in it.
 */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Operation } from '../../../../src/contract/operation.js';
import { type Answer, ownerToken } from '../harness.js';
import { Releases } from '../releases/harness.js';

const folder = new URL('../../../../src/contract/operations/', import.meta.url);

async function publishingRoutes(): Promise<string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const routes: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const module: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const value of Object.values(module)) {
      if (typeof value !== 'object' || value === null || !('route' in value)) continue;
      const operation = value as Operation;
      if (operation.publishes) routes.push(operation.route);
    }
  }
  return routes;
}

const guards = [{ path: '/gold', max: 1_000, severity: 'block' }];

/** `shop` is live with 10 gold in two lines, revision 3 is a draft with 5,000, and release 1 has it. */
async function start(): Promise<Releases> {
  const releases = await Releases.start();
  const { api } = releases;
  await releases.put('shop', '{"gold":10}', { guards });
  await releases.put('shop', '{"gold":10}', { appVersion: '2.0.0' });
  await releases.draft('shop', '{"gold":5000}');
  const steps = [{ percent: 1, holdMinutes: 10 }];
  await releases.make(['shop'], { steps });
  await api.call('POST', '/admin/v1/environments', { id: 'staging' });
  const source = { text: '{"gold":6000}', guards };
  await api.call('PUT', '/admin/v1/environments/staging/contents/shop?strict=false', source);
  const { body } = await api.call('PUT', '/admin/v1/environments/staging/contents/shop', source);
  const confirmed = { ...source, confirm: body.digest };
  await api.call('PUT', '/admin/v1/environments/staging/contents/shop', confirmed);
  return releases;
}

type Sent = Pick<Answer, 'status' | 'body'>;
type Attempt = (releases: Releases, confirm?: string) => Promise<Sent>;

const send =
  (method: string, path: string, body: object = {}): Attempt =>
  ({ api }, confirm) =>
    api.dev(method, path, confirm === undefined ? body : { ...body, confirm });

const withoutBody =
  (path: string): Attempt =>
  ({ api }, confirm) =>
    api.dev('DELETE', confirm === undefined ? path : `${path}?confirm=${confirm}`);

const importLine: Attempt = async ({ api }, confirm) => {
  const lines = [{ appVersion: '0.0.0', text: '{"gold":8000}' }];
  const query = confirm === undefined ? '' : `?confirm=${confirm}`;
  const response = await fetch(`${api.url}/admin/v1/environments/dev/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ kind: 'content', id: 'shop', lines })}\n`,
  });
  return { status: response.status, body: await response.json() };
};

const asking: Readonly<Record<string, Attempt>> = {
  'PUT /environments/:env/contents/:id': send('PUT', '/contents/shop', { text: '{"gold":4000}' }),
  'DELETE /environments/:env/contents/:id/lines/:appVersion': withoutBody(
    '/contents/shop/lines/2.0.0',
  ),
  'POST /environments/:env/contents/edit': send('POST', '/contents/edit', {
    ...{ ids: ['shop'], edit: { kind: 'set', path: '/gold', value: 4000 } },
  }),
  'POST /environments/:env/contents/:id/publish': send('POST', '/contents/shop/publish'),
  'POST /environments/:env/contents/:id/rollback': send('POST', '/contents/shop/rollback', {
    revision: 3,
  }),
  'POST /environments/:env/import': importLine,
  'POST /environments/:env/sync': send('POST', '/sync', { from: 'staging' }),
  'POST /environments/:env/releases/:release/start': send('POST', '/releases/1/start'),
  'POST /environments/:env/releases/:release/live': send('POST', '/releases/1/live'),
};

/** Why none of these has anything to confirm. */
const silent: Readonly<Record<string, string>> = {
  'DELETE /environments/:env/contents/:id': 'it brings no value',
  'POST /environments/:env/contents/:id/restore': 'what comes back was live',
  'POST /environments/:env/releases/:release/revert': 'what comes back was live',
  'POST /environments/:env/releases/:release/stop': 'it gives back what is live',
  'POST /environments/:env/releases/stop': 'it gives back what is live',
  'POST /environments/:env/releases/:release/pause': 'it brings no value',
  'POST /environments/:env/releases/:release/resume': 'its start was asked',
  'PUT /environments/:env/segments/:name': 'an envelope holds for every condition',
  'DELETE /environments/:env/segments/:name': 'an envelope holds for every condition',
  'POST /environments/:env/segments/:name/rollback': 'an envelope holds for every condition',
  'POST /environments': 'it is empty',
  'PATCH /environments/:env': 'it brings no value',
  'DELETE /environments/:env': 'it brings no value',
  'POST /environments/:env/keys': 'it brings no value',
  'PATCH /environments/:env/keys/:keyId': 'it brings no value',
  'DELETE /environments/:env/keys/:keyId': 'it brings no value',
  'PUT /environments/:env/layers': 'it brings no value',
  'POST /environments/:env/experiments/:id/start': 'it brings no value',
  'POST /environments/:env/experiments/:id/stop': 'it brings no value',
  'POST /environments/:env/experiments/:id/decide': 'its release is asked',
  'PUT /environments/:env/metrics/:name': 'it brings no value',
  'DELETE /environments/:env/metrics/:name': 'it brings no value',
};

it('has a place for every operation that publishes', async () => {
  const known = [...Object.keys(asking), ...Object.keys(silent)];
  expect(known.sort()).toEqual((await publishingRoutes()).sort());
});

it.each(Object.keys(asking))('%s asks, and takes the digest', async (route) => {
  const releases = await start();
  const attempt = asking[route] as Attempt;
  const before = await releases.store.sequence();
  const asked = await attempt(releases);
  expect({ status: asked.status, body: asked.body }).toMatchObject({
    ...{ status: 409, body: { code: 'confirmation_required' } },
  });
  expect(asked.body.warnings[0]).toMatchObject({ content: 'shop', path: '/gold' });
  expect(await releases.store.sequence()).toBe(before);
  const other = await attempt(releases, '0'.repeat(64));
  expect(other.body.code).toBe('confirmation_required');
  const done = await attempt(releases, asked.body.digest);
  expect([done.status, done.body.code]).toEqual([200, undefined]);
});
