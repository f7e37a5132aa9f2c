import { describe, expect, it } from 'vitest';
import { changesAfter, type Harness, startApi, startMs, tokenOf } from '../harness.js';

async function startWithLive(): Promise<Harness> {
  const api = await startApi();
  await api.call('POST', '/admin/v1/environments', { id: 'live' });
  return api;
}

const syncPath = '/admin/v1/environments/live/sync';

describe('admin API: sync', () => {
  it('copies live revisions and the saved segments they use, in one number', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/segments/whales', { when: { level: { $gt: 5 } } });
    await api.dev('PUT', '/segments/unused', { when: {} });
    const mapping = [{ segment: 'whales', merge: { a: 2 } }];
    await api.dev('PUT', '/contents/Shop', {
      text: '{"a":1}',
      mapping,
      description: 'd',
      tags: ['t'],
    });
    await api.dev('PUT', '/contents/shop', { text: '{"a":9}', publish: false });
    await api.dev('PUT', '/contents/draft', { text: '1', publish: false });
    const before = await api.store.sequence();
    const synced = await api.call('POST', syncPath, { from: 'dev' });
    expect(synced.status).toBe(200);
    expect(synced.body).toMatchObject({
      added: [
        {
          id: 'Shop',
          fromRevision: 1,
          toRevision: null,
          lines: [{ appVersion: '0.0.0', change: 'added', oldHash: null }],
          mapping: 'added',
          segments: [{ name: 'whales', change: 'added' }],
        },
      ],
      changed: [],
      unchanged: [],
      onlyHere: [],
      segments: [{ name: 'whales', change: 'added' }],
      dryRun: false,
      sequence: before + 1,
    });
    expect(await changesAfter(api.store, before)).toMatchObject([
      { kind: 'segment', name: 'whales' },
      { kind: 'content', id: 'Shop', lines: ['0.0.0 {"a":1}'] },
    ]);
    const copy = await api.call('GET', '/admin/v1/environments/live/contents/shop');
    expect(copy.body).toMatchObject({ description: 'd', tags: ['t'], mapping, revision: 1 });
    expect(copy.body.note).toContain('dev');
    const again = await api.call('POST', syncPath, { from: 'dev' });
    expect(again.body).toMatchObject({ added: [], changed: [], unchanged: ['Shop'] });
    expect(again.body.sequence).toBe(before + 1);
  });

  it('says on a dry run what would change, and changes nothing', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/shop', { text: '{"a":1,"b":[1,2],"gone":0}' });
    await api.call('POST', syncPath, { from: 'dev' });
    await api.dev('PUT', '/contents/shop', { text: '{"a":1,"b":[1,3,4],"n/w":0}' });
    await api.dev('PUT', '/contents/shop', { text: '"two"', appVersion: '2.0.0' });
    await api.call('PUT', '/admin/v1/environments/live/contents/own', { text: '1' });
    const before = await api.store.sequence();
    const preview = await api.call('POST', syncPath, { from: 'dev', dryRun: true });
    expect(preview.body).toMatchObject({
      added: [],
      onlyHere: ['own'],
      dryRun: true,
      sequence: before,
    });
    const [changed] = preview.body.changed;
    expect(changed.lines).toMatchObject([
      {
        appVersion: '0.0.0',
        change: 'changed',
        pointers: [
          { path: '/b/1', change: 'changed' },
          { path: '/b/2', change: 'added' },
          { path: '/gone', change: 'removed' },
          { path: '/n~1w', change: 'added' },
        ],
        pointersCut: false,
      },
      { appVersion: '2.0.0', change: 'added' },
    ]);
    expect(changed).toMatchObject({ fromRevision: 3, toRevision: 1, mapping: 'same' });
    expect(await api.store.sequence()).toBe(before);
  });

  it('shows a change of comments only as equal hashes, and cuts long lists', async () => {
    const api = await startWithLive();
    const numbers = (offset: number): string =>
      JSON.stringify(Array.from({ length: 300 }, (_, index) => index + offset));
    await api.dev('PUT', '/contents/comment', { text: '{"a":1}' });
    await api.dev('PUT', '/contents/long', { text: numbers(0) });
    await api.call('POST', syncPath, { from: 'dev' });
    await api.dev('PUT', '/contents/comment', { text: '{"a":1} // why' });
    await api.dev('PUT', '/contents/long', { text: numbers(1) });
    const { body } = await api.call('POST', syncPath, { from: 'dev', dryRun: true });
    const [comment, long] = body.changed;
    expect(comment.lines[0].oldHash).toBe(comment.lines[0].newHash);
    expect(long.lines[0].pointers).toHaveLength(100);
    expect(long.lines[0].pointersCut).toBe(true);
  });

  it('continues the history of the target, with its spelling', async () => {
    const api = await startWithLive();
    for (const text of ['1', '2', '3']) {
      await api.call('PUT', '/admin/v1/environments/live/contents/SHOP', { text });
    }
    await api.dev('PUT', '/contents/shop', { text: '4' });
    await api.call('POST', syncPath, { from: 'dev', ids: ['sHop'] });
    const history = await api.call('GET', '/admin/v1/environments/live/contents/shop/revisions');
    expect(history.body.id).toBe('SHOP');
    expect(history.body.revisions[0]).toMatchObject({ revision: 4, live: true });
  });

  it('brings back what was deleted in the target', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.call('POST', syncPath, { from: 'dev' });
    await api.call('DELETE', '/admin/v1/environments/live/contents/shop');
    const { body } = await api.call('POST', syncPath, { from: 'dev' });
    expect(body.added).toMatchObject([{ id: 'shop' }]);
    const shown = await api.call('GET', '/admin/v1/environments/live/contents/shop');
    expect(shown.body).toMatchObject({ live: shown.body.newest, deletedAt: null });
  });

  it('does all of it or nothing', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/good', { text: '1' });
    const refused = await api.call('POST', syncPath, { from: 'dev', ids: ['good', 'missing'] });
    expect([refused.status, refused.body.code]).toEqual([404, 'content_not_found']);
    expect(refused.body.detail).toContain('missing');
    expect((await api.call('GET', '/admin/v1/environments/live/contents')).body.contents).toEqual(
      [],
    );
  });

  it('refuses unknown environments, itself, and editors where it is protected', async () => {
    const api = await startWithLive();
    const editor = await tokenOf(api, 'editor');
    expect((await api.call('POST', syncPath, { from: 'nowhere' })).status).toBe(404);
    expect((await api.call('POST', syncPath, { from: 'live' })).status).toBe(400);
    expect((await api.call('POST', '/admin/v1/environments/no/sync', { from: 'dev' })).status).toBe(
      404,
    );
    await api.call('PATCH', '/admin/v1/environments/live', { protected: true });
    expect((await api.call('POST', syncPath, { from: 'dev' }, editor)).status).toBe(403);
    expect((await api.call('POST', syncPath, { from: 'dev', dryRun: true }, editor)).status).toBe(
      200,
    );
  });

  it('carries what is said about a content, and its schema, without a new revision', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.call('POST', syncPath, { from: 'dev' });
    await api.dev('PUT', '/contents/shop', { description: 'd', schema: { type: 'number' } });
    const { body } = await api.call('POST', syncPath, { from: 'dev' });
    expect(body.changed).toMatchObject([
      { id: 'shop', about: ['description', 'schema'], lines: [], conflict: false },
    ]);
    const shown = await api.call('GET', '/admin/v1/environments/live/contents/shop');
    expect(shown.body).toMatchObject({ newest: 1, description: 'd', schema: { type: 'number' } });
  });

  it('tells of edits here that it would cover, and of none that came by itself', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/segments/vip', { when: { a: 1 } });
    const mapping = [{ segment: 'vip', merge: { m: 1 } }];
    await api.dev('PUT', '/contents/shop', { text: '{"a":1}', mapping });
    await api.dev('PUT', '/contents/mail', { text: '1' });
    await api.call('POST', syncPath, { from: 'dev' });
    await api.dev('PUT', '/contents/shop', { text: '{"a":2}' });
    await api.dev('PUT', '/contents/mail', { text: '2' });
    await api.dev('PUT', '/segments/vip', { when: { a: 2 } });
    const clean = await api.call('POST', syncPath, { from: 'dev', dryRun: true });
    expect(clean.body.changed).toMatchObject([{ conflict: false }, { conflict: false }]);
    expect(clean.body.segments).toMatchObject([
      { name: 'vip', change: 'changed', before: '{"a":1}', after: '{"a":2}', conflict: false },
    ]);
    const editor = await tokenOf(api, 'editor');
    const live = '/admin/v1/environments/live';
    await api.call('PUT', `${live}/contents/shop`, { text: '{"a":3}' }, editor);
    await api.call('PUT', `${live}/segments/vip`, { when: { a: 3 } }, editor);
    const { body } = await api.call('POST', syncPath, { from: 'dev', dryRun: true });
    const edited = { author: 'the editor', at: new Date(startMs).toISOString() };
    expect(body.changed).toMatchObject([
      { id: 'mail', conflict: false, edited: null },
      {
        id: 'shop',
        conflict: true,
        edited,
        lines: [{ pointers: [{ path: '/a', before: '3', after: '2' }] }],
      },
    ]);
    expect(body.segments).toMatchObject([{ name: 'vip', conflict: true, edited }]);
    expect(body.changed[1].segments).toEqual([{ name: 'vip', change: 'changed' }]);
  });

  it('says in the history of the target where a revision came from', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2' });
    await api.call('POST', syncPath, { from: 'dev' });
    const [row] = await api.store.read((db) =>
      db.selectFrom('revisions').selectAll().where('environment', '=', 'live').execute(),
    );
    expect(row).toMatchObject({ syncedFrom: 'dev', syncedRevision: 2, number: 1 });
  });

  it('keeps to the dry run that was looked at', async () => {
    const api = await startWithLive();
    const live = '/admin/v1/environments/live';
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/other', { text: '1' });
    const planOf = async (ids?: string[]): Promise<string> =>
      (await api.call('POST', syncPath, { from: 'dev', dryRun: true, ids })).body.plan;
    const syncWith = (plan: string, ids?: string[]) =>
      api.call('POST', syncPath, { from: 'dev', plan, ids });

    const ofSource = await planOf();
    await api.dev('PUT', '/contents/shop', { text: '2' });
    const stale = await syncWith(ofSource);
    expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
    const ofTarget = await planOf();
    await api.call('PUT', `${live}/contents/shop`, { text: '3' });
    expect((await syncWith(ofTarget)).body.code).toBe('plan_stale');
    const ofAll = await planOf();
    expect((await syncWith(ofAll, ['shop'])).body.code).toBe('plan_stale');
    // What the wish does not concern may change.
    const ofOne = await planOf(['shop']);
    await api.dev('PUT', '/contents/other', { text: '9' });
    expect((await syncWith(ofOne, ['shop'])).status).toBe(200);
    expect((await api.call('GET', `${live}/contents`)).body.contents).toHaveLength(1);
  });

  it('takes an owner and a plan where the environment is protected', async () => {
    const api = await startWithLive();
    const [editor, viewer] = [await tokenOf(api, 'editor'), await tokenOf(api, 'viewer')];
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.call('PATCH', '/admin/v1/environments/live', { protected: true });
    expect((await api.call('POST', syncPath, { from: 'dev' }, viewer)).status).toBe(403);
    expect((await api.call('POST', syncPath, { from: 'dev' }, editor)).status).toBe(403);
    const dry = await api.call('POST', syncPath, { from: 'dev', dryRun: true }, editor);
    expect(dry.status).toBe(200);
    const unseen = await api.call('POST', syncPath, { from: 'dev' });
    expect([unseen.status, unseen.body.code]).toEqual([409, 'plan_required']);
    const { plan } = dry.body;
    expect((await api.call('POST', syncPath, { from: 'dev', plan }, editor)).status).toBe(403);
    expect((await api.call('POST', syncPath, { from: 'dev', plan })).status).toBe(200);
  });

  it('shows nothing of environments that the user may not see', async () => {
    const api = await startWithLive();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const made = await api.call('POST', '/admin/v1/users', {
      name: 'of live',
      role: 'editor',
      environments: ['live'],
    });
    const refused = await api.call(
      'POST',
      syncPath,
      { from: 'dev', dryRun: true },
      made.body.token,
    );
    expect([refused.status, refused.body.code]).toEqual([404, 'environment_not_found']);
  });
});
