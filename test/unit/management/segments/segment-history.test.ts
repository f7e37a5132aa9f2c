/**
 * Goal: the conditions that a segment has had are kept as revisions, can be compared and rolled back, and come with a sync
 * or an import. Method: edits over the API.
 */
import { describe, expect, it } from 'vitest';
import { type Harness, startApi, startMs, tokenOf } from '../harness.js';

const at = new Date(startMs).toISOString();

async function startVip(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/segments/vip', { when: { spent: 1 }, note: 'first' });
  await api.dev('PUT', '/contents/shop', {
    text: '{"price":2}',
    mapping: [{ segment: 'vip', merge: { price: 1 } }],
  });
  const editor = await tokenOf(api, 'editor');
  await api.dev('PUT', '/segments/vip', { when: { spent: 1, level: 2 }, note: 'second' }, editor);
  return api;
}

describe('the history of a segment', () => {
  it('lists its revisions, newest first, page by page, and shows each with its condition', async () => {
    const api = await startVip();
    const listed = await api.dev('GET', '/segments/vip/revisions');
    const second = {
      ...{ revision: 2, current: true, author: 'the editor', note: 'second' },
      ...{ createdAt: at, synced: null },
    };
    const first = { ...second, revision: 1, current: false, author: 'owner', note: 'first' };
    expect(listed.body.name).toBe('vip');
    expect(listed.body.revisions).toEqual([second, first]);
    const page = (path: string) => api.dev('GET', `/segments/vip/revisions?${path}`);
    expect((await page('limit=1')).body.revisions).toMatchObject([{ revision: 2 }]);
    expect((await page('before=2')).body.revisions).toMatchObject([{ revision: 1 }]);
    const shown = await api.dev('GET', '/segments/vip/revisions/1');
    expect(shown.body).toMatchObject({ name: 'vip', revision: 1, when: { spent: 1 } });
    expect((await api.dev('GET', '/segments/vip')).body.revision).toBe(2);
  });

  it('has no revision for a save that changes nothing, or only the description', async () => {
    const api = await startVip();
    await api.dev('PUT', '/segments/vip', { when: { spent: 1, level: 2 } });
    await api.dev('PUT', '/segments/vip', { when: { spent: 1, level: 2 }, description: 'big' });
    expect((await api.dev('GET', '/segments/vip')).body).toMatchObject({
      revision: 2,
      description: 'big',
    });
  });

  it('keeps a condition byte for byte', async () => {
    const api = await startVip();
    const when = '{"n": 1.10, "n": 9007199254740993, "__proto__": {"$in": [1e2]}}';
    await api.dev('PUT', '/segments/vip', `{"when":${when}}`);
    expect((await api.dev('GET', '/segments/vip/revisions/3')).text).toContain(when);
  });

  it('compares two revisions, the newest with the one before it unless others are named', async () => {
    const api = await startVip();
    const { body } = await api.dev('GET', '/segments/vip/diff');
    expect(body).toMatchObject({
      from: { revision: 1 },
      to: { revision: 2, current: true },
      pointers: [{ path: '/level', change: 'added', before: null, after: '2' }],
      pointersCut: false,
    });
    expect(body.text).toContain('+{"spent":1,"level":2}');
    const back = await api.dev('GET', '/segments/vip/diff?from=2&to=1');
    expect(back.body.pointers).toMatchObject([{ path: '/level', change: 'removed' }]);
    expect((await api.dev('GET', '/segments/vip/diff?to=1')).body.from).toBeNull();
  });

  it('is rolled back under a new number, which contents are delivered with at once', async () => {
    const api = await startVip();
    const { hash } = (await api.dev('GET', '/contents/shop/revisions')).body.revisions[0];
    const done = await api.dev('POST', '/segments/vip/rollback', { revision: 1 });
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ revision: 3, when: { spent: 1 }, reaches: ['shop'] });
    const [newest] = (await api.dev('GET', '/segments/vip/revisions')).body.revisions;
    expect(newest).toMatchObject({ revision: 3, note: 'Rolled back to revision 1.' });
    expect((await api.dev('GET', '/contents/shop')).body.hash).not.toBe(hash);
    const [event] = (await api.call('GET', '/admin/v1/audit?action=segment.rollback')).body.events;
    expect(event).toMatchObject({ name: 'vip', details: { after: { revision: 3 } } });
  });

  it('outlives a deletion, which a rollback undoes, and a segment of the same name goes on counting', async () => {
    const api = await startVip();
    await api.dev('DELETE', '/contents/shop');
    await api.dev('DELETE', '/segments/vip');
    const listed = (await api.dev('GET', '/segments/vip/revisions')).body.revisions;
    expect(listed).toMatchObject([
      { revision: 2, current: false },
      { revision: 1, current: false },
    ]);
    expect((await api.dev('GET', '/segments/vip')).status).toBe(404);
    await api.dev('POST', '/segments/vip/rollback', { revision: 2 });
    expect((await api.dev('GET', '/segments/vip')).body).toMatchObject({ revision: 3 });
    await api.dev('DELETE', '/segments/vip');
    await api.dev('PUT', '/segments/vip', { when: {} });
    expect((await api.dev('GET', '/segments/vip')).body).toMatchObject({ revision: 4 });
  });

  it('refuses what is not there, and who may not', async () => {
    const api = await startVip();
    const viewer = await tokenOf(api, 'viewer');
    const roll = (name: string, revision: number, token?: string) =>
      api.dev('POST', `/segments/${name}/rollback`, { revision }, token);
    expect(await roll('vip', 9)).toMatchObject({ body: { code: 'revision_not_found' } });
    expect(await roll('none', 1)).toMatchObject({ body: { code: 'segment_not_found' } });
    expect((await roll('vip', 1, viewer)).status).toBe(403);
    for (const path of ['/revisions', '/revisions/1', '/diff']) {
      const found = await api.dev('GET', `/segments/none${path}`);
      expect(found.body.code).toBe('segment_not_found');
    }
    expect((await api.dev('GET', '/segments/vip/diff?from=7')).body.code).toBe(
      'revision_not_found',
    );
  });

  it('goes on in the other environment with a sync, which says where it came from, and with an import', async () => {
    const api = await startVip();
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const live = '/admin/v1/environments/live';
    await api.call('POST', `${live}/sync`, { from: 'dev' });
    const synced = (await api.call('GET', `${live}/segments/vip/revisions`)).body.revisions;
    expect(synced).toMatchObject([
      { revision: 1, synced: { from: 'dev', revision: 2 }, note: 'Synced from dev, revision 2.' },
    ]);
    expect(synced).toHaveLength(1);
  });

  it('tells a conflict of a sync by the revision, not by the audit, which retention removes', async () => {
    const api = await startVip();
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const live = '/admin/v1/environments/live';
    await api.call('POST', `${live}/sync`, { from: 'dev' });
    await api.dev('PUT', '/segments/vip', { when: { spent: 3 } });
    await api.store.write(
      { userId: '', name: 'system', role: 'owner', address: '' },
      async ({ db }) => db.deleteFrom('audit').execute(),
    );
    const plan = () => api.call('POST', `${live}/sync`, { from: 'dev', dryRun: true });
    expect((await plan()).body.segments).toMatchObject([{ name: 'vip', conflict: false }]);
    await api.call('PUT', `${live}/segments/vip`, { when: { spent: 4 } });
    expect((await plan()).body.segments).toMatchObject([
      { name: 'vip', conflict: true, edited: { author: 'owner', at } },
    ]);
  });
});
