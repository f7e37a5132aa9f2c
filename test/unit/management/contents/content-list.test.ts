import { describe, expect, it } from 'vitest';
import { deletedContentsPerRead } from '../../../../src/management/limits/database.js';
import { deleteContent } from '../../../../src/management/store/contents/contents.js';
import type { Store } from '../../../../src/management/store/store.js';
import { startApi, tester, tokenOf } from '../harness.js';
import { saveRows } from '../store/stored-contents.js';

/** More than are read at a time. */
const many = 1_203;

const idOf = (index: number): string => `content-${String(index).padStart(4, '0')}`;

async function insertMany(store: Store): Promise<void> {
  const contents = Array.from({ length: many }, (_, index) => [idOf(index), ['{}']] as const);
  await store.write(tester, (write) => saveRows(write, new Map(contents)));
}

describe('the list of contents', () => {
  it('names who saved the newest revision, draft or not', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2', publish: false }, editor);
    const { body } = await api.dev('GET', '/contents');
    expect(body.contents).toMatchObject([
      { id: 'shop', live: 1, newest: 2, author: 'the editor', synced: null, deletedBy: null },
    ]);
  });

  it('names the environment that a sync brought the newest revision from', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'staging' });
    const there = '/admin/v1/environments/staging/contents';
    for (const text of ['1', '2']) await api.call('PUT', `${there}/shop`, { text });
    await api.dev('POST', '/sync', { from: 'staging' });
    const shown = async () => (await api.dev('GET', '/contents')).body.contents[0];
    expect(await shown()).toMatchObject({ newest: 1, synced: { from: 'staging', revision: 2 } });
    await api.dev('PUT', '/contents/shop', { text: '3', publish: false });
    expect(await shown()).toMatchObject({ newest: 2, synced: null });
  });

  it('names who deleted what is deleted: by hand, or by an import', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    for (const id of ['Left', 'kept', 'gone'])
      await api.dev('PUT', `/contents/${id}`, { text: '1' });
    await api.dev('DELETE', '/contents/gone', undefined, editor);
    const kept = { kind: 'content', id: 'kept', lines: [{ appVersion: '0.0.0', text: '1' }] };
    const imported = await fetch(`${api.url}/admin/v1/environments/dev/import?mode=replace`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf(api, 'owner')}`,
        'content-type': 'application/x-ndjson',
      },
      body: `${JSON.stringify(kept)}\n{"kind":"end","segments":0,"contents":1}\n`,
    });
    expect(await imported.json()).toMatchObject({
      contents: [{ id: 'Left', change: 'removed' }],
    });
    const { body } = await api.dev('GET', '/contents?deleted=true');
    expect(body.contents).toMatchObject([
      { id: 'gone', deletedBy: 'the editor', deletedAt: expect.any(String) },
      { id: 'Left', deletedBy: 'the owner' },
    ]);
    expect((await api.dev('GET', '/contents')).body.contents).toMatchObject([{ id: 'kept' }]);
  });

  it('says so when the audit no longer knows who deleted it', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('DELETE', '/contents/shop');
    await api.store.write(tester, (write) => write.db.deleteFrom('audit').execute());
    const { body } = await api.dev('GET', '/contents?deleted=true');
    expect(body.contents).toMatchObject([{ id: 'shop', deletedBy: null }]);
  });

  it('is whole where it is read in several steps, and so are its pages', async () => {
    const api = await startApi();
    await insertMany(api.store);
    const idsOf = (body: { contents: readonly { id: string }[] }) =>
      body.contents.map(({ id }) => id);
    const all = Array.from({ length: many }, (_, index) => idOf(index));
    const whole = await api.dev('GET', '/contents');
    expect([idsOf(whole.body), whole.body.next]).toEqual([all, null]);
    const first = await api.dev('GET', '/contents?limit=700');
    expect([idsOf(first.body), first.body.next]).toEqual([all.slice(0, 700), idOf(699)]);
    const second = await api.dev('GET', `/contents?limit=700&after=${first.body.next}`);
    expect([idsOf(second.body), second.body.next]).toEqual([all.slice(700), null]);
    const exact = await api.dev('GET', `/contents?limit=500&after=${idOf(702)}`);
    expect([exact.body.contents.length, exact.body.next]).toEqual([500, idOf(many - 1)]);
    const none = await api.dev('GET', `/contents?after=${exact.body.next}`);
    expect(none.body).toEqual({ next: null, contents: [] });
  });

  it('is whole also of deleted ones, which are read fewer at a time', async () => {
    const api = await startApi();
    const count = 2 * deletedContentsPerRead + 3;
    const all = Array.from({ length: count }, (_, index) => idOf(index));
    await api.store.write(tester, async (write) => {
      await saveRows(write, new Map(all.map((id) => [id, ['{}']])));
      for (const id of all) {
        await deleteContent(write, 'dev', id);
        await write.audit('content.delete', 'dev', id);
      }
    });
    const { body } = await api.dev('GET', '/contents?deleted=true');
    expect(body.contents).toMatchObject(all.map((id) => ({ id, deletedBy: tester.name })));
    const page = await api.dev('GET', `/contents?deleted=true&limit=${deletedContentsPerRead + 1}`);
    expect(page.body.next).toBe(idOf(deletedContentsPerRead));
  });
});
