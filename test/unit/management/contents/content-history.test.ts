/*
 * Goal: no save of one editor is lost to another's, whatever is deleted comes back as it was, and two revisions can be
 * compared by what players get and by what authors wrote.
 */
import { describe, expect, it } from 'vitest';
import { changesAfter, startApi, tokenOf } from '../harness.js';

describe('admin API: two editors at once', () => {
  it('tells the second one who saved what in between, newest first', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2', note: 'sale' }, editor);
    await api.dev('PUT', '/contents/shop', { text: '3', note: 'draft', publish: false });
    const late = await api.dev('PUT', '/contents/shop', { text: '4', ifRevision: 1 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'revision_conflict',
      between: [
        { revision: 3, author: 'owner', note: 'draft', live: false },
        { revision: 2, author: 'the editor', note: 'sale', live: true },
      ],
    });
    expect(late.body.between[0].createdAt).toMatch(/^\d{4}-/);
  });

  it('tells of the newest 20 saves, however many there were', async () => {
    const api = await startApi();
    for (let save = 1; save <= 23; save++) await api.dev('PUT', '/contents/a', { text: `${save}` });
    const { body } = await api.dev('PUT', '/contents/a', { text: '0', ifRevision: 1 });
    expect(body.between).toHaveLength(20);
    expect(body.between[0].revision).toBe(23);
  });

  it('lets exactly one of many concurrent saves win each round, and loses none that it confirmed', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/counter', { text: '[]' });
    const editors = 8;
    const rounds = 5;
    for (let round = 1; round <= rounds; round++) {
      const { body: seen } = await api.dev('GET', '/contents/counter');
      const list = JSON.parse(seen.lines[0].text) as string[];
      const answers = await Promise.all(
        Array.from({ length: editors }, (_, editor) =>
          api.dev('PUT', '/contents/counter', {
            text: JSON.stringify([...list, `${round}/${editor}`]),
            ifRevision: seen.revision,
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: editors - 1 }, () => 409)]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const { body: now } = await api.dev('GET', '/contents/counter');
      expect(JSON.parse(now.lines[0].text)).toEqual([...list, `${round}/${winner}`]);
    }
    const { body } = await api.dev('GET', '/contents/counter/revisions');
    expect(body.revisions).toHaveLength(rounds + 1);
  });

  it('keeps every one of many concurrent saves that guard nothing', async () => {
    const api = await startApi();
    const texts = Array.from({ length: 10 }, (_, at) => `${at}`);
    const saved = await Promise.all(
      texts.map((text) => api.dev('PUT', '/contents/shop', { text })),
    );
    const numbers = saved.map(({ body }) => body.revision).sort((a, b) => a - b);
    expect(numbers).toEqual(texts.map((_, at) => at + 1));
    expect(saved.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('admin API: an edit of what is said about a content', () => {
  it('leaves a draft a draft, unless it is told to publish', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2', publish: false });
    for (const about of [{ description: 'D' }, { tags: ['t'] }, { schema: true }, {}]) {
      const saved = await api.dev('PUT', '/contents/shop', about);
      expect(saved.body).toMatchObject({ revision: 2, live: 1 });
    }
    const told = await api.dev('PUT', '/contents/shop', { tags: [], publish: true });
    expect(told.body).toMatchObject({ revision: 2, live: 2 });
  });
});

describe('admin API: a dry run of a save', () => {
  it('answers what a save would, and saves nothing', async () => {
    const api = await startApi();
    const wish = { text: '{"a":1}', description: 'The shop.' };
    const dry = await api.dev('PUT', '/contents/shop', { ...wish, dryRun: true });
    expect(dry.status).toBe(200);
    expect((await api.dev('GET', '/contents/shop')).status).toBe(404);
    const saved = await api.dev('PUT', '/contents/shop', wish);
    const { sequence: _, dryRun, removedLines, confirmation, ...would } = dry.body;
    const { sequence, ...did } = saved.body;
    expect(would).toEqual(did);
    expect([dryRun, removedLines, confirmation]).toEqual([true, [], null]);
    const draft = await api.dev('PUT', '/contents/shop', {
      text: '2',
      publish: false,
      dryRun: true,
    });
    expect(draft.body).toMatchObject({ revision: 2, live: 1, sequence });
    const same = await api.dev('PUT', '/contents/shop', { ...wish, dryRun: true });
    expect(same.body).toMatchObject({ revision: 1, live: 1 });
    expect((await api.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 1 });
    const { body } = await api.call('GET', '/admin/v1/audit');
    expect(JSON.stringify(body).match(/content\.put/g)).toHaveLength(1);
  });

  it('refuses what a save would refuse', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{}' });
    const mapping = [{ segment: 's', when: {}, patch: [{ op: 'remove', path: '/a' }] }];
    for (const [body, code] of [
      [{ text: '{' }, 'invalid_content'],
      [{ mapping }, 'invalid_mapping'],
      [{ schema: { type: 'x' } }, 'invalid_schema'],
      [{ schema: { type: 'array' } }, 'invalid_content'],
      [{ text: '1', ifRevision: 7 }, 'revision_conflict'],
    ] as const) {
      const refused = await api.dev('PUT', '/contents/shop', { ...body, dryRun: true });
      expect(refused.body.code).toBe(code);
    }
    const viewer = await tokenOf(api, 'viewer');
    const dry = { text: '1', dryRun: true };
    expect((await api.dev('PUT', '/contents/shop', dry, viewer)).status).toBe(403);
    const elsewhere = await api.call('PUT', '/admin/v1/environments/none/contents/a', dry);
    expect(elsewhere.body.code).toBe('environment_not_found');
  });
});

describe('admin API: deleting and restoring', () => {
  it('puts back what was live under its own number, with the draft above it', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/Shop', { text: '1', tags: ['t'] });
    await api.dev('PUT', '/contents/shop', { text: '2', publish: false });
    const deleted = await api.dev('DELETE', '/contents/shop');
    const restored = await api.dev('POST', '/contents/SHOP/restore');
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ id: 'Shop', revision: 2, live: 1, warnings: [] });
    expect(restored.body.sequence).toBeGreaterThan(deleted.body.sequence);
    expect(await changesAfter(api.store, deleted.body.sequence)).toMatchObject([
      { id: 'Shop', lines: ['0.0.0 1'] },
    ]);
    const { body } = await api.dev('GET', '/contents/shop');
    expect(body).toMatchObject({ newest: 2, live: 1, tags: ['t'], deletedAt: null });
    expect((await api.dev('POST', '/contents/shop/restore')).body.code).toBe('not_deleted');
    expect((await api.dev('POST', '/contents/none/restore')).status).toBe(404);
  });

  it('brings a draft back as a draft', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', publish: false });
    await api.dev('DELETE', '/contents/shop');
    const restored = await api.dev('POST', '/contents/shop/restore');
    expect(restored.body).toMatchObject({ revision: 1, live: null });
  });

  it('lists what is deleted, and only that, with what was live of it', async () => {
    const api = await startApi();
    for (const id of ['a', 'b', 'c']) await api.dev('PUT', `/contents/${id}`, { text: '{"a":1}' });
    await api.dev('PUT', '/contents/b', { text: '[1,2]', publish: false });
    for (const id of ['b', 'c']) await api.dev('DELETE', `/contents/${id}`);
    const { body } = await api.dev('GET', '/contents?deleted=true');
    expect(body.contents).toMatchObject([
      { id: 'b', live: null, newest: 2, jsonBytes: 7, deletedAt: expect.stringMatching(/^2026/) },
      { id: 'c', live: null },
    ]);
    const page = await api.dev('GET', '/contents?deleted=true&limit=1&after=b');
    expect(page.body.contents).toMatchObject([{ id: 'c' }]);
    const there = await api.dev('GET', '/contents');
    expect(there.body.contents).toMatchObject([{ id: 'a', deletedAt: null }]);
    expect((await api.dev('GET', '/contents?deleted=yes')).status).toBe(400);
    const revisions = await api.dev('GET', '/contents/b/revisions');
    expect(revisions.body.revisions).toMatchObject([{ revision: 2 }, { revision: 1 }]);
    expect((await api.dev('GET', '/contents/b/revisions/1')).status).toBe(200);
    expect((await api.dev('GET', '/contents/b/diff?from=1&to=2')).status).toBe(200);
  });

  it('does not bring back what can no longer be delivered', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/s', { when: {} });
    const mapping = [{ segment: 's', merge: { a: 1 } }];
    await api.dev('PUT', '/contents/shop', { text: '{}', mapping });
    await api.dev('DELETE', '/contents/shop');
    expect((await api.dev('DELETE', '/segments/s')).status).toBe(200);
    const refused = await api.dev('POST', '/contents/shop/restore');
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_mapping');
    expect((await api.dev('GET', '/contents?deleted=true')).body.contents).toHaveLength(1);
  });

  it('forgets what was live when the content is saved anew', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('DELETE', '/contents/shop');
    await api.dev('PUT', '/contents/shop', { text: '2', publish: false });
    await api.dev('DELETE', '/contents/shop');
    const restored = await api.dev('POST', '/contents/shop/restore');
    expect(restored.body).toMatchObject({ revision: 2, live: null });
  });

  it('lets viewers see and not restore, and editors only where it is not protected', async () => {
    const api = await startApi();
    const viewer = await tokenOf(api, 'viewer');
    const editor = await tokenOf(api, 'editor');
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2' });
    const diff = await api.dev('GET', '/contents/shop/diff', undefined, viewer);
    expect(diff.status).toBe(200);
    await api.dev('DELETE', '/contents/shop');
    const restore = (token: string) => api.dev('POST', '/contents/shop/restore', undefined, token);
    expect((await restore(viewer)).status).toBe(403);
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: true });
    expect((await restore(editor)).status).toBe(403);
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: false });
    expect((await restore(editor)).status).toBe(200);
  });
});

describe('admin API: what was done, for the audit', () => {
  it('has before and after of each edit, and no text among its details', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '"secret text"', note: 'why' });
    await api.dev('PUT', '/contents/shop', { text: '2', description: 'D', publish: false });
    await api.dev('POST', '/contents/shop/publish', {});
    await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    await api.dev('DELETE', '/contents/shop');
    await api.dev('POST', '/contents/shop/restore');
    const { body } = await api.call('GET', '/admin/v1/audit');
    const rows = body.events.filter(({ action }: { action: string }) =>
      action.startsWith('content.'),
    );
    const facts = rows.map(({ action, details }: { action: string; details: object }) => [
      action,
      details,
    ]);
    expect(facts.reverse()).toMatchObject([
      ['content.put', { before: null, after: { revision: 1, live: 1 }, changed: ['line 0.0.0'] }],
      [
        'content.put',
        {
          before: { revision: 1, live: 1 },
          after: { revision: 2, live: 1 },
          changed: ['line 0.0.0', 'description'],
        },
      ],
      ['content.publish', { before: { live: 1 }, after: { live: 2 } }],
      ['content.rollback', { before: { revision: 2, live: 2 }, after: { revision: 3, live: 3 } }],
      ['content.delete', { before: { revision: 3, live: 3 }, after: null }],
      ['content.restore', { before: null, after: { revision: 3, live: 3 } }],
    ]);
    // Values that changed are beside the details, for those who may read the environment.
    expect(
      JSON.stringify(body.events.map(({ details }: { details: object }) => details)),
    ).not.toContain('secret text');
  });
});
