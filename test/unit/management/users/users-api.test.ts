import { describe, expect, it } from 'vitest';
import { tokensPerUserMax } from '../../../../src/contract/limits.js';
import { findTokenMaker, listUserOrigins } from '../../../../src/management/store/users/origins.js';
import { type Answer, type Harness, ownerToken, startApi, startMs } from '../harness.js';

const users = '/admin/v1/users';

interface Made {
  readonly id: string;
  readonly token: string;
  readonly path: string;
}

async function makeUser(api: Harness, wish: Readonly<Record<string, unknown>>): Promise<Made> {
  const { status, body } = await api.call('POST', users, { name: 'eve', role: 'editor', ...wish });
  expect(status).toBe(201);
  return { id: body.id, token: body.token, path: `${users}/${body.id}` };
}

function me(api: Harness, token: string): Promise<Answer> {
  return api.call('GET', '/admin/v1/me', undefined, token);
}

describe('users', () => {
  it('are made with a role for all environments, or for some', async () => {
    const api = await startApi();
    const everywhere = await api.call('POST', users, { name: 'ann', role: 'viewer' });
    expect(everywhere.body).toMatchObject({ name: 'ann', role: 'viewer', environments: null });
    const somewhere = await api.call('POST', users, {
      name: 'bob',
      role: 'editor',
      environments: ['dev', 'dev'],
    });
    expect(somewhere.body.environments).toEqual(['dev']);
    expect((await api.call('GET', `${users}/${somewhere.body.id}`)).body).toEqual({
      id: somewhere.body.id,
      name: 'bob',
      role: 'editor',
      environments: ['dev'],
      service: false,
      origin: 'local',
      createdAt: new Date(startMs).toISOString(),
    });
    const listed = await api.call('GET', users);
    expect(listed.body.users.map((user: { name: string }) => user.name)).toEqual([
      'ann',
      'bob',
      'owner',
    ]);
    expect(listed.text).not.toContain(somewhere.body.token);
  });

  it('are persons, unless they are made or marked as programs', async () => {
    const api = await startApi();
    const ci = await makeUser(api, { name: 'ci', service: true });
    expect((await api.call('GET', ci.path)).body.service).toBe(true);
    const person = await api.call('PATCH', ci.path, { service: false });
    expect(person.body).toMatchObject({ name: 'ci', role: 'editor', service: false });
    expect((await me(api, ci.token)).body.service).toBe(false);
    const events = (await api.call('GET', '/admin/v1/audit?action=user')).body.events;
    expect(events.slice(0, 2).map((event: { details: object }) => event.details)).toMatchObject([
      { before: { service: true }, after: { role: 'editor' } },
      { before: null, after: { service: true } },
    ]);
  });

  it('and their tokens are known by who made them, also when they are gone', async () => {
    const api = await startApi();
    const ann = await makeUser(api, { name: 'ann', role: 'owner' });
    const bob = await api.call('POST', users, { name: 'bob', role: 'editor' }, ann.token);
    const ci = await makeUser(api, { name: 'ci', service: true });
    await api.call('PATCH', ci.path, { service: false }, ann.token);
    await api.call('DELETE', `${users}/${bob.body.id}`);
    const { body: token } = await api.call('POST', `${ci.path}/tokens`, {}, ann.token);
    const [origins, maker] = await api.store.read(async (db) => [
      await listUserOrigins(db),
      await findTokenMaker(db, token.id),
    ]);
    const owner = (await api.call('GET', '/admin/v1/me')).body.id;
    const madeBy = Object.fromEntries(origins.map(({ name, madeBy: by }) => [name, by]));
    expect(madeBy).toEqual({ owner: [], ann: [owner], bob: [ann.id], ci: [owner, ann.id] });
    expect(maker).toBe(ann.id);
  });

  it.each([
    [{ name: 'x', role: 'editor', environments: ['nowhere'] }, 'environments'],
    [{ name: 'x', role: 'editor', environments: 'dev' }, 'environments'],
    [{ name: 'x', role: 'admin' }, 'role'],
    [{ name: '', role: 'editor' }, 'name'],
    [{ role: 'editor' }, 'name'],
  ])('are refused as %j', async (body, path) => {
    const api = await startApi();
    const refused = await api.call('POST', users, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
    expect(refused.body.errors[0].path).toBe(path);
    expect((await api.call('GET', users)).body.users).toHaveLength(1);
  });

  it('get another role, and other environments, from their next request on', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    const edited = await api.call('PATCH', eve.path, { role: 'viewer' });
    expect(edited.body).toMatchObject({ role: 'viewer', environments: null });
    expect((await api.dev('POST', '/keys', {}, eve.token)).body.code).toBe('forbidden');
    await api.call('PATCH', eve.path, { environments: ['dev'] });
    expect((await me(api, eve.token)).body).toMatchObject({
      role: 'viewer',
      environments: ['dev'],
    });
    const freed = await api.call('PATCH', eve.path, { environments: null, role: 'owner' });
    expect(freed.body).toMatchObject({ role: 'owner', environments: null });
    expect((await api.call('GET', users, undefined, eve.token)).status).toBe(200);
  });

  it('are not edited into what cannot be', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    for (const edit of [{ environments: ['nowhere'] }, { role: 'god' }, { name: 'eva' }]) {
      expect((await api.call('PATCH', eve.path, edit)).body.code).toBe('invalid_body');
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined;
      const unknown = await api.call(method, `${users}/user_0`, body);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'user_not_found']);
    }
  });

  it('lose an environment from their list when it is deleted, and do not get it back by its name', async () => {
    const api = await startApi();
    const eve = await makeUser(api, { environments: ['dev'] });
    await api.dev('DELETE', '');
    expect((await me(api, eve.token)).body.environments).toEqual([]);
    await api.call('POST', '/admin/v1/environments', { id: 'dev' });
    expect((await api.dev('GET', '', undefined, eve.token)).status).toBe(404);
  });
});

describe('the last owner', () => {
  it('is neither removed nor demoted nor confined', async () => {
    const api = await startApi();
    const { body } = await me(api, ownerToken);
    const path = `${users}/${body.id}`;
    // An owner of some environments cannot make others, so one does not count.
    await makeUser(api, { role: 'owner', environments: ['dev'] });
    for (const [method, edit] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'editor' }],
      ['PATCH', { environments: ['dev'] }],
    ] as const) {
      const refused = await api.call(method, path, edit);
      expect([refused.status, refused.body.code]).toEqual([409, 'last_owner']);
    }
    expect((await api.call('PATCH', path, { role: 'owner' })).status).toBe(200);
  });

  it('may go when another one can sign in, and only then', async () => {
    const api = await startApi();
    const { body } = await me(api, ownerToken);
    const other = await makeUser(api, { role: 'owner' });
    const tokens = await api.call('GET', `${other.path}/tokens`);
    const [token] = tokens.body.tokens;
    await api.call('DELETE', `${other.path}/tokens/${token.id}`);
    expect((await api.call('DELETE', `${users}/${body.id}`)).body.code).toBe('last_owner');
    const again = await api.call('POST', `${other.path}/tokens`, {});
    expect((await api.call('DELETE', `${users}/${body.id}`)).status).toBe(200);
    const last = await api.call(
      'DELETE',
      `${other.path}/tokens/${again.body.id}`,
      undefined,
      again.body.token,
    );
    expect([last.status, last.body.code]).toEqual([409, 'last_owner']);
  });
});

describe('tokens', () => {
  it('are several for a user, each shown once and revoked alone', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    const made = await api.call('POST', `${eve.path}/tokens`, { label: 'build server' });
    expect(made.status).toBe(201);
    expect(made.body.token).toMatch(/^lot_[A-Za-z0-9_-]{27}$/);
    expect(made.body.token.startsWith(made.body.prefix)).toBe(true);
    const listed = await api.call('GET', `${eve.path}/tokens`);
    const labels = listed.body.tokens.map((token: { label: string }) => token.label);
    expect(labels.sort()).toEqual(['', 'build server']);
    expect(listed.text).not.toContain(made.body.token);
    expect((await me(api, made.body.token)).body).toMatchObject({
      name: 'eve',
      role: 'editor',
      token: { id: made.body.id, label: 'build server', prefix: made.body.prefix, source: 'made' },
    });
    const revoked = await api.call('DELETE', `${eve.path}/tokens/${made.body.id}`);
    expect(revoked.body).toMatchObject({ id: made.body.id, label: 'build server' });
    expect((await me(api, made.body.token)).status).toBe(401);
    expect((await me(api, eve.token)).status).toBe(200);
    expect((await api.call('GET', `${eve.path}/tokens`)).body.tokens).toHaveLength(1);
  });

  it('of nobody, and of somebody else, are not found', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    const bob = await makeUser(api, { name: 'bob' });
    const [ofEve] = (await api.call('GET', `${eve.path}/tokens`)).body.tokens;
    const wrong = await api.call('DELETE', `${bob.path}/tokens/${ofEve.id}`);
    expect([wrong.status, wrong.body.code]).toEqual([404, 'token_not_found']);
    for (const [method, path] of [
      ['GET', '/tokens'],
      ['POST', '/tokens'],
      ['DELETE', '/tokens/token_0'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const unknown = await api.call(method, `${users}/user_0${path}`, body);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'user_not_found']);
    }
    expect((await me(api, eve.token)).status).toBe(200);
  });

  it('of LOADOUT_ADMIN_TOKEN are changed where they come from', async () => {
    const api = await startApi();
    const { body } = await me(api, ownerToken);
    expect(body.token.source).toBe('environment');
    await api.call('POST', `${users}/${body.id}/tokens`, {});
    const refused = await api.call('DELETE', `${users}/${body.id}/tokens/${body.token.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'token_given']);
  });

  it('are bounded in number', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    for (let count = 1; count < tokensPerUserMax; count += 1) {
      expect((await api.call('POST', `${eve.path}/tokens`, {})).status).toBe(201);
    }
    const refused = await api.call('POST', `${eve.path}/tokens`, {});
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
  });

  it('refuse a label that is too long, and members they do not know', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    for (const body of [{ label: 'x'.repeat(129) }, { label: 1 }, { scope: 'all' }]) {
      expect((await api.call('POST', `${eve.path}/tokens`, body)).body.code).toBe('invalid_body');
    }
  });
});

describe('the audit of users and tokens', () => {
  it('has what was and what is, and no secret', async () => {
    const api = await startApi();
    const eve = await makeUser(api, {});
    await api.call('PATCH', eve.path, { role: 'owner', environments: ['dev'] });
    await api.call('PATCH', eve.path, { role: 'owner' });
    const made = await api.call('POST', `${eve.path}/tokens`, { label: 'ci' });
    await api.call('DELETE', `${eve.path}/tokens/${made.body.id}`);
    await api.call('DELETE', eve.path);
    const { body, text } = await api.call('GET', '/admin/v1/audit?limit=6');
    expect(body.events.reverse()).toMatchObject([
      {
        action: 'user.create',
        name: eve.id,
        details: { name: 'eve', after: { role: 'editor', environments: null } },
      },
      { action: 'token.create', details: { userName: 'eve', label: '' } },
      {
        action: 'user.update',
        details: {
          before: { role: 'editor', environments: null },
          after: { role: 'owner', environments: ['dev'] },
        },
      },
      { action: 'token.create', name: made.body.id, details: { user: eve.id, label: 'ci' } },
      { action: 'token.revoke', name: made.body.id },
      { action: 'user.delete', details: { before: { role: 'owner', environments: ['dev'] } } },
    ]);
    expect(text).not.toContain(eve.token);
    expect(text).not.toContain(made.body.token);
  });
});
