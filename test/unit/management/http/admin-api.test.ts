import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rawMembers } from '../../../../src/management/http/body/raw-members.js';
import { changesAfter, figures, startApi, startMs, tokenOf } from '../harness.js';

describe('admin API: who may call', () => {
  it('refuses a missing and an unknown token with 401', async () => {
    const api = await startApi();
    for (const token of [null, 'wrong-token', 'x'.repeat(10_000)]) {
      const refused = await api.call('GET', '/admin/v1/environments', undefined, token);
      expect(refused.status).toBe(401);
      expect(refused.body.code).toBe('invalid_token');
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('says who one is', async () => {
    const api = await startApi();
    const { body } = await api.call('GET', '/admin/v1/me');
    expect(body).toMatchObject({ name: 'owner', role: 'owner' });
  });

  it('lets owners make and remove users, and nobody else', async () => {
    const api = await startApi();
    const made = await api.call('POST', '/admin/v1/users', { name: 'eve', role: 'editor' });
    expect(made.status).toBe(201);
    const { id, token } = made.body;
    expect((await api.call('GET', '/admin/v1/me', undefined, token)).body.name).toBe('eve');
    expect((await api.call('GET', '/admin/v1/users', undefined, token)).status).toBe(403);
    expect(
      (await api.call('POST', '/admin/v1/users', { name: 'x', role: 'owner' }, token)).status,
    ).toBe(403);
    expect(
      (await api.call('POST', '/admin/v1/users', { name: 'eve', role: 'viewer' })).body.code,
    ).toBe('user_exists');
    expect((await api.call('POST', '/admin/v1/users', { name: 'x', role: 'god' })).status).toBe(
      400,
    );
    expect((await api.call('GET', '/admin/v1/users')).body.users).toHaveLength(2);
    expect((await api.call('DELETE', `/admin/v1/users/${id}`)).status).toBe(200);
    expect((await api.call('GET', '/admin/v1/me', undefined, token)).status).toBe(401);
    expect((await api.call('DELETE', `/admin/v1/users/${id}`)).status).toBe(404);
    const me = await api.call('GET', '/admin/v1/me');
    expect((await api.call('DELETE', `/admin/v1/users/${me.body.id}`)).body.code).toBe(
      'last_owner',
    );
  });

  it('records who did what, from where', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', note: 'why' });
    const { body } = await api.call('GET', '/admin/v1/audit?environment=dev&limit=1');
    expect(body.events).toMatchObject([
      {
        action: 'content.put',
        userName: 'owner',
        name: 'shop',
        address: '127.0.0.1',
        at: new Date(startMs).toISOString(),
        details: { note: 'why', revision: 1 },
      },
    ]);
    const older = await api.call('GET', `/admin/v1/audit?before=${body.events[0].id}`);
    expect(older.body.events[0].action).toBe('environment.create');
    const viewer = await tokenOf(api, 'viewer');
    const seen = await api.call('GET', '/admin/v1/audit?limit=1', undefined, viewer);
    expect(seen.body.events).toMatchObject([{ action: 'content.put', address: '' }]);
  });
});

describe('admin API: environments', () => {
  it('makes, shows, changes and deletes them', async () => {
    const api = await startApi();
    const made = await api.call('POST', '/admin/v1/environments', { id: 'live', protected: true });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id: 'live', name: 'live', protected: true });
    expect(api.published).toContain(made.body.sequence);
    const again = await api.call('POST', '/admin/v1/environments', { id: 'live' });
    expect(again.body.code).toBe('environment_exists');
    const { body } = await api.call('GET', '/admin/v1/environments');
    expect(body.environments.map((environment: { id: string }) => environment.id)).toEqual([
      'dev',
      'live',
    ]);
    const path = '/admin/v1/environments/live';
    expect((await api.call('GET', path)).body.createdAt).toBe(new Date(startMs).toISOString());
    expect((await api.call('DELETE', path)).body.code).toBe('environment_protected');
    const changed = await api.call('PATCH', path, { name: 'Production', protected: false });
    expect(changed.body).toMatchObject({ name: 'Production', protected: false });
    const deleted = await api.call('DELETE', path);
    expect(deleted.status).toBe(200);
    expect(await changesAfter(api.store, deleted.body.sequence - 1)).toEqual([
      { kind: 'environment-removed', environment: 'live' },
    ]);
    for (const method of ['GET', 'DELETE']) {
      expect((await api.call(method, path)).body.code).toBe('environment_not_found');
    }
    expect((await api.call('PATCH', path, { name: 'x' })).status).toBe(404);
  });

  it('are for owners to change', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    const path = '/admin/v1/environments/dev';
    expect((await api.call('GET', path, undefined, editor)).status).toBe(200);
    expect((await api.call('POST', '/admin/v1/environments', { id: 'x' }, editor)).status).toBe(
      403,
    );
    expect((await api.call('PATCH', path, { name: 'x' }, editor)).status).toBe(403);
    expect((await api.call('DELETE', path, undefined, editor)).status).toBe(403);
  });

  it.each(['', 'Dev', 'a b', '..', 'x'.repeat(65), 'ä'])('refuses the id "%s"', async (id) => {
    const api = await startApi();
    const refused = await api.call('POST', '/admin/v1/environments', { id });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe('id');
  });
});

describe('admin API: keys', () => {
  it('shows a key once, lists it without its text, and revokes it', async () => {
    const api = await startApi();
    const expiresAt = '2027-01-01T00:00:00Z';
    const made = await api.dev('POST', '/keys', { label: 'ios', expiresAt });
    expect(made.status).toBe(201);
    expect(made.body.key).toMatch(/^lo_[A-Za-z0-9_-]{27}$/);
    expect(made.body).toMatchObject({ label: 'ios', expiresAt: '2027-01-01T00:00:00.000Z' });
    expect(made.body.key.startsWith(made.body.prefix)).toBe(true);
    const listed = await api.dev('GET', '/keys');
    expect(listed.text).not.toContain(made.body.key);
    expect(listed.body.keys).toMatchObject([{ id: made.body.id, revokedAt: null }]);
    const revoked = await api.dev('DELETE', `/keys/${made.body.id}`);
    expect(revoked.status).toBe(200);
    expect(revoked.body.revokedAt).not.toBeNull();
    expect(await changesAfter(api.store, revoked.body.sequence - 1)).toMatchObject([
      { kind: 'key-removed' },
    ]);
    expect((await api.dev('DELETE', `/keys/${made.body.id}`)).body.sequence).toBe(
      revoked.body.sequence,
    );
    expect((await api.dev('DELETE', '/keys/key_unknown')).body.code).toBe('key_not_found');
  });

  it('takes a given key of enough characters, once', async () => {
    const api = await startApi();
    const key = 'my-own-key_0123456789AB';
    expect((await api.dev('POST', '/keys', { key })).body.key).toBe(key);
    expect((await api.dev('POST', '/keys', { key })).body.code).toBe('key_exists');
    for (const bad of ['short', 'x'.repeat(21), 'x'.repeat(129), `${key} `, `${key}ä`]) {
      expect((await api.dev('POST', '/keys', { key: bad })).status).toBe(400);
    }
    expect((await api.dev('POST', '/keys', { expiresAt: 'tomorrow' })).status).toBe(400);
    const viewer = await tokenOf(api, 'viewer');
    expect((await api.dev('POST', '/keys', {}, viewer)).status).toBe(403);
  });
});

describe('admin API: segments', () => {
  it('saves, shows and deletes them byte for byte', async () => {
    const api = await startApi();
    const when = '{"level": {"$gte": 1.0e1}}';
    await api.dev('PUT', '/sample-users/ada', { p: { level: 1 } });
    const made = await api.dev(
      'PUT',
      '/segments/whales%20%2F%20us',
      `{"when":${when},"description":"d"}`,
    );
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'whales / us',
      description: 'd',
      usedBy: [],
      warnings: [],
    });
    expect(made.text).toContain(`"when":${when}`);
    expect(await changesAfter(api.store, made.body.sequence - 1)).toEqual([
      { kind: 'segment', environment: 'dev', name: 'whales / us', when, candidate: null },
    ]);
    const edited = await api.dev('PUT', '/segments/whales%20%2F%20us', { when: {} });
    expect(edited.status).toBe(200);
    expect(edited.body.description).toBe('d');
    expect((await api.dev('GET', '/segments')).body.segments).toHaveLength(1);
    expect((await api.dev('DELETE', '/segments/whales%20%2F%20us')).status).toBe(200);
    expect((await api.dev('GET', '/segments/whales%20%2F%20us')).status).toBe(404);
    expect((await api.dev('DELETE', '/segments/whales%20%2F%20us')).body.code).toBe(
      'segment_not_found',
    );
  });

  it('refuses a faulty condition with its place', async () => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/segments/s', { when: { a: { $nope: 1 } } });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'invalid_segment' });
    expect(refused.body.errors[0].path).toMatch(/^when/);
    expect((await api.dev('PUT', '/segments/s', { when: [] })).status).toBe(400);
    expect((await api.dev('PUT', '/segments/s', {})).status).toBe(400);
  });

  it('keeps a segment that a live or a newest revision uses', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/s', { when: {} });
    const mapping = [{ segment: 's', merge: { a: 1 } }];
    await api.dev('PUT', '/contents/Shop', { text: '{}', mapping });
    const inUse = await api.dev('DELETE', '/segments/s');
    expect(inUse.status).toBe(409);
    expect(inUse.body.detail).toContain('Shop');
    expect((await api.dev('GET', '/segments/s')).body.usedBy).toEqual(['Shop']);
    await api.dev('PUT', '/contents/shop', { mapping: [], publish: false });
    expect((await api.dev('DELETE', '/segments/s')).status).toBe(409);
    await api.dev('POST', '/contents/shop/publish', {});
    expect((await api.dev('DELETE', '/segments/s')).status).toBe(200);
  });
});

describe('admin API: requests that fit nowhere', () => {
  it('answers 404 and 405 as problem details', async () => {
    const api = await startApi();
    const unknown = await api.call('GET', '/admin/v1/nothing');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
    const wrong = await api.dev('POST', '/contents/shop', { text: '1' }, null);
    expect([wrong.status, wrong.body.code]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
    expect((await api.call('GET', '/admin/v1/environments/%zz')).body.code).toBe('invalid_request');
  });

  it.each([
    ['not JSON', '{"text":', 'invalid_request'],
    ['empty', '', 'invalid_body'],
    ['no object', '[]', 'invalid_body'],
  ])('refuses a body that is %s', async (_what, body, code) => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect([refused.status, refused.body.code]).toEqual([400, code]);
  });

  it('refuses other media types, bytes that are not UTF-8, and bodies that are too large', async () => {
    const api = await startApi({ textBytesMax: 1_000 });
    const url = `${api.url}/admin/v1/environments/dev/contents/shop`;
    const authorization = 'Bearer owner-token-of-the-tests';
    const put = (body: string | Uint8Array, type: string): Promise<Response> =>
      fetch(url, { method: 'PUT', body, headers: { authorization, 'content-type': type } });
    for (const [body, type] of [
      ['text=1', 'text/plain'],
      ['{"text":"1"}\n', 'application/x-ndjson'],
    ] as const) {
      expect(await (await put(body, type)).json()).toMatchObject({
        ...{ status: 415, code: 'invalid_content_type' },
        detail: 'The body must be sent as application/json.',
      });
    }
    expect((await put(new Uint8Array([0x22, 0xff, 0x22]), 'application/json')).status).toBe(400);
    const large = await put(' '.repeat(8 * 1024 * 1024), 'application/json');
    expect([large.status, await large.json()]).toMatchObject([413, { code: 'body_too_large' }]);
  });

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['a head of 100 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ])('answers %s as problem details', async (_what, sent, status) => {
    const api = await startApi();
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(sent);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain(`"status":${status}`);
  });

  it('says that a change is saved when a listener does not confirm it', async () => {
    const api = await startApi();
    api.failPublish = true;
    const late = await api.dev('PUT', '/contents/shop', { text: '1' });
    expect([late.status, late.body.code]).toEqual([503, 'not_published']);
    expect(late.text).not.toContain('hangs');
    api.failPublish = false;
    expect((await api.dev('PUT', '/contents/shop', { text: '1' })).body).toMatchObject({
      revision: 1,
    });
  });

  it('tells nothing of its inside when it fails', async () => {
    const api = await startApi();
    await api.store.close();
    const failed = await api.call('GET', '/admin/v1/environments');
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal',
      detail: 'The server failed; its log says more.',
    });
  });
});

describe('admin API: for those who watch', () => {
  it('returns health, readiness, metrics, figures and its own description without a token', async () => {
    const api = await startApi();
    expect((await api.call('GET', '/healthz', undefined, null)).body).toEqual({ status: 'ok' });
    expect((await api.call('GET', '/readyz', undefined, null)).body).toEqual({ ready: true });
    const metrics = await api.call('GET', '/metrics', undefined, null);
    expect(metrics.text).toBe('loadout_listeners 1\n');
    expect(metrics.headers.get('content-type')).toContain('version=0.0.4');
    expect((await api.call('GET', '/metrics.json', undefined, null)).body).toEqual(figures);
    const { body } = await api.call('GET', '/openapi.json', undefined, null);
    expect(Object.keys(body.paths)).toContain('/admin/v1/environments/{env}/contents/{id}');
    expect(Object.keys(body.paths['/healthz'])).toEqual(['get']);
  });
});

describe('members of a body as they were sent', () => {
  it.each([
    ['{}', {}],
    ['{"a":1}', { a: '1' }],
    [' { "a" : [ 1 , {"b":"],}"} ] , "c":"\\"}" } ', { a: '[ 1 , {"b":"],}"} ]', c: '"\\"}"' }],
    ['{"a":1,"\\u0061":2}', { a: '2' }],
    ['{"a":-1.50e+3,"b":true,"c":null}', { a: '-1.50e+3', b: 'true', c: 'null' }],
    ['{"":{"x":[]}}', { '': '{"x":[]}' }],
  ])('cuts %s', (text, expected) => {
    const members = [...rawMembers(Buffer.from(text))];
    const cut = members.map(([name, value]) => [name, Buffer.from(value).toString()]);
    expect(Object.fromEntries(cut)).toEqual(expected);
  });
});
