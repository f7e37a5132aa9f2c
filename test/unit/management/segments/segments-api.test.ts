import { describe, expect, it } from 'vitest';
import { type Harness, startApi, tokenOf } from '../harness.js';

const names = (body: { segments: readonly { name: string }[] }): string[] =>
  body.segments.map(({ name }) => name);

/** `shop` is live with `eu` in its second rule; a draft of `offers` uses it in its first and third. */
async function startWithUses(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/segments/eu', { when: { country: { $in: ['DE', 'FR'] } } });
  const other = { segment: 'other', when: {}, merge: { n: 1 } };
  const eu = { segment: 'eu', merge: { n: 2 } };
  await api.dev('PUT', '/contents/Shop', { text: '{}', mapping: [other, eu] });
  await api.dev('PUT', '/contents/offers', { text: '{}' });
  await api.dev('PUT', '/contents/offers', { mapping: [eu, other, eu], publish: false });
  return api;
}

describe('saved segments: where they are used', () => {
  const uses = [
    { content: 'Shop', revision: 1, live: true, newest: true, rules: [1] },
    { content: 'offers', revision: 2, live: false, newest: true, rules: [0, 2] },
  ];

  it('names contents, revisions and rules, live and newest', async () => {
    const api = await startWithUses();
    const shown = await api.dev('GET', '/segments/eu');
    expect(shown.body).toMatchObject({ usedBy: ['Shop', 'offers'], uses });
    await api.dev('PUT', '/segments/alone', { when: {} });
    const listed = await api.dev('GET', '/segments');
    expect(listed.body).toMatchObject({
      next: null,
      segments: [
        { name: 'alone', usedBy: [], uses: [] },
        { name: 'eu', usedBy: ['Shop', 'offers'], uses },
      ],
    });
  });

  it('tells a live revision from a newer draft of the same content', async () => {
    const api = await startWithUses();
    await api.dev('PUT', '/contents/shop', {
      mapping: [{ segment: 'eu', merge: { n: 3 } }],
      publish: false,
    });
    const { body } = await api.dev('GET', '/segments/eu');
    expect(body.usedBy).toEqual(['Shop', 'offers']);
    expect(body.uses.slice(0, 2)).toEqual([
      { content: 'Shop', revision: 1, live: true, newest: false, rules: [1] },
      { content: 'Shop', revision: 2, live: false, newest: true, rules: [0] },
    ]);
  });

  it('does not count rules with a condition of their own, nor deleted contents', async () => {
    const api = await startWithUses();
    const own = [{ segment: 'eu', when: {}, merge: { n: 3 } }];
    await api.dev('PUT', '/contents/offers', { mapping: own });
    await api.dev('DELETE', '/contents/shop');
    expect((await api.dev('GET', '/segments/eu')).body.uses).toEqual([]);
  });

  it('refuses to delete one in use, and names its users', async () => {
    const api = await startWithUses();
    const refused = await api.dev('DELETE', '/segments/eu');
    expect([refused.status, refused.body.code]).toEqual([409, 'segment_in_use']);
    expect(refused.body.detail).toContain('Shop, offers.');
  });

  it('comes in pages', async () => {
    const api = await startApi();
    for (const name of ['c', 'a', 'b']) await api.dev('PUT', `/segments/${name}`, { when: {} });
    const first = await api.dev('GET', '/segments?limit=2');
    expect([names(first.body), first.body.next]).toEqual([['a', 'b'], 'b']);
    const second = await api.dev('GET', '/segments?limit=2&after=b');
    expect([names(second.body), second.body.next]).toEqual([['c'], null]);
    expect((await api.dev('GET', '/segments?after=z')).body).toEqual({ next: null, segments: [] });
    expect((await api.dev('GET', '/segments?limit=0')).body.code).toBe('invalid_request');
  });

  it('comes in smaller pages where conditions are large, and loses none', async () => {
    const api = await startApi();
    const all = Array.from({ length: 10 }, (_, index) => `s${index}`);
    const when = { '@u': { $in: ['x'.repeat(1_000_000)] } };
    for (const name of all) await api.dev('PUT', `/segments/${name}`, { when });
    const first = await api.dev('GET', '/segments');
    expect(first.body.next).toBe('s7');
    const second = await api.dev('GET', `/segments?after=${first.body.next}`);
    expect([...names(first.body), ...names(second.body)]).toEqual(all);
    expect(second.body.next).toBe(null);
  });

  it('does not know the segments of an environment that is not there', async () => {
    const api = await startApi();
    const calls = [
      ['GET', 'segments', undefined],
      ['GET', 'segments/eu', undefined],
      ['PUT', 'segments/eu', { when: {} }],
      ['PUT', 'segments/eu', { when: {}, dryRun: true }],
      ['DELETE', 'segments/eu', undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      const refused = await api.call(method, `/admin/v1/environments/nowhere/${path}`, body);
      expect([refused.status, refused.body.code]).toEqual([404, 'environment_not_found']);
    }
    expect((await api.dev('GET', '/segments/nobody')).body.code).toBe('segment_not_found');
  });
});

describe('saved segments: changes', () => {
  it('say which live contents they reach', async () => {
    const api = await startWithUses();
    const saved = await api.dev('PUT', '/segments/eu', { when: { country: 'DE' } });
    expect([saved.status, saved.body.reaches]).toEqual([200, ['Shop']]);
    expect((await api.dev('PUT', '/segments/new', { when: {} })).body.reaches).toEqual([]);
  });

  it('say so before, and change nothing', async () => {
    const api = await startWithUses();
    await api.dev('PUT', '/sample-users/ada', { p: { country: 'DE' } });
    const before = await api.dev('GET', '/segments/eu');
    const plan = await api.dev('PUT', '/segments/eu', {
      when: { country: { $in: ['FR', 'US'] } },
      dryRun: true,
      contexts: [
        { p: { country: 'DE' } },
        { p: { country: 'FR' } },
        { u: 'u1', p: { country: 'US' } },
        {},
        { p: { country: 'US' } },
      ],
    });
    expect(plan.status).toBe(200);
    expect(plan.body).toEqual({
      name: 'eu',
      dryRun: true,
      created: false,
      changed: true,
      updatedAt: before.body.updatedAt,
      reaches: ['Shop'],
      warnings: [],
      effect: {
        contexts: 5,
        matchedBefore: 2,
        matchAfter: 3,
        entering: 2,
        leaving: 1,
        enteringExamples: [2, 4],
        leavingExamples: [0],
      },
      confirmation: null,
    });
    expect((await api.dev('GET', '/segments/eu')).text).toBe(before.text);
    const fresh = await api.dev('PUT', '/segments/fresh', { when: {}, dryRun: true });
    expect(fresh.body).toMatchObject({ created: true, updatedAt: null, effect: null });
    expect((await api.dev('GET', '/segments/fresh')).status).toBe(404);
  });

  it('let only the first of two editors save', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    const made = await api.dev('PUT', '/segments/s', { when: {}, ifUpdatedAt: null });
    expect(made.status).toBe(201);
    const { updatedAt } = made.body;
    const edit = (level: number, ifUpdatedAt: string | null, token?: string) =>
      api.dev('PUT', '/segments/s', { when: { level }, ifUpdatedAt }, token);
    const first = await edit(1, updatedAt, editor);
    expect(first.status).toBe(200);
    // The clock of the tests stands still: even then no two saves have the same time.
    expect(first.body.updatedAt).not.toBe(updatedAt);
    const second = await edit(2, updatedAt);
    expect([second.status, second.body.code]).toEqual([409, 'segment_conflict']);
    expect(second.body.detail).toContain('the editor');
    expect(second.body.detail).toContain(first.body.updatedAt);
    expect((await edit(2, null)).body.code).toBe('segment_conflict');
    expect((await api.dev('GET', '/segments/s')).body.when).toEqual({ level: 1 });
    expect((await edit(2, first.body.updatedAt)).status).toBe(200);
    const gone = await api.dev('PUT', '/segments/gone', { when: {}, ifUpdatedAt: updatedAt });
    expect(gone.body.code).toBe('segment_conflict');
    const planned = await api.dev('PUT', '/segments/s', {
      when: {},
      ifUpdatedAt: updatedAt,
      dryRun: true,
    });
    expect(planned.body.code).toBe('segment_conflict');
  });

  it('leave alone what is saved again as it is', async () => {
    const api = await startApi();
    const made = await api.dev('PUT', '/segments/s', { when: { a: 1 }, description: 'd' });
    const again = await api.dev('PUT', '/segments/s', { when: { a: 1 } });
    expect(again.status).toBe(200);
    expect(again.body.updatedAt).toBe(made.body.updatedAt);
    const { body } = await api.call('GET', '/admin/v1/audit?environment=dev');
    const puts = body.events.filter((event: { action: string }) => event.action === 'segment.put');
    expect(puts).toHaveLength(1);
  });

  it('are audited by digest, never by text', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/s', { when: { country: 'secret-country' } });
    await api.dev('PUT', '/segments/s', { when: { country: 'secret-other' } });
    await api.dev('DELETE', '/segments/s');
    const audit = await api.call('GET', '/admin/v1/audit?environment=dev');
    expect(audit.text).not.toContain('secret-');
    const [gone, changed, made] = audit.body.events.filter((event: { action: string }) =>
      event.action.startsWith('segment.'),
    );
    expect(made.details.before).toBe(null);
    expect(changed.details.before).toEqual(made.details.after);
    expect(changed.details.after).not.toEqual(made.details.after);
    expect(changed.details.after.condition).toMatch(/^[0-9a-f]{64}$/);
    expect(gone.details).toEqual({ before: changed.details.after, after: null });
  });

  it.each([
    ['contexts without a dry run', { when: {}, contexts: [{}] }, 'contexts'],
    ['a time that is none', { when: {}, ifUpdatedAt: 'yesterday' }, 'ifUpdatedAt'],
    ['a context that is none', { when: {}, dryRun: true, contexts: [{ p: [] }] }, 'contexts[0].p'],
    ['an unknown field', { when: {}, force: true }, ''],
  ])('refuse %s', async (_, body, path) => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/segments/s', body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_body']);
    expect(refused.body.errors[0].path).toBe(path);
  });

  it('are for editors, and in a protected environment for owners', async () => {
    const api = await startApi();
    const viewer = await tokenOf(api, 'viewer');
    const editor = await tokenOf(api, 'editor');
    const put = (token: string, more: object = {}) =>
      api.dev('PUT', '/segments/s', { when: {}, ...more }, token);
    expect((await put(viewer)).status).toBe(403);
    expect((await api.dev('DELETE', '/segments/s', undefined, viewer)).status).toBe(403);
    expect((await put(editor)).status).toBe(201);
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: true });
    expect((await put(editor, { description: 'new' })).status).toBe(403);
    expect((await put(editor, { dryRun: true })).status).toBe(200);
    expect((await put(viewer, { dryRun: true })).status).toBe(403);
    expect((await api.dev('GET', '/segments', undefined, viewer)).status).toBe(200);
  });
});

describe('the test of a condition', () => {
  const contexts = [
    { p: { level: 12 } },
    { u: 'u', p: { level: 3 }, v: '1.0.0' },
    { more: 'is ignored' },
  ];

  it('says of each context whether it matches, and why', async () => {
    const api = await startApi();
    const { status, body } = await api.dev('POST', '/segments/test', {
      when: { level: { $gte: 10 } },
      contexts,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ contexts: 3, matching: 1, warnings: [] });
    expect(body.results).toMatchObject([
      { matches: true, reason: 'level is 12, which is at least 10.' },
      { matches: false, reason: 'level is 3, but must be at least 10.' },
      { matches: false, reason: 'level is not there, but must be at least 10.' },
    ]);
    expect(body.results[1].decidedBy).toMatchObject([
      { path: 'when.level.$gte', operator: '$gte', wanted: '10', found: '3', holds: false },
    ]);
  });

  it('tests a saved segment by its name', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/high', { when: { level: { $gte: 10 } } });
    const viewer = await tokenOf(api, 'viewer');
    const { body } = await api.dev('POST', '/segments/test', { name: 'high', contexts }, viewer);
    expect(body.matching).toBe(1);
    const everybody = await api.dev('POST', '/segments/test', { when: {}, contexts: [{}] });
    expect(everybody.body.results[0].reason).toBe('It matches every user.');
  });

  it('takes attributes as they were sent', async () => {
    const api = await startApi();
    const body =
      '{"when":{"__proto__":1,"n":{"$gt":1e300}},"contexts":[{"p":{"__proto__":1,"n":1e400}}]}';
    expect((await api.dev('POST', '/segments/test', body)).body.matching).toBe(1);
  });

  it('warns of what can hardly be meant', async () => {
    const api = await startApi();
    const when = { country: { $in: 'US' } };
    const { body } = await api.dev('POST', '/segments/test', { when, contexts: [{}] });
    expect(body.warnings).toMatchObject([{ path: 'when.country.$in' }]);
  });

  it.each([
    ['neither condition nor name', { contexts }, 'invalid_body'],
    ['both', { when: {}, name: 's', contexts }, 'invalid_body'],
    ['no contexts', { when: {}, contexts: [] }, 'invalid_body'],
    ['too many', { when: {}, contexts: Array(1_001).fill({}) }, 'invalid_body'],
    ['a context with a number for v', { when: {}, contexts: [{ v: 1 }] }, 'invalid_body'],
    ['a faulty condition', { when: { a: { $wrong: 1 } }, contexts }, 'invalid_segment'],
    ['a segment that is not there', { name: 'nobody', contexts }, 'segment_not_found'],
  ])('refuses %s', async (_, body, code) => {
    const api = await startApi();
    expect((await api.dev('POST', '/segments/test', body)).body.code).toBe(code);
  });

  it('hides no segment that is called test', async () => {
    const api = await startApi();
    expect((await api.dev('PUT', '/segments/test', { when: {} })).status).toBe(201);
    expect((await api.dev('GET', '/segments/test')).body.name).toBe('test');
    expect((await api.dev('DELETE', '/segments/test')).status).toBe(200);
    const wrong = await api.dev('PATCH', '/segments/test', {});
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([
      405,
      'DELETE, GET, HEAD, POST, PUT',
    ]);
  });

  it('needs an environment that is there', async () => {
    const api = await startApi();
    const path = '/admin/v1/environments/nowhere/segments/test';
    const refused = await api.call('POST', path, { when: {}, contexts });
    expect([refused.status, refused.body.code]).toEqual([404, 'environment_not_found']);
  });
});
