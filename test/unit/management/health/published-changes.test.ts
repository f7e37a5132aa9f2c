import { describe, expect, it } from 'vitest';
import type { PublishedChange } from '../../../../src/contract/operations/health/changes.js';
import { type Harness, openStore, startApi, startMs } from '../harness.js';

async function changes(api: Harness, token?: string): Promise<PublishedChange[]> {
  const { body } = await api.call('GET', '/admin/v1/health/changes', undefined, token);
  return body.changes;
}

const shown = (all: readonly PublishedChange[]) => all.map(({ action, name }) => [action, name]);

describe('what reached players in the last hour', () => {
  it('has publishes and rollbacks, and no drafts', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', publish: false });
    await api.dev('PUT', '/contents/banner', { text: '1' });
    await api.dev('POST', '/contents/shop/publish', {});
    await api.dev('PUT', '/contents/shop', { text: '2' });
    await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    await api.dev('PUT', '/sample-users/ada', { context: {} });
    expect(shown(await changes(api))).toEqual([
      ['content.put', 'banner'],
      ['content.publish', 'shop'],
      ['content.put', 'shop'],
      ['content.rollback', 'shop'],
    ]);
    const [first] = await changes(api);
    expect(first).toMatchObject({ environment: 'dev', title: 'banner', by: 'owner' });
  });

  it('is of the environments that the user may see', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.call('PUT', '/admin/v1/environments/other/contents/plan', { text: '1' });
    const some = { name: 'vera', role: 'viewer', environments: ['dev'] };
    const made = await api.call('POST', '/admin/v1/users', some);
    expect(shown(await changes(api, made.body.token))).toEqual([['content.put', 'shop']]);
    expect(shown(await changes(api))).toEqual([
      ['content.put', 'shop'],
      ['content.put', 'plan'],
    ]);
  });

  it('ends an hour ago', async () => {
    const clock = { nowMs: startMs - 3_700_000 };
    const store = await openStore(undefined, () => clock.nowMs);
    const api = await startApi({}, { store });
    await api.dev('PUT', '/contents/old', { text: '1' });
    clock.nowMs = startMs - 3_500_000;
    await api.dev('PUT', '/contents/new', { text: '1' });
    expect(shown(await changes(api))).toEqual([['content.put', 'new']]);
  });
});
