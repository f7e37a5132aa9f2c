/** What the edits of the admin API tell webhooks, read from the messages that wait. */
import { describe, expect, it } from 'vitest';
import { messageData } from '../../../../src/contract/schemas/webhook-messages.js';
import { eventIdsMax } from '../../../../src/management/limits/webhooks.js';
import { type Harness, startApi, tester } from '../harness.js';

interface Told {
  readonly type: keyof typeof messageData;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** A server with a webhook that hears everything, and what it has been told: each as OpenAPI describes it. */
async function listening(): Promise<{ api: Harness; told: () => Promise<Told[]> }> {
  const api = await startApi();
  const made = await api.call('POST', '/admin/v1/webhooks', { url: 'https://example.com/' });
  const told = async (): Promise<Told[]> => {
    const rows = await api.store.read((db) =>
      db
        .selectFrom('webhookDeliveries')
        .select('payload')
        .where('webhookId', '=', made.body.id)
        .orderBy('id')
        .execute(),
    );
    const messages = rows.map(({ payload }) => JSON.parse(payload) as Told);
    for (const { type, data } of messages) messageData[type].strict().parse(data);
    return messages;
  };
  return { api, told };
}

const put = (api: Harness, id: string, text: string, more: object = {}) =>
  api.dev('PUT', `/contents/${id}`, { text, ...more });

describe('webhooks are told', () => {
  it('of a published content: its revision, the hash that the catalog shows, and the sequence', async () => {
    const { api, told } = await listening();
    const saved = await put(api, 'Shop', '{"n":1}');
    expect(await told()).toEqual([
      {
        type: 'content.published',
        timestamp: '2026-01-01T00:00:00.000Z',
        data: {
          environment: 'dev',
          id: 'Shop',
          revision: 1,
          hash: saved.body.hash,
          action: 'content.put',
          sequence: saved.body.sequence,
          by: 'owner',
        },
      },
    ]);
  });

  it('of the hash of the highest line, whichever line was edited', async () => {
    const { api, told } = await listening();
    const high = await put(api, 'shop', '2', { appVersion: '2.0.0' });
    await put(api, 'shop', '1', { appVersion: '1.0.0' });
    expect((await told()).map(({ data }) => data['hash'])).toEqual([
      high.body.hash,
      high.body.hash,
    ]);
  });

  it('of publish, rollback and deletion, but not of drafts nor of what changes nothing', async () => {
    const { api, told } = await listening();
    await put(api, 'shop', '1');
    await put(api, 'shop', '1');
    await put(api, 'shop', '2', { publish: false });
    await api.dev('POST', '/contents/shop/publish', {});
    await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    await api.dev('DELETE', '/contents/shop');
    await api.dev('POST', '/contents/shop/restore', {});
    await put(api, 'bad', '{');
    const heard = (await told()).map(
      ({ type, data }) => `${type} ${data['action']} ${data['revision']}`,
    );
    expect(heard).toEqual([
      'content.published content.put 1',
      'content.published content.publish 2',
      'content.published content.rollback 3',
      'content.deleted content.delete undefined',
      'content.published content.restore 3',
    ]);
  });

  it('of keys made and revoked, never of their text', async () => {
    const { api, told } = await listening();
    const made = await api.dev('POST', '/keys', { label: 'ios' });
    await api.dev('DELETE', `/keys/${made.body.id}`);
    await api.dev('DELETE', `/keys/${made.body.id}`);
    const events = await told();
    expect(events.map(({ type }) => type)).toEqual(['key.created', 'key.revoked']);
    const { id, prefix } = made.body;
    for (const { data } of events) {
      expect(data).toMatchObject({ environment: 'dev', id, prefix, label: 'ios', by: 'owner' });
    }
    expect(JSON.stringify(events)).not.toContain(made.body.key);
  });

  it('of saved segments', async () => {
    const { api, told } = await listening();
    await api.dev('PUT', '/segments/whales', { when: { level: 1 } });
    await api.dev('DELETE', '/segments/whales');
    expect((await told()).map(({ type, data }) => [type, data['name']])).toEqual([
      ['segment.changed', 'whales'],
      ['segment.deleted', 'whales'],
    ]);
  });

  it('of a sync once, with everything that it brought', async () => {
    const { api, told } = await listening();
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    await api.dev('PUT', '/segments/whales', { when: { level: 1 } });
    const mapping = [{ segment: 'whales', merge: { n: 2 } }];
    await put(api, 'Shop', '{"n":1}', { mapping });
    await put(api, 'levels', '[]');
    const before = (await told()).length;
    const synced = await api.call('POST', '/admin/v1/environments/live/sync', { from: 'dev' });
    expect(synced.status).toBe(200);
    const events = (await told()).slice(before);
    expect(events.map(({ type }) => type)).toEqual(['environment.synced']);
    expect(events[0]?.data).toEqual({
      environment: 'live',
      from: 'dev',
      contents: 2,
      published: expect.arrayContaining(['Shop', 'levels']),
      deleted: [],
      segments: ['whales'],
      cut: false,
      sequence: synced.body.sequence,
      by: 'owner',
    });
    await api.call('POST', '/admin/v1/environments/live/sync', { from: 'dev' });
    expect(await told()).toHaveLength(before + 1);
  });

  it('of an import once, with the names of the first contents where there are many', async () => {
    const { api, told } = await listening();
    await put(api, 'shop', '1');
    const before = (await told()).length;
    await api.store.write(tester, async (write) => {
      for (let n = 0; n < eventIdsMax + 10; n++) write.markChanged('content', 'dev', 'shop');
      for (let n = 0; n < eventIdsMax + 10; n++) write.markChanged('content', 'dev', `gone-${n}`);
      await write.audit('environment.import', 'dev', 'dev');
    });
    const [event, ...others] = (await told()).slice(before);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'environment.imported',
      data: { contents: eventIdsMax + 11, published: ['shop'], cut: true, by: 'tess' },
    });
  });

  it('of a deleted environment', async () => {
    const { api, told } = await listening();
    await put(api, 'shop', '1');
    await api.call('DELETE', '/admin/v1/environments/dev');
    expect((await told()).at(-1)).toMatchObject({
      type: 'environment.deleted',
      data: { environment: 'dev' },
    });
  });

  it('nothing of what concerns neither contents nor keys, nor of webhooks themselves', async () => {
    const { api, told } = await listening();
    await api.call('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    await api.call('PATCH', '/admin/v1/environments/dev', { name: 'Development' });
    await api.call('POST', '/admin/v1/webhooks', { url: 'https://example.com/' });
    expect(await told()).toEqual([]);
  });
});
