/**
 * Goal: the hash that the admin API, webhooks and the read model show covers the mapping and the saved segments that it
 * names, and nothing else (docs/delivery-api.md). Method: edits of each kind over the API, and what `Store.readChanges` publishes.
 */
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../../../src/content/hash.js';
import { noLayers } from '../../../../src/content/layers.js';
import {
  completeOlderWrites,
  recordOlderWrites,
} from '../../../../src/management/store/older-writes.js';
import type { PublishedChange } from '../../../../src/published/change.js';
import { type Harness, openStore, startApi, startMs, tester } from '../harness.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const rule = (more: object = {}) => ({ segment: 'vip', merge: { price: 1 }, ...more });

async function published(api: Harness): Promise<ReadonlyMap<string, string>> {
  const found = await api.store.readChanges({ sequence: 0, mark: '' });
  const changes: readonly PublishedChange[] = typeof found === 'string' ? [] : found.changes;
  return new Map(
    changes.flatMap((change) =>
      change.kind === 'content' ? [[change.id, change.lines.at(-1)?.hash ?? '']] : [],
    ),
  );
}

async function hashOf(api: Harness, id = 'shop'): Promise<string> {
  const { hash } = (await api.dev('GET', `/contents/${id}`)).body;
  expect((await published(api)).get(id)).toBe(hash);
  return hash;
}

async function startShop(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/segments/vip', { when: { spent: { $gte: 100 } } });
  await api.dev('PUT', '/contents/shop', { text: '{"price":2}' });
  return api;
}

describe('the hash of a content', () => {
  it('is that of the delivered JSON without a mapping, and of the parts in the order of the contract with one', async () => {
    const api = await startShop();
    const json = bytes('{"price":2}');
    expect(await hashOf(api)).toBe(contentHash(json));
    await api.dev('PUT', '/segments/aces', { when: { level: 9 } });
    const mapping = [
      rule(),
      { segment: 'aces', merge: { x: 1 } },
      rule({ segment: 'own', when: {} }),
    ];
    await api.dev('PUT', '/contents/shop', { mapping });
    const parts = {
      mapping: bytes(JSON.stringify(mapping)),
      segments: [
        { name: 'aces', condition: bytes('{"level":9}') },
        { name: 'vip', condition: bytes('{"spent":{"$gte":100}}') },
      ],
      layers: noLayers,
    };
    expect(await hashOf(api)).toBe(contentHash(json, parts));
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    expect(await hashOf(api)).toBe(contentHash(json));
  });

  it('does not confuse where one part ends and the next begins', () => {
    const hash = (mapping: string, segments: readonly [string, string][]): string =>
      contentHash(bytes('1'), {
        mapping: bytes(mapping),
        segments: segments.map(([name, condition]) => ({ name, condition: bytes(condition) })),
        layers: noLayers,
      });
    const all = [
      hash('[]a', [['b', 'c']]),
      hash('[]', [['ab', 'c']]),
      hash('[]', [['a', 'bc']]),
      hash('[]', [
        ['a', 'b'],
        ['c', ''],
      ]),
      hash('[]abc', []),
      contentHash(bytes('1[]abc')),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('changes with each rule and each saved segment, and comes back when the edit is taken back', async () => {
    const api = await startShop();
    const seen = [await hashOf(api)];
    await api.dev('PUT', '/contents/shop', { mapping: [rule()] });
    seen.push(await hashOf(api));
    await api.dev('PUT', '/contents/shop', { mapping: [rule({ info: 'promo-7' })] });
    seen.push(await hashOf(api));
    await api.dev('PUT', '/segments/vip', { when: { spent: { $gte: 200 } } });
    seen.push(await hashOf(api));
    expect(new Set(seen).size).toBe(4);
    await api.dev('PUT', '/segments/vip', { when: { spent: { $gte: 100 } } });
    expect(await hashOf(api)).toBe(seen[2]);
    await api.dev('POST', '/contents/shop/rollback', { revision: 2 });
    expect(await hashOf(api)).toBe(seen[1]);
    await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect(await hashOf(api)).toBe(seen[0]);
  });

  it('is the same for other comments, white space, notes and descriptions, and in another environment', async () => {
    const api = await startShop();
    const put = (body: string) => api.dev('PUT', '/contents/shop', body);
    await put('{"mapping":[{"segment":"vip","merge":{"price":1.10}}]}');
    const hash = await hashOf(api);
    await put('{"mapping":[ {"segment":"vip", "merge":{"price": 1.10}} ],"note":"tidied"}');
    expect(await hashOf(api)).toBe(hash);
    await put('{"text":"{ \\"price\\": 2 } // dollars","description":"what is sold"}');
    expect(await hashOf(api)).toBe(hash);
    await api.dev('PUT', '/segments/vip', '{"when":{ "spent": {"$gte":100} },"description":"big"}');
    expect(await hashOf(api)).toBe(hash);
    // The value is another one as it is delivered.
    await put('{"mapping":[{"segment":"vip","merge":{"price":1.1}}]}');
    expect(await hashOf(api)).not.toBe(hash);
    await put('{"mapping":[{"segment":"vip","merge":{"price":1.10}}]}');
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    await api.call('POST', '/admin/v1/environments/live/sync', { from: 'dev' });
    expect((await api.call('GET', '/admin/v1/environments/live/contents/shop')).body.hash).toBe(
      hash,
    );
  });

  it('is published anew for all contents that name a segment, under the number of its own change', async () => {
    const api = await startShop();
    const ids = Array.from({ length: 30 }, (_, at) => `c${at}`);
    for (const id of ids) {
      await api.dev('PUT', `/contents/${id}`, {
        text: `{"price":${id.length}}`,
        mapping: [rule()],
      });
    }
    await api.dev('PUT', '/contents/own', { text: '1', mapping: [rule({ when: {} })] });
    const before = await published(api);
    const { sequence } = (await api.dev('PUT', '/segments/vip', { when: { spent: 1 } })).body;
    const mark = await api.store.read((db) =>
      db
        .selectFrom('sequences')
        .select('mark')
        .where('sequence', '=', sequence - 1)
        .executeTakeFirstOrThrow(),
    );
    const found = await api.store.readChanges({ sequence: sequence - 1, ...mark });
    if (typeof found === 'string') throw new Error(found);
    expect(found.sequence).toBe(sequence);
    const names = found.changes.map((change) => ('id' in change ? change.id : change.kind));
    expect(names.sort()).toEqual(['segment', ...ids].sort());
    const after = await published(api);
    for (const id of ids) expect(after.get(id)).not.toBe(before.get(id));
    for (const id of ['own', 'shop']) expect(after.get(id)).toBe(before.get(id));
  });

  it('is the delivered one wherever the API shows it', async () => {
    const api = await startShop();
    const mapping = [rule()];
    const dry = await api.dev('PUT', '/contents/shop', { mapping, dryRun: true });
    const put = await api.dev('PUT', '/contents/shop', { mapping });
    const hash = await hashOf(api);
    expect([dry.body.hash, put.body.hash]).toEqual([hash, hash]);
    const listed = (await api.dev('GET', '/contents')).body.contents;
    expect(listed.map((one: { hash: string }) => one.hash)).toEqual([hash]);
    const history = (await api.dev('GET', '/contents/shop/revisions')).body.revisions;
    expect(history[0]).toMatchObject({ revision: 2, hash });
    expect(history[1].hash).toBe(contentHash(bytes('{"price":2}')));
    expect((await api.dev('GET', '/contents/shop/revisions/2')).body).toMatchObject({
      hash,
      lines: [{ hash }],
    });
    expect((await api.dev('GET', '/contents/shop/diff')).body.to.hash).toBe(hash);
    const evaluated = (await api.dev('POST', '/evaluate', { id: 'shop', u: 'x' })).body;
    expect(evaluated.answer.hash).toBe(hash);
    const edited = await api.dev('POST', '/evaluate', { id: 'shop', u: 'x', mapping: [] });
    expect(edited.body.answer.hash).toBe(contentHash(bytes('{"price":2}')));
  });

  it('is right for a draft whose segment changed before it is published, and for what is brought back', async () => {
    const api = await startShop();
    await api.dev('PUT', '/contents/shop', { mapping: [rule()], publish: false });
    await api.dev('PUT', '/contents/shop', { mapping: [rule({ info: 'a' })], publish: false });
    await api.dev('PUT', '/segments/vip', { when: { spent: 5 } });
    // Neither live nor newest when the segment changed.
    const { hash } = (await api.dev('POST', '/contents/shop/publish', { revision: 2 })).body;
    expect((await published(api)).get('shop')).toBe(hash);
    await api.dev('PUT', '/contents/again', { text: '{"price":2}', mapping: [rule()] });
    expect((await api.dev('GET', '/contents/again')).body.hash).toBe(hash);
    await api.dev('DELETE', '/contents/again');
    await api.dev('PUT', '/segments/vip', { when: { spent: 6 } });
    const restored = await api.dev('POST', '/contents/again/restore');
    expect(restored.body.hash).toBe(await hashOf(api, 'again'));
    expect(restored.body.hash).toBe((await published(api)).get('shop'));
    expect(restored.body.hash).not.toBe(hash);
  });

  it('is told to webhooks as it is delivered', async () => {
    const api = await startShop();
    await api.call('POST', '/admin/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    await api.dev('PUT', '/contents/shop', { mapping: [rule()] });
    const hash = await hashOf(api);
    // A content of the segment's name has nothing to do with it.
    await api.dev('PUT', '/contents/vip', { text: '1' });
    await api.dev('PUT', '/segments/vip', { when: { spent: 7 } });
    const rows = await api.store.read((db) =>
      db.selectFrom('webhookDeliveries').select('payload').orderBy('id').execute(),
    );
    const events = rows.map(({ payload }) => JSON.parse(payload));
    expect(events).toMatchObject([
      { type: 'content.published', data: { id: 'shop', hash } },
      { type: 'content.published', data: { id: 'vip' } },
      {
        type: 'segment.changed',
        data: { name: 'vip', revision: 2, contents: 1, reaches: ['shop'], cut: false },
      },
    ]);
  });
});

describe('the hash after a server of an older version wrote beside this one', () => {
  const publish = async (): Promise<void> => undefined;

  it('is right when its condition is saved again here, and when it is not', async () => {
    const api = await startShop();
    await api.dev('PUT', '/contents/shop', { mapping: [rule()] });
    const other = '{"spent":9}';
    const conditionThere = () =>
      api.store.write(tester, (write) =>
        write.db.updateTable('segments').set({ condition: other, updatedAt: startMs }).execute(),
      );
    const right = contentHash(bytes('{"price":2}'), {
      mapping: bytes(JSON.stringify([rule()])),
      segments: [{ name: 'vip', condition: bytes(other) }],
      layers: noLayers,
    });
    await conditionThere();
    await api.dev('PUT', '/segments/vip', { when: { spent: 9 }, description: 'as it is there' });
    expect(await hashOf(api)).toBe(right);
    await api.dev('PUT', '/segments/vip', { when: { spent: 1 } });
    await conditionThere();
    await recordOlderWrites(api.store);
    expect(await hashOf(api)).toBe(right);
  });

  it('is right of a revision between the newest and the live one that it published', async () => {
    const api = await startShop();
    await api.dev('PUT', '/contents/shop', { mapping: [rule()], publish: false });
    await api.dev('PUT', '/contents/shop', { mapping: [rule({ info: 'a' })], publish: false });
    await api.dev('PUT', '/segments/vip', { when: { spent: 9 } });
    await api.store.write(tester, (write) =>
      write.db.updateTable('contents').set({ live: 2 }).where('idLower', '=', 'shop').execute(),
    );
    const { signal } = new AbortController();
    await completeOlderWrites({ store: api.store, publish, signal });
    const right = contentHash(bytes('{"price":2}'), {
      mapping: bytes(JSON.stringify([rule()])),
      segments: [{ name: 'vip', condition: bytes('{"spent":9}') }],
      layers: noLayers,
    });
    expect((await published(api)).get('shop')).toBe(right);
  });
});

describe('a store of which some was hashed by the old rule', () => {
  it('says so until all is hashed', async () => {
    const store = await openStore();
    const rules = await store.read((db) =>
      db.selectFrom('storeState').select(['hashRule', 'writersMin']).execute(),
    );
    expect(rules).toEqual([{ hashRule: 'state', writersMin: 5 }]);
  });
});
