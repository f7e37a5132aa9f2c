import { describe, expect, it } from 'vitest';
import { changesAfter, type Harness, startApi, startMs, tokenOf } from './harness.js';

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
    expect((await api.call('POST', syncPath, { from: 'dev' })).status).toBe(200);
  });
});

describe('admin API: evaluate', () => {
  it('gives the wrapped answer byte for byte, and why', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/saved', { when: { level: { $gte: 10 } } });
    const at = new Date(startMs).toISOString();
    const mapping = `[
      {"segment":"saved","info":"i1","merge":{"n":1e400}},
      {"segment":"nobody","when":{"level":99},"merge":{"x":1}},
      {"segment":"later","when":{},"from":"2030-01-01T00:00:00Z","merge":{"x":1}},
      {"segment":"test","when":{},"variants":[{"name":"all","groups":[0,999]}]},
      {"segment":"miss","when":{},"patch":[{"op":"test","path":"/n","value":1},{"op":"remove","path":"/n"}]}
    ]`;
    await api.dev(
      'PUT',
      '/contents/shop',
      `{"text":"{\\"n\\": 1.10, \\"big\\": 9007199254740993}"}`,
    );
    const plain = await api.dev('POST', '/evaluate', { id: 'SHOP', u: 'u1' });
    expect(plain.text).toContain('"answer":{"data":{"n":1.10,"big":9007199254740993},"hash":"');
    await api.dev('PUT', '/contents/shop', `{"text":"{\\"n\\": 1}","mapping":${mapping}}`);
    const { text, body } = await api.dev('POST', '/evaluate', {
      id: 'shop',
      u: 'u1',
      p: { level: 12 },
      v: '1.2.3',
      at,
    });
    expect(text).toContain('"answer":{"data":{"n":1e400},"hash":"');
    expect(body).toMatchObject({ id: 'shop', revision: 2, live: 2, line: '0.0.0', at });
    expect(body.answer.meta.seg).toEqual([
      { n: 'saved', v: null, i: 'i1' },
      { n: 'test', v: 'all' },
    ]);
    const verdicts = body.rules.map((rule: { segment: string; applied: boolean }) => [
      rule.segment,
      rule.applied,
    ]);
    expect(verdicts).toEqual([
      ['saved', true],
      ['nobody', false],
      ['later', false],
      ['test', true],
      ['miss', false],
    ]);
    expect(body.rules[2].reason).toContain('2030');
    expect(body.rules[3]).toMatchObject({ variant: 'all', group: body.answer.meta.mod });
    expect(body.rules[4].reason).toContain('could not apply');
    const answer = text.slice(text.indexOf('"answer":') + '"answer":'.length, -1);
    expect(body.sizes).toEqual({
      textBytes: 8,
      jsonBytes: 7,
      dataBytes: 11,
      answerBytes: Buffer.byteLength(answer),
    });
  });

  it('evaluates drafts and old revisions, and callers whom no line admits', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '"one"', appVersion: '1.0.0' });
    await api.dev('PUT', '/contents/shop', { text: '"two"', appVersion: '2.0.0', publish: false });
    const draft = await api.dev('POST', '/evaluate', { id: 'shop', revision: 2 });
    expect(draft.body).toMatchObject({ line: '2.0.0', live: 1, answer: { data: 'two' } });
    const old = await api.dev('POST', '/evaluate', { id: 'shop', v: '0.5.0' });
    expect([old.status, old.body.line, old.body.answer]).toEqual([200, null, null]);
    const unknown = await api.dev('POST', '/evaluate', { id: 'shop', revision: 7 });
    expect(unknown.body.code).toBe('revision_not_found');
    expect((await api.dev('POST', '/evaluate', { id: 'nothing' })).body.code).toBe(
      'content_not_found',
    );
  });

  it.each([
    ['u', { u: 1 }],
    ['p', { p: [] }],
    ['v', { v: '1.2' }],
    ['at', { at: 'now' }],
  ])('refuses a bad %s', async (field, wish) => {
    const api = await startApi();
    const refused = await api.dev('POST', '/evaluate', { id: 'shop', ...wish });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe(field);
  });

  it('is open to viewers', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const viewer = await tokenOf(api, 'viewer');
    expect((await api.dev('POST', '/evaluate', { id: 'shop' }, viewer)).status).toBe(200);
  });
});
