import { describe, expect, it } from 'vitest';
import { keysMax } from '../../../../src/contract/limits.js';
import { insertKey } from '../../../../src/management/keys/rows.js';
import { changesAfter, startApi, tester } from '../harness.js';

const expiresAt = '2027-01-01T00:00:00.000Z';

describe('editing a key', () => {
  it('changes what is given, leaves the rest, and tells delivery', async () => {
    const api = await startApi();
    const { id } = (await api.dev('POST', '/keys', { label: 'ios', expiresAt })).body;
    const labelled = await api.dev('PATCH', `/keys/${id}`, { label: 'android' });
    expect(labelled.body).toMatchObject({ id, label: 'android', expiresAt });
    const endless = await api.dev('PATCH', `/keys/${id}`, { expiresAt: null });
    expect(endless.body).toMatchObject({ label: 'android', expiresAt: null });
    expect(await changesAfter(api.store, labelled.body.sequence)).toMatchObject([
      { kind: 'key', expiresAtMs: null },
    ]);
    expect(api.published).toContain(endless.body.sequence);
  });

  it('into what it is already leaves no trace', async () => {
    const api = await startApi();
    const made = (await api.dev('POST', '/keys', { label: 'ios', expiresAt })).body;
    const events = (await api.call('GET', '/admin/v1/audit')).text;
    for (const edit of [{}, { label: 'ios' }, { expiresAt: '2027-01-01T01:00:00+01:00' }]) {
      const same = await api.dev('PATCH', `/keys/${made.id}`, edit);
      expect([same.status, same.body.sequence]).toEqual([200, made.sequence]);
    }
    expect((await api.call('GET', '/admin/v1/audit')).text).toBe(events);
  });

  it.each([
    { label: 1 },
    { label: 'x'.repeat(129) },
    { expiresAt: 'soon' },
    { key: 'x'.repeat(30) },
  ])('refuses %j', async (edit) => {
    const api = await startApi();
    const { id } = (await api.dev('POST', '/keys', {})).body;
    const refused = await api.dev('PATCH', `/keys/${id}`, edit);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
  });

  it('is refused for a revoked one, and for one of another environment', async () => {
    const api = await startApi();
    const { id } = (await api.dev('POST', '/keys', {})).body;
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    const path = `/admin/v1/environments/other/keys/${id}`;
    for (const [method, body] of [
      ['PATCH', { label: 'mine' }],
      ['DELETE', undefined],
    ] as const) {
      const elsewhere = await api.call(method, path, body);
      expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'key_not_found']);
    }
    await api.dev('DELETE', `/keys/${id}`);
    const revoked = await api.dev('PATCH', `/keys/${id}`, { label: 'late' });
    expect([revoked.status, revoked.body.code]).toEqual([409, 'key_revoked']);
  });
});

describe('the keys of an environment', () => {
  it('are bounded in number, those of another apart', async () => {
    const api = await startApi();
    await api.store.write(tester, async (write) => {
      for (let count = 0; count < keysMax; count += 1) {
        await insertKey(write, 'dev', { label: '', expiresAtMs: null });
      }
    });
    const refused = await api.dev('POST', '/keys', {});
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached']);
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    expect((await api.call('POST', '/admin/v1/environments/other/keys', {})).status).toBe(201);
  }, 120_000);
});

describe('a key for events', () => {
  it('stays one through edits and its end, for people, delivery and the audit', async () => {
    const api = await startApi();
    const made = (await api.dev('POST', '/keys', { purpose: 'events', label: 'shop' })).body;
    expect(made).toMatchObject({ purpose: 'events', label: 'shop' });
    expect(await changesAfter(api.store, made.sequence - 1)).toMatchObject([
      { kind: 'key', purpose: 'events' },
    ]);
    const edited = (await api.dev('PATCH', `/keys/${made.id}`, { label: 'payments' })).body;
    expect(edited).toMatchObject({ purpose: 'events', label: 'payments' });
    expect(await changesAfter(api.store, edited.sequence - 1)).toMatchObject([
      { kind: 'key', purpose: 'events' },
    ]);
    expect((await api.dev('DELETE', `/keys/${made.id}`)).body).toMatchObject({ purpose: 'events' });
    expect((await api.dev('GET', '/keys')).body.keys).toMatchObject([{ purpose: 'events' }]);
    const { text } = await api.call('GET', '/admin/v1/audit');
    expect(text.match(/"purpose":"events"/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('is none of another purpose, and a key without one is for games', async () => {
    const api = await startApi();
    const refused = await api.dev('POST', '/keys', { purpose: 'admin' });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
    expect((await api.dev('POST', '/keys', {})).body).toMatchObject({ purpose: 'game' });
  });
});
