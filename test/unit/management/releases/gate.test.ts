/** No way to publish passes a review policy, or changes what a ramp has locked. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../src/contract/operation.js';
import { type Answer, changesAfter, ownerToken, tokenOf } from '../harness.js';
import { Releases } from './harness.js';

const folder = new URL('../../../../src/contract/operations/', import.meta.url);

/** Routes of all operations that publish, as the contract says. */
async function publishingRoutes(): Promise<string[]> {
  const routes: string[] = [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const operations = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const exported of Object.values(operations)) {
      const { route, publishes } = (exported ?? {}) as Partial<Operation>;
      if (route !== undefined && publishes === true) routes.push(route);
    }
  }
  return routes;
}

const us = { country: 'US' };
const rules = [{ segment: 'us', merge: { n: 2 } }];

/** Live: `shop` of two version lines, which uses `us`, and the segments `us` and `lone`. `gone` is deleted. */
async function startWithLive(): Promise<Releases> {
  const releases = await Releases.start();
  const { api } = releases;
  await api.dev('PUT', '/segments/us', { when: us });
  await api.dev('PUT', '/segments/us', { when: { country: { $in: ['US'] } } });
  await api.dev('PUT', '/segments/lone', { when: us });
  await releases.put('shop', '{"n":1}', { mapping: rules });
  await releases.put('shop', '{"n":1}', { appVersion: '2.0.0' });
  await releases.draft('shop', '{"n":3}');
  await releases.put('gone', '{}');
  await api.dev('DELETE', '/contents/gone');
  await api.call('POST', '/admin/v1/environments', { id: 'staging' });
  await api.call('PUT', '/admin/v1/environments/staging/contents/shop', { text: '{"n":9}' });
  return releases;
}

async function importLine(
  releases: Releases,
  query = '',
): Promise<Pick<Answer, 'status' | 'body'>> {
  const line = { kind: 'content', id: 'shop', lines: [{ appVersion: '0.0.0', text: '{"n":8}' }] };
  const response = await fetch(`${releases.api.url}/admin/v1/environments/dev/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(line)}\n`,
  });
  return { status: response.status, body: await response.json() };
}

type Attempt = (releases: Releases) => Promise<Pick<Answer, 'status' | 'body'>>;

const send =
  (method: string, path: string, body?: unknown): Attempt =>
  ({ api }) =>
    api.dev(method, path, body);

const editMany = (edit: object, more: object = {}): Attempt =>
  send('POST', '/contents/edit', { ids: ['shop'], edit, ...more });

/** What one owner alone tries, by route. */
const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  'PUT /environments/:env/contents/:id': [
    send('PUT', '/contents/shop', { text: '{"n":4}' }),
    send('PUT', '/contents/shop', { text: '{"n":4}', dryRun: true }),
    send('PUT', '/contents/new', { text: '{}' }),
    send('PUT', '/contents/gone', { text: '{}' }),
    send('PUT', '/contents/shop', { description: 'x', publish: true }),
  ],
  'DELETE /environments/:env/contents/:id/lines/:appVersion': [
    send('DELETE', '/contents/shop/lines/2.0.0'),
  ],
  'POST /environments/:env/contents/edit': [
    editMany({ kind: 'set', path: '/n', value: 4 }),
    editMany({ kind: 'set', path: '/n', value: 4 }, { dryRun: true, partial: true }),
    editMany({ kind: 'publish' }),
    editMany({ kind: 'delete' }),
  ],
  'POST /environments/:env/contents/:id/publish': [send('POST', '/contents/shop/publish', {})],
  'POST /environments/:env/contents/:id/rollback': [
    send('POST', '/contents/shop/rollback', { revision: 1 }),
    send('POST', '/contents/gone/rollback', { revision: 1 }),
  ],
  'DELETE /environments/:env/contents/:id': [send('DELETE', '/contents/shop')],
  'POST /environments/:env/contents/:id/restore': [send('POST', '/contents/gone/restore')],
  'PUT /environments/:env/segments/:name': [
    send('PUT', '/segments/us', { when: {} }),
    send('PUT', '/segments/us', { when: {}, dryRun: true }),
    send('PUT', '/segments/new', { when: {} }),
  ],
  'DELETE /environments/:env/segments/:name': [send('DELETE', '/segments/lone')],
  'POST /environments/:env/segments/:name/rollback': [
    send('POST', '/segments/us/rollback', { revision: 1 }),
  ],
  'POST /environments/:env/import': [
    importLine,
    (releases) => importLine(releases, '?dryRun=true'),
    (releases) => importLine(releases, '?mode=merge'),
  ],
  'POST /environments/:env/sync': [
    send('POST', '/sync', { from: 'staging' }),
    send('POST', '/sync', { from: 'staging', dryRun: true }),
  ],
  'PATCH /environments/:env': [send('PATCH', '', { review: 0 }), send('PATCH', '', { review: 1 })],
  'DELETE /environments/:env': [send('DELETE', '')],
  'PUT /environments/:env/layers': [
    send('PUT', '/layers', { layers: [{ name: 'new' }], holdout: { groups: [0, 9] } }),
  ],
};

/** Releases have a gate of their own; what they do alone is tried below. */
const byRelease: readonly string[] = [
  'POST /environments/:env/releases/:release/start',
  'POST /environments/:env/releases/:release/live',
  'POST /environments/:env/releases/:release/resume',
  // It freezes, or gives back what had passed its own decision.
  'POST /environments/:env/releases/:release/pause',
  'POST /environments/:env/releases/:release/stop',
  'POST /environments/:env/releases/stop',
  'POST /environments/:env/releases/:release/revert',
];

/** They change no content that players receive, and nothing that guards it. */
const harmless: readonly string[] = [
  'POST /environments',
  'POST /environments/:env/keys',
  'PATCH /environments/:env/keys/:keyId',
  'DELETE /environments/:env/keys/:keyId',
  // They count players, and what a decision makes is a release.
  'POST /environments/:env/experiments/:id/start',
  'POST /environments/:env/experiments/:id/stop',
  'POST /environments/:env/experiments/:id/decide',
  'PUT /environments/:env/metrics/:name',
  'DELETE /environments/:env/metrics/:name',
];

it('tries every operation that publishes', async () => {
  const known = [...Object.keys(attempts), ...byRelease, ...harmless];
  expect(known.sort()).toEqual((await publishingRoutes()).sort());
});

describe('in an environment that asks for two approvals, one owner alone', () => {
  async function startReviewed(): Promise<Releases> {
    const releases = await startWithLive();
    const set = await releases.api.dev('PATCH', '', { review: 2 });
    expect(set.body).toMatchObject({ review: 2, emergency: null });
    return releases;
  }

  it.each(Object.keys(attempts))('cannot publish by %s', async (route) => {
    const releases = await startReviewed();
    const before = await releases.store.sequence();
    for (const attempt of attempts[route] ?? []) {
      const { status, body } = await attempt(releases);
      expect({ status, body }).toMatchObject({
        ...{ status: 409, body: { code: 'release_required', required: 2 } },
      });
      expect(body.detail).toContain('release');
    }
    expect(await changesAfter(releases.store, before)).toEqual([]);
  });

  it('reads with a sync or an import how it becomes a release', async () => {
    const releases = await startReviewed();
    const detailOf = async (route: string): Promise<string> =>
      (await attempts[route]?.[0]?.(releases))?.body.detail;
    expect(await detailOf('POST /environments/:env/import')).toMatch(
      /"dev" without 2 approvals: import the file into another environment, and sync/,
    );
    expect(await detailOf('POST /environments/:env/sync')).toMatch(/: sync it with a release\.$/);
  });

  it('cannot publish by a release that nobody else has approved', async () => {
    const releases = await startReviewed();
    const before = await releases.store.sequence();
    const release = await releases.make(['shop'], { steps: [{ percent: 1, holdMinutes: 10 }] });
    for (const action of ['start', 'live', 'resume']) {
      expect((await releases.act(release, action)).body.code).toBe('release_state');
    }
    const submitted = await releases.act(release, 'submit');
    expect(submitted.body).toMatchObject({ state: 'review', review: { required: 2 } });
    for (const action of ['start', 'live', 'resume']) {
      expect((await releases.act(release, action)).body.code).toBe('release_state');
    }
    const { digest } = submitted.body.review;
    const own = await releases.act(release, 'approve', { digest });
    expect([own.status, own.body.code]).toEqual([403, 'approval_forbidden']);
    expect(await changesAfter(releases.store, before)).toEqual([]);
  });

  it('may save drafts, describe, and make keys', async () => {
    const releases = await startReviewed();
    const { api } = releases;
    expect(await releases.draft('shop', '{"n":5}')).toBeGreaterThan(3);
    const segment = await api.dev('PUT', '/segments/us', { when: {}, publish: false });
    expect(segment.body).toMatchObject({ live: 2, newest: 3 });
    expect((await api.dev('PUT', '/contents/shop', { description: 'x' })).status).toBe(200);
    expect((await api.dev('POST', '/keys', {})).status).toBe(201);
    expect((await api.dev('PATCH', '', { review: 3 })).body.review).toBe(3);
  });
});

describe('while a release ramps', () => {
  const ramp = { steps: [{ percent: 1, holdMinutes: 10 }] };
  async function startRamping(): Promise<Releases> {
    const releases = await startWithLive();
    const { api } = releases;
    await api.dev('PUT', '/segments/used', { when: {} });
    await api.dev('PUT', '/contents/user', {
      text: '{}',
      mapping: [{ segment: 'used', merge: {} }],
    });
    await api.dev('PUT', '/segments/us', { when: {}, publish: false });
    await api.dev('PUT', '/contents/Free', { text: '{}' });
    const { body } = await api.dev('POST', '/releases', {
      ...{ title: 'Summer', ...ramp },
      changes: [
        { kind: 'segment', name: 'us' },
        { kind: 'content', id: 'user' },
      ],
    });
    const started = await releases.act(body.release, 'start');
    expect(started.body.reach).toEqual({ contents: ['shop', 'user'], segments: ['us'] });
    return releases;
  }

  const locked: readonly (readonly [string, Attempt])[] = [
    ['an edit of what it reaches', send('PUT', '/contents/shop', { text: '{"n":4}' })],
    ['a dry run of it', send('PUT', '/contents/shop', { text: '{"n":4}', dryRun: true })],
    ['a publish', send('POST', '/contents/SHOP/publish', {})],
    ['a rollback', send('POST', '/contents/shop/rollback', { revision: 1 })],
    ['a line less', send('DELETE', '/contents/shop/lines/2.0.0')],
    ['a deletion', send('DELETE', '/contents/user')],
    ['a value set in many', editMany({ kind: 'set', path: '/n', value: 4 })],
    ['drafts published together', editMany({ kind: 'publish' })],
    ['deletions', editMany({ kind: 'delete' })],
    ['another schema', send('PUT', '/contents/shop', { schema: { type: 'object' } })],
    ['its segment', send('PUT', '/segments/us', { when: {} })],
    ['its segment, rolled back', send('POST', '/segments/us/rollback', { revision: 1 })],
    ['a segment that its contents use', send('PUT', '/segments/used', { when: us })],
    [
      'a new content that uses its segment',
      send('PUT', '/contents/late', { text: '{"n":1}', mapping: rules }),
    ],
    ['a sync of it and more', send('POST', '/sync', { from: 'staging' })],
    ['an import', (all) => importLine(all)],
    ['the end of the environment', send('DELETE', '')],
  ];

  it.each(locked)('%s is rejected, and the release named', async (_what, attempt) => {
    const releases = await startRamping();
    const before = await releases.store.sequence();
    const { status, body } = await attempt(releases);
    expect({ status, code: body.code, release: body.release }).toEqual({
      ...{ status: 409, code: 'release_active', release: 1 },
    });
    expect(body.detail).toContain('Release 1 ("Summer")');
    expect(await changesAfter(releases.store, before)).toEqual([]);
  });

  it('what it does not reach is published, and drafts are saved', async () => {
    const releases = await startRamping();
    const { api } = releases;
    expect((await api.dev('PUT', '/contents/free', { text: '{"n":2}' })).status).toBe(200);
    expect((await api.dev('PUT', '/segments/other', { when: {} })).status).toBe(201);
    expect(await releases.draft('shop', '{"n":6}')).toBeGreaterThan(3);
    const draft = await api.dev('PUT', '/segments/us', { when: us, publish: false });
    expect(draft.body.live).toBe(2);
    expect((await api.dev('PATCH', '', { name: 'Development' })).status).toBe(200);
  });

  it('paused, it locks on; stopped, no more', async () => {
    const releases = await startRamping();
    await releases.act(1, 'pause');
    const edit = send('PUT', '/contents/shop', { text: '{"n":7}' });
    expect((await edit(releases)).body.code).toBe('release_active');
    await releases.act(1, 'stop');
    expect((await edit(releases)).status).toBe(200);
  });
});

describe('an editor in a protected environment', () => {
  it('saves drafts, and publishes, removes and describes nothing', async () => {
    const { api } = await startWithLive();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PATCH', '', { protected: true });
    const draft = { publish: false };
    const saved = await api.dev('PUT', '/contents/shop', { text: '{"n":5}', ...draft }, editor);
    expect(saved.body).toMatchObject({ live: 2, revision: 4 });
    const line = await api.dev(
      'DELETE',
      '/contents/shop/lines/2.0.0?publish=false',
      undefined,
      editor,
    );
    expect(line.body).toMatchObject({ live: 2, revision: 5 });
    const fresh = await api.dev('PUT', '/contents/new', { text: '{}', ...draft }, editor);
    expect([fresh.status, fresh.body.live]).toEqual([201, null]);
    for (const [method, path, body] of [
      ['PUT', '/contents/shop', { text: '{"n":5}' }],
      ['PUT', '/contents/shop', { description: 'x' }],
      ['PUT', '/contents/shop', { schema: {}, ...draft }],
      ['POST', '/contents/shop/publish', {}],
      ['DELETE', '/contents/shop/lines/2.0.0', undefined],
      ['DELETE', '/contents/new', undefined],
      ['POST', '/contents/gone/restore', undefined],
    ] as const) {
      const tried = await api.dev(method, path, body, editor);
      expect([path, tried.status, tried.body.code]).toEqual([path, 403, 'forbidden']);
    }
  });

  it('makes a release, pauses and stops it, and carries nothing out', async () => {
    const { api } = await startWithLive();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PATCH', '', { protected: true });
    await api.dev('PUT', '/contents/shop', { text: '{"n":5}', publish: false }, editor);
    const steps = [{ percent: 10, holdMinutes: 60 }];
    const body = { title: 'x', changes: [{ kind: 'content', id: 'shop' }], steps };
    const made = await api.dev('POST', '/releases', body, editor);
    expect(made.status).toBe(201);
    const act = (name: string, token?: string) =>
      api.dev('POST', `/releases/${made.body.release}/${name}`, {}, token);
    for (const name of ['start', 'live']) {
      expect([name, (await act(name, editor)).body.code]).toEqual([name, 'forbidden']);
    }
    expect((await act('start')).status).toBe(200);
    expect((await act('pause', editor)).status).toBe(200);
    expect((await act('resume', editor)).body.code).toBe('forbidden');
    expect((await act('stop', editor)).status).toBe(200);
  });
});
