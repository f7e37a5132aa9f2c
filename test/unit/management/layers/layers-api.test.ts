/*
 * Goal: layers and the holdout of an environment are kept, published and hashed; what players in experiments depend on does not
 * change by the way.
 */
import { describe, expect, it } from 'vitest';
import { type Harness, ownerToken, startApi, startMs, tester, tokenOf } from '../harness.js';
import { ReviewedGame } from '../releases/people.js';

const text = '{"price":1}';
const variants = [
  { name: 'control', groups: [0, 499] },
  { name: 'high', groups: [500, 999], merge: { price: 2 } },
];
const rule = (more: object = {}) => ({
  ...{ segment: 'price', when: {}, layer: 'shop', slice: [0, 199], salt: 'exp-1', variants },
  ...more,
});
const shop = { name: 'shop', salt: 'layer-1' };
const menu = { name: 'menu', salt: 'layer-2' };
const holdout = { salt: 'out', groups: [950, 999] };

async function hashOf(api: Harness, id = 'shop'): Promise<string> {
  return (await api.dev('GET', `/contents/${id}`)).body.hash;
}

async function settingsOf(api: Harness): Promise<unknown> {
  return api.store.readEverything(0, async ({ changes }) => {
    for await (const change of changes) {
      if (change.kind === 'environment' && change.environment === 'dev') return change.settings;
    }
    return null;
  });
}

/** An environment with one layer and a content whose rule is in it. */
async function withLayer(more: object = {}): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/layers', { layers: [shop], holdout: null });
  const put = await api.dev('PUT', '/contents/shop', { text, mapping: [rule(more)] });
  expect([put.status, put.body.code]).toEqual([201, undefined]);
  return api;
}

describe('layers of an environment', () => {
  it('are none at first, and are shown as they were put, with the rules that use them', async () => {
    const api = await startApi();
    const none = (await api.dev('GET', '/layers')).body;
    expect(none).toMatchObject({ layers: [], holdout: null, uses: [] });
    const put = await api.dev('PUT', '/layers', { layers: [shop, menu], holdout });
    expect([put.status, put.body.layers, put.body.holdout]).toEqual([200, [menu, shop], holdout]);
    await api.dev('PUT', '/contents/Shop', { text, mapping: [{ segment: 'a', when: {} }, rule()] });
    const shown = (await api.dev('GET', '/layers')).body;
    expect(shown.etag).toBe(put.body.etag);
    expect(shown.etag).not.toBe(none.etag);
    const use = { content: 'Shop', revision: 1, live: true, rule: 1, segment: 'price' };
    expect(shown.uses).toEqual([{ ...use, layer: 'shop', slice: [0, 199], holdout: true }]);
    expect(await settingsOf(api)).toMatchObject({ layers: [menu, shop], holdout });
  });

  it('keep the salt that they have, and get a random one of their own', async () => {
    const api = await withLayer();
    const body = { layers: [{ name: 'shop' }, { name: 'menu' }], holdout: { groups: [0, 49] } };
    const put = (await api.dev('PUT', '/layers', body)).body;
    expect(put.layers[1]).toEqual(shop);
    const salts = [put.layers[0].salt, put.holdout.salt];
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{20}$/);
    expect(new Set(salts).size).toBe(2);
    expect((await api.dev('PUT', '/layers', body)).body.etag).toBe(put.etag);
  });

  it.each([
    [{ layers: [shop, shop], holdout: null }, 'layers'],
    [{ layers: [{ name: '/', salt: 's' }], holdout: null }, 'layers[0].name'],
    [{ layers: [shop, { ...menu, salt: shop.salt }], holdout: null }, 'layers[1].salt'],
    [{ layers: [shop], holdout: { ...holdout, salt: shop.salt } }, 'holdout.salt'],
    [{ layers: [], holdout: { salt: 's', groups: [9, 0] } }, 'holdout.groups'],
    [{ layers: [], holdout: { salt: 's', groups: [0, 1_000] } }, 'holdout.groups[1]'],
    [
      { layers: Array.from({ length: 33 }, (_, n) => ({ name: `l${n}` })), holdout: null },
      'layers',
    ],
  ])('are rejected as %j', async (body, path) => {
    const api = await startApi();
    const put = await api.dev('PUT', '/layers', body);
    expect([put.status, put.body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('are not replaced on top of another edit', async () => {
    const api = await withLayer();
    const { etag } = (await api.dev('GET', '/layers')).body;
    const edit = { layers: [shop, menu], holdout: null, ifEtag: etag };
    expect((await api.dev('PUT', '/layers', edit)).status).toBe(200);
    const late = await api.dev('PUT', '/layers', edit);
    expect([late.status, late.body.code]).toEqual([409, 'layers_conflict']);
  });

  it('are for editors, and in a protected environment for owners', async () => {
    const api = await startApi();
    const body = { layers: [shop], holdout: null };
    const [viewer, editor] = [await tokenOf(api, 'viewer'), await tokenOf(api, 'editor')];
    const putAs = async (token: string) => (await api.dev('PUT', '/layers', body, token)).status;
    expect([await putAs(viewer), await putAs(editor)]).toEqual([403, 200]);
    await api.dev('PATCH', '', { protected: true });
    expect(await putAs(editor)).toBe(403);
    expect((await api.dev('PUT', '/layers', body)).status).toBe(200);
  });

  it('that a rule uses cannot go', async () => {
    const api = await withLayer();
    const gone = await api.dev('PUT', '/layers', { layers: [menu], holdout: null });
    expect([gone.status, gone.body.code]).toEqual([409, 'layer_in_use']);
    expect(gone.body.detail).toContain('"price"');
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    expect((await api.dev('PUT', '/layers', { layers: [menu], holdout: null })).status).toBe(200);
  });

  it('stay as they are while an experiment runs whose players they assign, and others may change', async () => {
    const api = await withLayer();
    await api.dev('PUT', '/contents/plain', { text });
    const record = { id: 'price', content: 'shop', segment: 'price', control: 'control' };
    expect((await api.dev('POST', '/experiments', record)).status).toBe(201);
    expect((await api.dev('POST', '/experiments/price/start', {})).status).toBe(200);
    const put = async (layers: readonly object[], held: object | null = null) => {
      const { status, body } = await api.dev('PUT', '/layers', { layers, holdout: held });
      return [status, body.code];
    };
    const rejected = [409, 'experiment_running'];
    expect(await put([{ ...shop, salt: 'other' }])).toEqual(rejected);
    expect(await put([shop], holdout)).toEqual(rejected);
    expect(await put([shop, menu])).toEqual([200, undefined]);
    expect((await api.dev('POST', '/experiments/price/stop', {})).status).toBe(200);
    expect(await put([{ ...shop, salt: 'other' }], holdout)).toEqual([200, undefined]);
  });

  it('are only added to while a release ramps', async () => {
    const api = await withLayer();
    await api.dev('PUT', '/contents/plain', { text });
    await api.dev('PUT', '/contents/plain', { text: '{"price":2}', publish: false });
    const changes = [{ kind: 'content', id: 'plain' }];
    const steps = [{ percent: 10, holdMinutes: 60 }];
    const { release } = (await api.dev('POST', '/releases', { title: 'R', changes, steps })).body;
    expect((await api.dev('POST', `/releases/${release}/start`, {})).body.state).toBe('ramping');
    const other = await api.dev('PUT', '/layers', { layers: [shop], holdout });
    expect([other.status, other.body.code]).toEqual([409, 'release_active']);
    const more = await api.dev('PUT', '/layers', { layers: [shop, menu], holdout: null });
    expect(more.status).toBe(200);
  });

  it('let only servers write that can read them', async () => {
    const api = await startApi();
    const step = async () =>
      (
        await api.store.read((db) =>
          db.selectFrom('storeState').select('writersMin').executeTakeFirstOrThrow(),
        )
      ).writersMin;
    expect(await step()).toBeLessThan(10);
    await api.dev('PUT', '/layers', { layers: [shop], holdout: null });
    expect(await step()).toBe(10);
  });

  it('wait while an older server lives, as a rule with the holdout does', async () => {
    const api = await startApi();
    const older = {
      ...{ id: 'old', name: 'old', address: '', version: '0.9.0', schema: 9 },
      ...{ sequence: 0, serving: 1, startedAt: startMs, seenAt: startMs },
    };
    await api.store.write(tester, async ({ db }) => {
      await db.insertInto('nodes').values(older).execute();
    });
    const put = await api.dev('PUT', '/layers', { layers: [shop], holdout: null });
    expect(put.body.code).toBe('upgrade_in_progress');
    const mapping = [{ segment: 's', when: {}, holdout: true }];
    const content = await api.dev('PUT', '/contents/shop', { text, mapping });
    expect(content.body.code).toBe('upgrade_in_progress');
  });
});

describe('a rule of a layer', () => {
  it('is saved only with a layer of the environment and a salt that is not that of the layer', async () => {
    const api = await startApi();
    const save = async (more: object) => {
      const put = await api.dev('PUT', '/contents/shop', { text, mapping: [rule(more)] });
      return [put.status, put.body.errors?.[0]?.path];
    };
    expect(await save({})).toEqual([400, 'mapping[0].layer']);
    await api.dev('PUT', '/layers', { layers: [shop], holdout: null });
    expect(await save({ salt: shop.salt })).toEqual([400, 'mapping[0].salt']);
    expect(await save({})).toEqual([201, undefined]);
  });

  it('is explained by what decides', async () => {
    const api = await withLayer();
    await api.dev('PUT', '/layers', { layers: [shop], holdout: { ...holdout, groups: [0, 499] } });
    const outcomes = new Map<string, { reason: string; layer: unknown }>();
    for (let n = 0; n < 40; n++) {
      const { body } = await api.dev('POST', '/evaluate', {
        id: 'shop',
        u: n === 0 ? '' : `u${n}`,
      });
      outcomes.set(body.rules[0].outcome, body.rules[0]);
    }
    expect([...outcomes.keys()].sort()).toEqual([
      ...['applied', 'held_out', 'no_user_id', 'outside_slice'],
    ]);
    expect(outcomes.get('applied')?.reason).toMatch(
      /^The bucket \d+ of the layer "shop" is in its slice, 0 to 199\. Its condition matches/,
    );
    expect(outcomes.get('outside_slice')?.reason).toMatch(/^It takes the buckets 0 to 199 of/);
    expect(outcomes.get('no_user_id')?.layer).toEqual({
      name: 'shop',
      slice: [0, 199],
      bucket: null,
    });
  });
});

describe('the hash of a content', () => {
  it('changes exactly with the definitions that it uses, and comes back with them', async () => {
    const api = await withLayer();
    const plain = [{ segment: 'all', when: {}, merge: { price: 3 } }];
    await api.dev('PUT', '/contents/plain', { text, mapping: plain });
    await api.dev('PUT', '/contents/open', { text, mapping: [rule({ holdout: false })] });
    await api.dev('PUT', '/contents/held', { text, mapping: [{ ...plain[0], holdout: true }] });
    const ids = ['plain', 'open', 'held', 'shop'];
    let before: string[] = [];
    const changed = async (): Promise<string[]> => {
      const now = await Promise.all(ids.map((id) => hashOf(api, id)));
      const differ = ids.filter((_, at) => now[at] !== before[at]);
      before = now;
      return differ;
    };
    await changed();
    const first = before;
    const put = (layers: readonly object[], held: object | null) =>
      api.dev('PUT', '/layers', { layers, holdout: held });
    await put([shop, menu], null);
    expect(await changed()).toEqual([]);
    await put([shop, menu], holdout);
    expect(await changed()).toEqual(['held', 'shop']);
    await put([{ ...shop, salt: 'other' }, menu], holdout);
    expect(await changed()).toEqual(['open', 'shop']);
    await put(
      [
        { ...shop, salt: 'other' },
        { ...menu, salt: 'x' },
      ],
      { ...holdout, groups: [0, 9] },
    );
    expect(await changed()).toEqual(['held', 'shop']);
    await put([shop], null);
    await changed();
    expect(before).toEqual(first);
  });

  it('is published under the number of the change, for what uses it alone', async () => {
    const api = await withLayer();
    await api.dev('PUT', '/contents/plain', { text });
    const before = await api.store.sequence();
    const put = await api.dev('PUT', '/layers', { layers: [shop], holdout });
    expect(put.body.sequence).toBe(before + 1);
    const names: unknown[] = await api.store.read((db) =>
      db
        .selectFrom('changeLog')
        .select(['kind', 'name'])
        .where('sequence', '=', before + 1)
        .orderBy('position')
        .execute(),
    );
    expect(names).toEqual([
      { kind: 'environment', name: '' },
      { kind: 'content', name: 'shop' },
    ]);
  });
});

describe('where an environment asks for approvals', () => {
  it('layers change with a release, and only so', async () => {
    const game = await ReviewedGame.start();
    const { api } = game.releases;
    const put = await game.as('olga', 'PUT', '/layers', { layers: [shop], holdout });
    expect([put.status, put.body.code]).toEqual([409, 'release_required']);
    const changes = [{ kind: 'environment', edit: { layers: [shop, menu], holdout } }];
    const made = await game.as('olga', 'POST', '/releases', { title: 'Layers', changes });
    expect(made.body.changes[0].edit).toEqual({ layers: [shop, menu], holdout });
    const { release } = made.body;
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    await game.approve('otto', release);
    const live = await game.as('olga', 'POST', `/releases/${release}/live`, {});
    expect(live.body.state).toBe('live');
    expect((await api.dev('GET', '/layers')).body).toMatchObject({ layers: [menu, shop], holdout });
  });

  it('a release that removes a layer cannot go live while a rule uses it', async () => {
    const game = await ReviewedGame.start(0);
    const { api } = game.releases;
    await api.dev('PUT', '/layers', { layers: [shop], holdout: null });
    await api.dev('PUT', '/contents/tests', { text, mapping: [rule()] });
    await api.dev('PATCH', '', { review: 1 });
    const changes = [{ kind: 'environment', edit: { layers: [] } }];
    const { release } = (await game.as('olga', 'POST', '/releases', { title: 'None', changes }))
      .body;
    await game.as('olga', 'POST', `/releases/${release}/submit`, {});
    await game.approve('otto', release);
    const live = await game.as('olga', 'POST', `/releases/${release}/live`, {});
    expect([live.status, live.body.code]).toEqual([409, 'layer_in_use']);
  });
});

describe('layers that another environment brings', () => {
  const other = '/admin/v1/environments/prod';

  async function twoEnvironments(): Promise<Harness> {
    const api = await withLayer();
    await api.dev('PUT', '/layers', { layers: [shop, menu], holdout });
    await api.call('POST', '/admin/v1/environments', { id: 'prod' });
    return api;
  }

  it('come along with a sync where contents use them and the target has none', async () => {
    const api = await twoEnvironments();
    const dry = (await api.call('POST', `${other}/sync`, { from: 'dev', dryRun: true })).body;
    expect(dry).toMatchObject({ layers: ['shop'], warnings: [] });
    const done = await api.call('POST', `${other}/sync`, { from: 'dev', plan: dry.plan });
    expect([done.status, done.body.layers]).toEqual([200, ['shop']]);
    expect((await api.call('GET', `${other}/layers`)).body).toMatchObject({
      ...{ layers: [shop], holdout },
    });
    expect((await api.call('GET', `${other}/contents/shop`)).body.hash).toBe(await hashOf(api));
  });

  it('leave a layer of the target as it is, and say so', async () => {
    const api = await twoEnvironments();
    const own = { layers: [{ ...shop, salt: 'of-prod' }], holdout: { salt: 'p', groups: [0, 9] } };
    await api.call('PUT', `${other}/layers`, own);
    const done = (await api.call('POST', `${other}/sync`, { from: 'dev' })).body;
    expect(done.layers).toEqual([]);
    expect(done.warnings.map((one: { path: string }) => one.path)).toEqual(['layers', 'holdout']);
    expect((await api.call('GET', `${other}/layers`)).body).toMatchObject(own);
  });

  it('are in an export, and an import adds those that are missing', async () => {
    const api = await twoEnvironments();
    const exported = (await api.dev('GET', '/export')).text;
    expect(JSON.parse(exported.split('\n')[0] ?? '')).toMatchObject({
      ...{ kind: 'environment', layers: [menu, shop], holdout },
    });
    const send = (text: string) =>
      fetch(`${api.url}${other}/import?mode=replace`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ownerToken}`,
          'content-type': 'application/x-ndjson',
        },
        body: text,
      });
    const done = await send(exported);
    expect(await done.json()).toMatchObject({ layers: ['menu', 'shop'], counts: { added: 1 } });
    expect((await api.call('GET', `${other}/contents/shop`)).body.hash).toBe(await hashOf(api));

    const unknown = exported.replace(/"layers":\[.*?\],/, '').replaceAll('shop', 'nowhere');
    const rejected = (await (await send(unknown)).json()) as { errors: readonly unknown[] };
    expect(JSON.stringify(rejected.errors)).toContain('is no layer of the environment');
  });
});
