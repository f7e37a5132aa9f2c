/**
 * Goal: evaluate and preview at a time in the past show what was live then: revision, mapping, and segments. Method: edits
 * at times that the test gives the store, then questions about each moment.
 */
import { describe, expect, it } from 'vitest';
import { type Harness, openStore, ownerToken, startApi, startMs } from '../harness.js';

const dayMs = 24 * 60 * 60_000;
const day = (number: number): number => startMs + number * dayMs;
const timeOf = (ms: number): string => new Date(ms).toISOString();

interface Past extends Harness {
  /** Moves the clock. */
  to(number: number): void;
}

async function startPast(): Promise<Past> {
  let nowMs = day(0);
  const store = await openStore(undefined, () => nowMs);
  const api = await startApi({}, { store, now: () => nowMs });
  return Object.assign(api, {
    to: (number: number) => {
      nowMs = day(number);
    },
  });
}

/** Day 1: text; 2: mapping; 3: segment; 4: text; 5: deleted; 6: back; asked on day 10. */
async function startHistory(): Promise<Past> {
  const api = await startPast();
  await api.dev('PUT', '/segments/vip', { when: { level: { $gte: 5 } } });
  api.to(1);
  await api.dev('PUT', '/contents/shop', { text: '{"price":1}' });
  api.to(2);
  await api.dev('PUT', '/contents/shop', { mapping: [{ segment: 'vip', merge: { vip: true } }] });
  api.to(3);
  await api.dev('PUT', '/segments/vip', { when: { level: { $gte: 50 } } });
  api.to(4);
  await api.dev('PUT', '/contents/shop', { text: '{"price":4}' });
  api.to(5);
  await api.dev('DELETE', '/contents/shop');
  api.to(6);
  await api.dev('POST', '/contents/shop/restore');
  api.to(10);
  return api;
}

const ask = (api: Harness, atMs: number, more: object = {}) =>
  api.dev('POST', '/evaluate', { id: 'shop', u: 'x', p: { level: 9 }, at: timeOf(atMs), ...more });

describe('evaluate as of a time in the past', () => {
  it('uses the revision, the mapping and the segments of then', async () => {
    const api = await startHistory();
    const then = async (number: number) => (await ask(api, day(number) + 1000)).body;
    expect(await then(1)).toMatchObject({
      revision: 1,
      segments: [],
      answer: { data: { price: 1 } },
    });
    expect(await then(2)).toMatchObject({
      ...{ revision: 2, segments: [{ name: 'vip', revision: 1 }] },
      answer: { data: { price: 1, vip: true }, meta: { seg: [{ n: 'vip' }] } },
    });
    expect(await then(3)).toMatchObject({
      ...{ revision: 2, segments: [{ name: 'vip', revision: 2 }] },
      answer: { data: { price: 1 }, meta: { seg: [] } },
    });
    expect((await then(3)).answer.data).not.toHaveProperty('vip');
    expect(await then(4)).toMatchObject({ revision: 3, answer: { data: { price: 4 } } });
    expect(await then(5)).toMatchObject({ code: 'content_not_found' });
    expect(await then(6)).toMatchObject({ revision: 3, answer: { data: { price: 4 } } });
    expect(await then(0)).toMatchObject({ code: 'content_not_found' });
  });

  it('uses them to the millisecond', async () => {
    const api = await startHistory();
    expect((await ask(api, day(2) - 1)).body.revision).toBe(1);
    expect((await ask(api, day(2))).body.revision).toBe(2);
    expect((await ask(api, day(3) - 1)).body.segments).toEqual([{ name: 'vip', revision: 1 }]);
    expect((await ask(api, day(3))).body.segments).toEqual([{ name: 'vip', revision: 2 }]);
  });

  it('shows what was delivered while a content was there that is deleted now', async () => {
    const api = await startHistory();
    await api.dev('DELETE', '/contents/shop');
    expect((await ask(api, day(4))).body.answer.data).toEqual({ price: 4 });
    expect((await api.dev('POST', '/evaluate', { id: 'shop' })).status).toBe(404);
  });

  it('has the hash that was delivered then', async () => {
    const api = await startPast();
    await api.dev('PUT', '/segments/vip', { when: { level: 1 } });
    await api.dev('PUT', '/contents/shop', {
      text: '1',
      mapping: [{ segment: 'vip', replace: 2 }],
    });
    const { hash } = (await api.dev('GET', '/contents/shop')).body;
    api.to(1);
    await api.dev('PUT', '/segments/vip', { when: { level: 2 } });
    expect((await api.dev('GET', '/contents/shop')).body.hash).not.toBe(hash);
    expect((await ask(api, day(0))).body.answer.hash).toBe(hash);
  });

  it('uses the segments of then for a revision that is named, and the present ones for an edit', async () => {
    const api = await startHistory();
    const named = await ask(api, day(2), { revision: 3 });
    expect(named.body).toMatchObject({ revision: 3, segments: [{ name: 'vip', revision: 1 }] });
    const edited = await ask(api, day(2), { text: '{"price":9}' });
    expect(edited.body).toMatchObject({ revision: 3, segments: [{ name: 'vip', revision: 2 }] });
  });

  it('knows that nothing was live while there was only a draft, before and after it is published', async () => {
    const api = await startPast();
    api.to(1);
    await api.dev('PUT', '/contents/shop', { text: '1', publish: false });
    api.to(3);
    expect((await ask(api, day(2))).body.code).toBe('content_not_found');
    await api.dev('POST', '/contents/shop/publish', {});
    api.to(4);
    expect((await ask(api, day(2))).body.code).toBe('content_not_found');
    expect((await ask(api, day(3))).body.revision).toBe(1);
  });

  it('tries a revision that is named at a time when its segments were not there yet', async () => {
    const api = await startPast();
    api.to(5);
    await api.dev('PUT', '/segments/vip', { when: {} });
    await api.dev('PUT', '/contents/shop', {
      text: '1',
      mapping: [{ segment: 'vip', replace: 2 }],
    });
    expect((await ask(api, day(2), { revision: 1 })).body.answer.data).toBe(2);
  });

  it('holds though the clock of the server goes back', async () => {
    const api = await startPast();
    api.to(4);
    await api.dev('PUT', '/contents/shop', { text: '1' });
    api.to(3);
    await api.dev('PUT', '/contents/shop', { text: '2' });
    api.to(5);
    expect((await ask(api, day(4) + 1)).body.revision).toBe(2);
  });

  it('uses the present for a time to come', async () => {
    const api = await startHistory();
    expect((await ask(api, day(20))).body).toMatchObject({
      revision: 3,
      segments: [{ name: 'vip', revision: 2 }],
    });
  });

  it('says what is no longer kept: a revision, a condition, the record itself', async () => {
    const api = await startHistory();
    const forget = (table: 'revisions' | 'segmentRevisions' | 'publications', number: number) =>
      api.store.write({ userId: '', name: 'system', role: 'owner', address: '' }, ({ db }) =>
        db.deleteFrom(table).where('number', '=', number).execute(),
      );
    await forget('segmentRevisions', 1);
    const condition = await ask(api, day(2));
    expect(condition.status).toBe(410);
    expect(condition.body.code).toBe('history_not_kept');
    expect(condition.body.detail).toContain('The condition that the segment "vip" had at 2026');
    await forget('revisions', 1);
    expect((await ask(api, day(1))).body.detail).toContain('Revision 1 of "shop" was live at 2026');
    await forget('publications', 1);
    expect((await ask(api, day(1))).body.detail).toContain(
      `The record begins at ${timeOf(day(2))}.`,
    );
  });
});

describe('layers as of a time in the past', () => {
  const shopLayer = (salt: string) => ({ layers: [{ name: 'shop', salt }], holdout: null });
  const mapping = [
    {
      ...{ segment: 'half', when: {}, layer: 'shop', slice: [0, 499], salt: 'own' },
      variants: [{ name: 'a', groups: [0, 999], merge: { half: true } }],
    },
  ];

  it('are those of then; where they are not kept, content items that use none are still shown', async () => {
    const api = await startPast();
    await api.dev('PUT', '/layers', shopLayer('first'));
    api.to(1);
    const put = await api.dev('PUT', '/contents/shop', { text: '{"price":1}', mapping });
    expect(put.body).toMatchObject({ revision: 1 });
    await api.dev('PUT', '/contents/plain', { text: '1' });
    const first = (await ask(api, day(1))).body.rules;
    api.to(2);
    await api.dev('PUT', '/layers', shopLayer('second'));
    api.to(3);
    expect((await ask(api, day(1) + 1)).body.rules).toEqual(first);
    expect((await ask(api, day(2) + 1)).body.rules).not.toEqual(first);
    await api.store.write({ userId: '', name: 'system', role: 'owner', address: '' }, ({ db }) =>
      db.deleteFrom('layerPublications').where('at', '<', day(2)).execute(),
    );
    const body = { u: 'x', at: timeOf(day(1) + 1), ids: ['plain', 'shop'] };
    const { items } = (await api.dev('POST', '/players/lookup', body)).body;
    expect(items).toMatchObject([
      { outcome: 'delivered' },
      { outcome: 'not_known', detail: expect.stringContaining('are not kept') },
    ]);
  });
});

describe('preview as of a time in the past', () => {
  it('compares the edit with what was live then', async () => {
    const api = await startHistory();
    const preview = async (head: object) =>
      (
        await fetch(`${api.url}/admin/v1/environments/dev/preview`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${ownerToken}`,
            'content-type': 'application/x-ndjson',
          },
          body: `${JSON.stringify(head)}\n${JSON.stringify({ u: 'x', p: { level: 9 } })}\n`,
        })
      ).json();
    expect(await preview({ id: 'shop', at: timeOf(day(2)) })).toMatchObject({
      ...{ revision: 3, live: 3, byKind: { data: 1 } },
      compared: { revision: 2, segments: [{ name: 'vip', revision: 1 }] },
      changes: [
        {
          pointers: [
            { path: '/price', before: '1', after: '4' },
            { path: '/vip', change: 'removed' },
          ],
        },
      ],
    });
    expect(await preview({ id: 'shop', at: timeOf(day(5)) })).toMatchObject({
      byKind: { appeared: 1 },
      compared: null,
    });
    expect(await preview({ id: 'shop' })).toMatchObject({
      changed: { contexts: 0 },
      compared: { revision: 3, segments: [{ name: 'vip', revision: 2 }] },
    });
  });
});
