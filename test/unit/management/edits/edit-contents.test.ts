/** Many content items are edited at once: as safely as one, all of it or nothing, and item by item in the report. */
import { describe, expect, it } from 'vitest';
import { startRunning } from '../experiments/harness.js';
import { type Answer, changesAfter, type Harness, startApi, tokenOf } from '../harness.js';

const shopText = '{\n  // euros\n  "price": 4.90, /* list price */\n  "gold": 1.0e2\n}\n';

const setPrice = { kind: 'set', path: '/price', value: 3.5 };

/** Live: `shop` and `shop-eu` with a price, `banner` without one. */
async function startShops(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/contents/shop', { text: shopText });
  await api.dev('PUT', '/contents/shop-eu', { text: '{"price":5}', tags: ['eu'] });
  await api.dev('PUT', '/contents/banner', { text: '{"title":"Hi"}' });
  return api;
}

const all = ['shop', 'shop-eu', 'banner'];

function edit(api: Harness, body: object, token?: string): Promise<Answer> {
  return api.dev('POST', '/contents/edit', body, token);
}

/** The dry run's report, then the edit with its plan. */
async function editAsShown(api: Harness, body: object, token?: string): Promise<Answer> {
  const shown = await edit(api, { ...body, dryRun: true }, token);
  expect([shown.status, shown.body.dryRun]).toEqual([200, true]);
  return edit(api, { ...body, plan: shown.body.plan }, token);
}

async function textOf(api: Harness, id: string): Promise<string> {
  return (await api.dev('GET', `/contents/${id}`)).body.lines[0].text;
}

const outcomes = ({ body }: Answer): unknown[] =>
  body.items.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]);

describe('a value that is set in many content items', () => {
  it('is shown before it is saved, item by item, and goes live with one sequence', async () => {
    const api = await startShops();
    const before = await api.store.sequence();
    const body = { ids: all, edit: setPrice };
    const shown = await edit(api, { ...body, dryRun: true });
    expect(shown.body.counts).toEqual({ changed: 2, unchanged: 0, missing: 1, rejected: 0 });
    expect(shown.body.items[0]).toMatchObject({
      ...{ id: 'shop', outcome: 'changed', newest: 1, live: 1, revision: 2, draftBy: null },
      lines: [{ appVersion: '0.0.0', change: 'set', before: '4.90', after: '3.5' }],
    });
    expect(shown.body.items[2]).toMatchObject({ id: 'banner', outcome: 'missing', revision: 1 });
    expect(await api.store.sequence()).toBe(before);

    const done = await edit(api, { ...body, plan: shown.body.plan });
    expect([done.status, done.body.sequence]).toEqual([200, before + 1]);
    expect(await textOf(api, 'shop')).toBe(shopText.replace('4.90', '3.5'));
    expect(await textOf(api, 'banner')).toBe('{"title":"Hi"}');
    expect(await changesAfter(api.store, before)).toHaveLength(2);
    const { body: content } = await api.dev('GET', '/contents/shop');
    expect([content.live, content.note]).toEqual([2, 'Set /price.']);
  });

  it('stands in the texts as it was sent', async () => {
    const api = await startShops();
    const body =
      '{"ids":["shop"],"edit":{"kind":"set","path":"/price","value": 1.10 },"note":"round"}';
    expect((await api.dev('POST', '/contents/edit', body)).status).toBe(200);
    expect(await textOf(api, 'shop')).toBe(shopText.replace('4.90', '1.10'));
  });

  it('is added where only its name is missing, if that is wanted', async () => {
    const api = await startShops();
    const added = { ...setPrice, create: true };
    await edit(api, { ids: ['banner'], edit: added });
    expect(await textOf(api, 'banner')).toBe('{"title":"Hi", "price": 3.5}');
  });

  it('is set in all version lines that have it, or in one', async () => {
    const api = await startShops();
    const line = (appVersion: string, price: number) => ({
      text: `{"price":${price}}`,
      appVersion,
    });
    await api.dev('PUT', '/contents/shop', line('2.0.0', 6));
    await api.dev('PUT', '/contents/shop', { text: '{}', appVersion: '3.0.0' });
    const one = { ...setPrice, appVersion: '2.0.0' };
    const shown = await edit(api, { ids: ['shop', 'banner'], edit: one, dryRun: true });
    expect(shown.body.items[0].lines).toMatchObject([{ appVersion: '2.0.0', change: 'set' }]);
    const every = await edit(api, { ids: ['shop'], edit: setPrice });
    expect(every.body.items[0].lines).toMatchObject([
      { appVersion: '0.0.0', change: 'set', before: '4.90' },
      { appVersion: '2.0.0', change: 'set', before: '6' },
      { appVersion: '3.0.0', change: 'missing', after: null },
    ]);
  });

  it('leaves what is not published a draft, and says whose draft goes live along', async () => {
    const api = await startShops();
    await api.dev('PUT', '/contents/new', { text: '{"price":1}', publish: false });
    await api.dev('PUT', '/contents/shop', { text: '{"price":7,"rare":true}', publish: false });
    const done = await edit(api, { ids: ['new', 'shop'], edit: setPrice });
    expect(done.body.items).toMatchObject([
      {
        id: 'new',
        live: null,
        revision: 2,
        warnings: [{ message: expect.stringMatching(/draft/) }],
      },
      { id: 'shop', live: 1, revision: 3, draftBy: 'owner' },
    ]);
    expect((await api.dev('GET', '/contents/new')).body.live).toBeNull();
    expect((await api.dev('GET', '/contents/shop')).body.live).toBe(3);
  });

  it('is saved as drafts, which change nothing for players', async () => {
    const api = await startShops();
    const before = await api.store.sequence();
    await edit(api, { ids: all, edit: setPrice, publish: false });
    expect(await changesAfter(api.store, before)).toEqual([]);
    expect((await api.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 2, live: 1 });
  });
});

describe('an edit of many content items', () => {
  it('is rejected if one of them changed since the dry run, whoever changed it', async () => {
    const api = await startShops();
    const body = { ids: all, edit: setPrice };
    const { plan } = (await edit(api, { ...body, dryRun: true })).body;
    await api.dev('PUT', '/contents/banner', { text: '{"title":"Ho"}', publish: false });
    const late = await edit(api, { ...body, plan });
    expect([late.status, late.body.code]).toEqual([409, 'plan_stale']);
    expect(await textOf(api, 'shop')).toBe(shopText);
    const other = (await edit(api, { ...body, dryRun: true })).body.plan;
    const more = await edit(api, { ids: ['shop'], edit: setPrice, plan: other });
    expect(more.body.code).toBe('plan_stale');
  });

  it('is made once of two that saw the same, and the other changes nothing', async () => {
    const api = await startShops();
    const body = { ids: all, edit: setPrice };
    const { plan } = (await edit(api, { ...body, dryRun: true })).body;
    const both = await Promise.all([edit(api, { ...body, plan }), edit(api, { ...body, plan })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('plan_stale');
    expect((await api.dev('GET', '/contents/shop')).body.newest).toBe(2);
  });

  it('tells webhooks of each item that players receive otherwise', async () => {
    const api = await startShops();
    const hook = await api.call('POST', '/admin/v1/webhooks', { url: 'https://example.com/hook' });
    await edit(api, { ids: all, edit: setPrice });
    await edit(api, { ids: ['banner'], edit: { kind: 'delete' } });
    const path = `/admin/v1/webhooks/${hook.body.id}/deliveries`;
    const { deliveries } = (await api.call('GET', path)).body;
    const types = deliveries.map(({ event }: { event: string }) => event);
    expect(types.sort()).toEqual(['content.deleted', 'content.published', 'content.published']);
  });

  it('changes nothing if an item cannot be edited, unless it is left out', async () => {
    const api = await startShops();
    const schema = { properties: { price: { type: 'number', minimum: 4 } } };
    await api.dev('PUT', '/contents/shop-eu', { schema });
    const body = { ids: [...all, 'gone'], edit: setPrice };
    const shown = await edit(api, { ...body, dryRun: true });
    expect(shown.body.counts).toEqual({ changed: 1, unchanged: 0, missing: 1, rejected: 2 });
    expect(shown.body.items[1].problem.code).toBe('invalid_content');
    expect(shown.body.items[3].problem.code).toBe('content_not_found');
    const rejected = await edit(api, { ...body, plan: shown.body.plan });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'items_rejected']);
    expect(rejected.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'shop-eu',
      'gone',
    ]);
    expect(await textOf(api, 'shop')).toBe(shopText);
    const done = await editAsShown(api, { ...body, partial: true });
    expect(outcomes(done)).toEqual([
      ['shop', 'changed'],
      ['shop-eu', 'rejected'],
      ['banner', 'missing'],
      ['gone', 'rejected'],
    ]);
    expect(await textOf(api, 'shop-eu')).toBe('{"price":5}');
  });

  it('asks to confirm what guards find, for all items together', async () => {
    const api = await startShops();
    const guards = [{ path: '/price', min: 1, severity: 'block' }];
    for (const id of ['shop', 'shop-eu']) await api.dev('PUT', `/contents/${id}`, { guards });
    const body = { ids: all, edit: { ...setPrice, value: 0.5 } };
    const shown = await edit(api, { ...body, dryRun: true });
    expect(shown.body.confirmation.required).toBe(true);
    const asked = await edit(api, body);
    expect([asked.status, asked.body.code]).toEqual([409, 'confirmation_required']);
    expect(new Set(asked.body.warnings.map(({ content }: { content: string }) => content))).toEqual(
      new Set(['shop', 'shop-eu']),
    );
    const confirmed = await edit(api, { ...body, confirm: asked.body.digest });
    expect(confirmed.status).toBe(200);
  });

  it('does not delete an item whose experiment runs', async () => {
    const api = await startRunning();
    await api.dev('PUT', '/contents/other', { text: '{}' });
    const shown = await edit(api, {
      ...{ ids: ['shop', 'other'], edit: { kind: 'delete' }, dryRun: true },
    });
    expect(shown.body.items[0].problem.code).toBe('experiment_running');
    expect(outcomes(shown)[1]).toEqual(['other', 'changed']);
  });

  it('adds and removes tags, and refuses more than an item may have', async () => {
    const api = await startShops();
    const many = Array.from({ length: 32 }, (_, at) => `tag-${at}`);
    await api.dev('PUT', '/contents/banner', { tags: many });
    const tags = { kind: 'tags', add: ['weekend'], remove: ['eu'] };
    const shown = await edit(api, { ids: all, edit: tags, dryRun: true });
    expect(shown.body.items[1].tags).toEqual({ before: ['eu'], after: ['weekend'] });
    expect(shown.body.items[2].problem.code).toBe('limit_reached');
    const before = await api.store.sequence();
    const done = await edit(api, { ids: ['shop', 'shop-eu'], edit: tags });
    expect([done.status, await api.store.sequence()]).toEqual([200, before]);
    expect((await api.dev('GET', '/contents/shop-eu')).body).toMatchObject({
      ...{ tags: ['weekend'], newest: 1, live: 1 },
    });
  });

  it('publishes drafts together, and deletes together', async () => {
    const api = await startShops();
    for (const id of ['shop', 'shop-eu']) {
      await api.dev('PUT', `/contents/${id}`, { text: '{"price":9}', publish: false });
    }
    const before = await api.store.sequence();
    const published = await edit(api, { ids: all, edit: { kind: 'publish' } });
    expect(outcomes(published)).toEqual([
      ['shop', 'changed'],
      ['shop-eu', 'changed'],
      ['banner', 'unchanged'],
    ]);
    expect([published.body.sequence, (await api.dev('GET', '/contents/shop')).body.live]).toEqual([
      before + 1,
      2,
    ]);
    await edit(api, { ids: ['shop', 'banner'], edit: { kind: 'delete' } });
    const { contents } = (await api.dev('GET', '/contents')).body;
    expect(contents.map(({ id }: { id: string }) => id)).toEqual(['shop-eu']);
    const deleted = (await api.dev('GET', '/contents?deleted=true')).body.contents;
    expect(deleted.map(({ deletedBy }: { deletedBy: string }) => deletedBy)).toEqual([
      'owner',
      'owner',
    ]);
    expect((await api.dev('POST', '/contents/shop/restore')).body.live).toBe(2);
  });

  it('is an event of each item in the audit, all with the same edit', async () => {
    const api = await startShops();
    const done = await edit(api, { ids: all, edit: setPrice, note: 'Weekend.' });
    const { events } = (await api.call('GET', '/admin/v1/audit?limit=2')).body;
    expect(events).toMatchObject([
      { action: 'content.put', name: 'shop-eu' },
      {
        action: 'content.put',
        name: 'shop',
        details: { changed: ['line 0.0.0'], note: 'Weekend.' },
      },
    ]);
    const plans = events.map(({ details }: { details: { edit: string } }) => details.edit);
    expect(new Set(plans)).toEqual(new Set([done.body.plan]));
  });

  it.each([
    ['an id twice', { ids: ['shop', 'SHOP'], edit: setPrice }],
    ['a path that is none', { ids: ['shop'], edit: { ...setPrice, path: 'price' } }],
    ['no value', { ids: ['shop'], edit: { kind: 'set', path: '/price' } }],
    [
      'a value that is too large',
      { ids: ['shop'], edit: { ...setPrice, value: 'x'.repeat(70_000) } },
    ],
    ['deletions as drafts', { ids: ['shop'], edit: { kind: 'delete' }, publish: false }],
    ['tags in a release', { ids: ['shop'], edit: { kind: 'tags' }, release: { title: 'x' } }],
    ['no ids', { ids: [], edit: setPrice }],
  ])('rejects %s', async (_, body) => {
    const api = await startShops();
    const answer = await edit(api, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body']);
  });
});

describe('an edit of a protected or reviewed environment', () => {
  async function startProtected(): Promise<{ api: Harness; editor: string }> {
    const api = await startShops();
    const editor = await tokenOf(api, 'editor');
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: true });
    return { api, editor };
  }

  it('is for owners, who have looked at it', async () => {
    const { api, editor } = await startProtected();
    const body = { ids: all, edit: setPrice };
    expect((await edit(api, { ...body, dryRun: true }, editor)).body.code).toBe('forbidden');
    expect((await edit(api, body, editor)).body.code).toBe('forbidden');
    expect((await edit(api, body)).body.code).toBe('plan_required');
    expect((await editAsShown(api, body)).status).toBe(200);
  });

  it('is a draft or a release of an editor', async () => {
    const { api, editor } = await startProtected();
    const before = await api.store.sequence();
    const body = { ids: all, edit: setPrice };
    const draft = await edit(api, { ...body, publish: false }, editor);
    expect(draft.status).toBe(200);
    const second = { ...body, edit: { ...setPrice, value: 2 }, release: { title: 'Weekend' } };
    const made = await editAsShown(api, second, editor);
    expect([made.status, made.body.release]).toEqual([200, 1]);
    const more = await edit(
      api,
      { ids: ['banner'], edit: { kind: 'delete' }, release: { release: 1 } },
      editor,
    );
    expect([more.status, more.body.release]).toEqual([200, 1]);
    const { changes } = (await api.dev('GET', '/releases/1')).body;
    expect(changes).toMatchObject([
      { id: 'banner', revision: null },
      { id: 'shop', revision: 3 },
      { id: 'shop-eu', revision: 3 },
    ]);
    expect(await changesAfter(api.store, before)).toEqual([]);
  });

  it('leaves tags of live items to owners, and says so for each item', async () => {
    const { api, editor } = await startProtected();
    await api.dev('PUT', '/contents/new', { text: '{}', publish: false });
    const body = { ids: ['shop', 'new'], edit: { kind: 'tags', add: ['x'] } };
    const shown = await edit(api, { ...body, dryRun: true }, editor);
    expect(shown.body.items[0].problem.code).toBe('forbidden');
    expect(outcomes(shown)[1]).toEqual(['new', 'changed']);
    expect((await edit(api, { ...body, partial: true }, editor)).status).toBe(200);
  });

  it('needs a release where nothing is published without approvals, of owners too', async () => {
    const api = await startShops();
    await api.call('PATCH', '/admin/v1/environments/dev', { review: 1 });
    const body = { ids: all, edit: setPrice };
    for (const dryRun of [true, false]) {
      const answer = await edit(api, { ...body, dryRun });
      expect([answer.status, answer.body.code]).toEqual([409, 'release_required']);
    }
    const made = await edit(api, { ...body, release: { title: 'Weekend' } });
    expect([made.status, made.body.release]).toEqual([200, 1]);
    const deleted = { ids: ['shop'], edit: { kind: 'delete' } };
    expect((await edit(api, deleted)).body.code).toBe('release_required');
  });

  it('leaves a release that cannot take changes as it is, and saves no draft', async () => {
    const api = await startShops();
    const body = { ids: ['shop'], edit: setPrice };
    const unknown = await edit(api, { ...body, release: { release: 7 } });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'release_not_found']);
    await edit(api, { ...body, release: { title: 'Weekend' } });
    await api.dev('POST', '/releases/1/cancel', { reason: '' });
    const ended = await edit(api, {
      ...{ ids: ['shop-eu'], edit: setPrice, release: { release: 1 } },
    });
    expect([ended.status, ended.body.code]).toEqual([409, 'release_state']);
    expect((await api.dev('GET', '/contents/shop-eu')).body.newest).toBe(1);
  });
});
