import { describe, expect, it } from 'vitest';
import { startApi, tokenOf } from '../harness.js';

const names = (body: { sampleUsers: readonly { name: string }[] }): string[] =>
  body.sampleUsers.map(({ name }) => name);

describe('sample users', () => {
  it('are saved, replaced, listed by name and removed', async () => {
    const api = await startApi();
    expect((await api.dev('GET', '/sample-users')).body).toEqual({ limit: 100, sampleUsers: [] });
    const context = { u: 'ada', p: { level: 3 }, v: '1.4.0' };
    const made = await api.dev('PUT', '/sample-users/New%20player', context);
    expect([made.status, made.body]).toEqual([
      201,
      {
        name: 'New player',
        createdAt: made.body.updatedAt,
        updatedAt: expect.any(String),
        context,
      },
    ]);
    await api.dev('PUT', '/sample-users/Anybody', {});
    const saved = await api.dev('PUT', '/sample-users/New%20player', { u: 'ada', v: null });
    expect([saved.status, saved.body.context]).toEqual([200, { u: 'ada' }]);
    const same = await api.dev('PUT', '/sample-users/New%20player', { u: 'ada', v: '' });
    expect([same.status, same.body.context]).toEqual([200, { u: 'ada' }]);
    const { body } = await api.dev('GET', '/sample-users');
    expect(names(body)).toEqual(['Anybody', 'New player']);
    expect(body.sampleUsers[0].context).toEqual({});
    const gone = await api.dev('DELETE', '/sample-users/Anybody');
    expect([gone.status, gone.body]).toEqual([200, { name: 'Anybody' }]);
    expect(names((await api.dev('GET', '/sample-users')).body)).toEqual(['New player']);
  });

  it('keep their attributes byte for byte', async () => {
    const api = await startApi();
    const attributes = '{"id":9007199254740993,"share":1.10,"__proto__":{"a":"\\u0041"}}';
    await api.dev('PUT', '/sample-users/exact', `{ "v": "2.0.0", "p":  ${attributes} , "u": "é" }`);
    const { text } = await api.dev('GET', '/sample-users');
    expect(text).toContain(`"context":{"u":"é","p":${attributes},"v":"2.0.0"}`);
  });

  it('are no concern of delivery: nothing is published, nobody is waited for', async () => {
    const api = await startApi();
    const before = [await api.store.sequence(), api.published.length];
    api.failPublish = true;
    expect((await api.dev('PUT', '/sample-users/one', {})).status).toBe(201);
    expect((await api.dev('DELETE', '/sample-users/one')).status).toBe(200);
    expect([await api.store.sequence(), api.published.length]).toEqual(before);
  });

  it('are audited without what is in them; saving the same again is no event', async () => {
    const api = await startApi();
    for (const u of ['a', 'a', 'secret-player']) await api.dev('PUT', '/sample-users/one', { u });
    await api.dev('DELETE', '/sample-users/one');
    const { body, text } = await api.call('GET', '/admin/v1/audit?action=sample-user');
    const [removed, changed, made] = body.events;
    expect(body.events).toHaveLength(3);
    expect(made).toMatchObject({ action: 'sample-user.put', environment: 'dev', name: 'one' });
    expect(made.details).toEqual({ before: null, after: { bytes: 9 } });
    expect(changed.details).toEqual({ before: { bytes: 9 }, after: { bytes: 21 } });
    expect(removed).toMatchObject({ action: 'sample-user.delete', details: { after: null } });
    expect(text).not.toContain('secret-player');
  });

  it('go with their environment', async () => {
    const api = await startApi();
    await api.dev('PUT', '/sample-users/one', {});
    await api.call('DELETE', '/admin/v1/environments/dev', { id: 'dev' });
    await api.call('POST', '/admin/v1/environments', { id: 'dev' });
    expect((await api.dev('GET', '/sample-users')).body.sampleUsers).toEqual([]);
  });
});

describe('sample users: refusals', () => {
  it('name what is wrong with a context', async () => {
    const api = await startApi();
    const wrong = [
      [{ u: 7 }, 'u'],
      [{ p: [1] }, 'p'],
      [{ v: '1.2' }, 'v'],
      [{ user: 'ada' }, ''],
    ] as const;
    for (const [body, path] of wrong) {
      const refused = await api.dev('PUT', '/sample-users/one', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
      expect(refused.body.errors[0].path).toBe(path);
    }
    const long = await api.dev('PUT', '/sample-users/one', { p: { text: 'x'.repeat(65_536) } });
    expect([long.status, long.body.code]).toEqual([400, 'invalid_body']);
    expect(long.body.errors[0].message).toContain('the limit is 65536');
    const control = await api.dev('PUT', '/sample-users/a%00b', {});
    expect(control.body.code).toBe('invalid_request');
  });

  it('allow a hundred of an environment, which can still be replaced', async () => {
    const api = await startApi();
    for (let n = 0; n < 100; n++) await api.dev('PUT', `/sample-users/user-${n}`, {});
    const refused = await api.dev('PUT', '/sample-users/one-more', {});
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    expect((await api.dev('PUT', '/sample-users/user-7', { u: 'x' })).status).toBe(200);
  });

  it('say what there is not', async () => {
    const api = await startApi();
    const refused = await api.dev('DELETE', '/sample-users/nobody');
    expect([refused.status, refused.body.code]).toEqual([404, 'sample_user_not_found']);
    const elsewhere = '/admin/v1/environments/nowhere/sample-users';
    for (const answer of [
      await api.call('GET', elsewhere),
      await api.call('PUT', `${elsewhere}/one`, {}),
      await api.call('DELETE', `${elsewhere}/one`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'environment_not_found']);
    }
  });

  it('leave writing to editors, and in a protected environment to owners', async () => {
    const api = await startApi();
    const [viewer, editor] = [await tokenOf(api, 'viewer'), await tokenOf(api, 'editor')];
    expect((await api.dev('PUT', '/sample-users/one', {}, viewer)).status).toBe(403);
    expect((await api.dev('PUT', '/sample-users/one', {}, editor)).status).toBe(201);
    expect((await api.dev('GET', '/sample-users', undefined, viewer)).status).toBe(200);
    expect((await api.dev('DELETE', '/sample-users/one', undefined, viewer)).status).toBe(403);
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: true });
    expect((await api.dev('PUT', '/sample-users/one', {}, editor)).status).toBe(403);
    expect((await api.dev('DELETE', '/sample-users/one', undefined, editor)).status).toBe(403);
    expect((await api.dev('DELETE', '/sample-users/one')).status).toBe(200);
  });
});
