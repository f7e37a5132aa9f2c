import { describe, expect, it } from 'vitest';
import { completeOlderWrites } from '../../../../src/management/store/older-writes.js';
import { publishSegment } from '../../../../src/management/store/segments/save-segments.js';
import {
  deleteSegmentRevision,
  findOldSegmentRevisions,
  findSegmentRevisionAt,
  listSegmentRevisions,
} from '../../../../src/management/store/segments/segment-revisions.js';
import type { Store } from '../../../../src/management/store/store.js';
import { changesAfter, openStore, startApi, startMs, tester, tokenOf } from '../harness.js';

const us = { when: { country: 'US' } };
const ca = { when: { country: 'CA' } };
const eu = { when: { country: 'EU' } };
const draft = { publish: false };
const rules = [{ segment: 'us', merge: { n: 2 } }];

const publish = (store: Store, revision: number): Promise<unknown> =>
  store.write(tester, (write) => publishSegment(write, 'dev', 'us', revision));

describe('a draft of a segment', () => {
  it('is a numbered revision, and delivery keeps the live one', async () => {
    const api = await startApi();
    const live = (await api.dev('PUT', '/segments/us', us)).body;
    await api.dev('PUT', '/contents/shop', { text: '{}', mapping: rules });
    const { sequence } = (await api.dev('GET', '/segments/us')).body;
    expect(sequence).toBeUndefined();
    const before = await api.store.sequence();
    const saved = await api.dev('PUT', '/segments/us', { ...ca, ...draft, note: 'north' });
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({ revision: 2, live: 1, newest: 2, reaches: [], ...ca });
    expect(saved.body.sequence).toBe(before);
    expect(saved.body.updatedAt > live.updatedAt).toBe(true);
    expect((await api.dev('GET', '/segments/us')).body).toMatchObject({
      ...{ revision: 1, live: 1, newest: 2, ...us },
    });
    const [listed] = (await api.dev('GET', '/segments')).body.segments;
    expect(listed).toMatchObject({ revision: 1, live: 1, newest: 2 });
    const history = (await api.dev('GET', '/segments/us/revisions')).body;
    expect(history).toMatchObject({ live: 1, newest: 2 });
    expect(history.revisions).toMatchObject([
      { revision: 2, current: false, note: 'north' },
      { revision: 1, current: true },
    ]);
    expect((await api.dev('GET', '/segments/us/diff')).body).toMatchObject({
      ...{ from: { revision: 1 }, to: { revision: 2 } },
    });
  });

  it('saved twice is one revision, and one that repeats what is live is none', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/us', us);
    const repeated = await api.dev('PUT', '/segments/us', { ...us, ...draft });
    expect(repeated.body).toMatchObject({ revision: 1, live: 1, newest: 1 });
    for (let times = 0; times < 2; times += 1) {
      const saved = await api.dev('PUT', '/segments/us', { ...ca, ...draft });
      expect(saved.body).toMatchObject({ revision: 2, newest: 2 });
    }
    const drafts = (await api.call('GET', '/admin/v1/audit?action=segment.draft')).body.events;
    expect(drafts).toHaveLength(1);
  });

  it('is published under its number by a save that repeats it', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/us', us);
    await api.dev('PUT', '/segments/us', { ...ca, ...draft });
    const saved = await api.dev('PUT', '/segments/us', ca);
    expect(saved.body).toMatchObject({ revision: 2, live: 2, newest: 2 });
    expect(await changesAfter(api.store, saved.body.sequence - 1)).toMatchObject([
      { kind: 'segment', name: 'us', when: '{"country":"CA"}' },
    ]);
  });

  it('may be all there is of a segment, which no rule can use then', async () => {
    const api = await startApi();
    const before = await api.store.sequence();
    const saved = await api.dev('PUT', '/segments/us', { ...us, ...draft });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({ revision: 1, live: null, newest: 1 });
    expect((await api.dev('GET', '/segments/us')).body).toMatchObject({
      ...{ revision: 1, live: null, newest: 1, uses: [], ...us },
    });
    expect((await api.dev('GET', '/segments')).body.segments).toEqual([]);
    expect(await changesAfter(api.store, before)).toEqual([]);
    await api.dev('PUT', '/segments/zz', us);
    await api.dev('PUT', '/segments/gone', us);
    await api.dev('DELETE', '/segments/gone');
    const pages = [];
    for (let after = '', next = true; next; ) {
      const { body } = await api.dev('GET', `/segments?drafts=true&limit=1&after=${after}`);
      pages.push(body.segments.map((one: { name: string; live: number }) => [one.name, one.live]));
      after = body.next;
      next = after !== null;
    }
    expect(pages).toEqual([[['us', null]], [['zz', 1]]]);
    expect((await api.dev('DELETE', '/segments/us')).body.code).toBe('segment_not_found');
    const again = await api.dev('PUT', '/segments/us', { ...ca, ...draft });
    expect([again.status, again.body.revision]).toEqual([200, 2]);
    const live = await api.dev('PUT', '/segments/us', ca);
    expect([live.status, live.body.live]).toEqual([201, 2]);
  });

  it('cannot describe a segment that is not live, and describes a live one at once', async () => {
    const api = await startApi();
    const described = { ...ca, ...draft, description: 'Canada' };
    const early = await api.dev('PUT', '/segments/us', described);
    expect(early.body.errors).toMatchObject([{ path: 'description' }]);
    await api.dev('PUT', '/segments/us', us);
    await api.dev('PUT', '/segments/us', described);
    const shown = (await api.dev('GET', '/segments/us')).body;
    expect(shown).toMatchObject({ revision: 1, newest: 2, description: 'Canada' });
  });

  it('is not overwritten by an edit that was made before it', async () => {
    const api = await startApi();
    const { updatedAt: ifUpdatedAt } = (await api.dev('PUT', '/segments/us', us)).body;
    await api.dev('PUT', '/segments/us', { ...ca, ...draft, ifUpdatedAt });
    const late = await api.dev('PUT', '/segments/us', { ...eu, ...draft, ifUpdatedAt });
    expect(late.body.code).toBe('segment_conflict');
  });

  it('says what it would do without doing it', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/us', us);
    await api.dev('PUT', '/contents/shop', { text: '{}', mapping: rules });
    const plan = await api.dev('PUT', '/segments/us', { ...ca, ...draft, dryRun: true });
    expect(plan.body).toMatchObject({ created: false, changed: true, reaches: [] });
    expect((await api.dev('GET', '/segments/us')).body.newest).toBe(1);
  });

  it('may be saved by an editor in a protected environment, and not published', async () => {
    const api = await startApi();
    const editor = await tokenOf(api, 'editor');
    await api.dev('PATCH', '', { protected: true });
    expect((await api.dev('PUT', '/segments/us', { ...us, ...draft }, editor)).status).toBe(201);
    expect((await api.dev('PUT', '/segments/us', us, editor)).body.code).toBe('forbidden');
  });
});

describe('a content item whose rules name a segment that is not live', () => {
  it('is saved as a draft with a warning, and published only once the segment is live', async () => {
    const api = await startApi();
    const edit = { text: '{}', mapping: rules };
    const unknown = await api.dev('PUT', '/contents/shop', { ...edit, ...draft });
    expect(unknown.body.code).toBe('invalid_mapping');
    await api.dev('PUT', '/segments/us', { ...us, ...draft });
    const saved = await api.dev('PUT', '/contents/shop', { ...edit, ...draft });
    expect(saved.status).toBe(201);
    expect(saved.body.warnings).toMatchObject([{ path: 'mapping[0].segment' }]);
    expect((await api.dev('PUT', '/contents/shop', edit)).body.code).toBe('invalid_mapping');
    const early = await api.dev('POST', '/contents/shop/publish', {});
    expect(early.body.code).toBe('invalid_mapping');
    await publish(api.store, 1);
    expect((await api.dev('POST', '/contents/shop/publish', {})).body.live).toBe(1);
  });
});

describe('drafts in the history of a segment', () => {
  const at = (minutes: number): number => startMs + minutes * 60_000;

  it('were not live before they were published', async () => {
    let minutes = 0;
    const store = await openStore(undefined, () => at(minutes));
    const api = await startApi({}, { store });
    const put = async (body: object): Promise<void> => {
      minutes += 1;
      await api.dev('PUT', '/segments/us', body);
    };
    await put(us);
    await put({ ...ca, ...draft });
    await put({ ...eu, ...draft });
    minutes = 5;
    await publish(store, 2);
    minutes = 6;
    await api.dev('DELETE', '/segments/us');
    const held = [1, 2, 3, 4, 5, 6].map(async (minute) => {
      const found = await store.read((db) => findSegmentRevisionAt(db, 'dev', 'us', at(minute)));
      return found?.number ?? null;
    });
    expect(await Promise.all(held)).toEqual([1, 1, 1, 1, 2, null]);
    expect((await api.dev('GET', '/segments/us')).body.code).toBe('segment_not_found');
  });

  it('are not taken for what a server of an older version saved', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/us', us);
    await api.dev('PUT', '/segments/us', { ...ca, ...draft });
    const signal = new AbortController().signal;
    await completeOlderWrites({ store: api.store, publish: async () => undefined, signal });
    const shown = (await api.dev('GET', '/segments/us')).body;
    expect(shown).toMatchObject({ revision: 1, newest: 2, ...us });
  });

  it('push the live revision out of no history', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/us', us);
    for (const body of [ca, eu, ca]) await api.dev('PUT', '/segments/us', { ...body, ...draft });
    await api.store.write(tester, async (write) => {
      for (const key of await findOldSegmentRevisions(write.db, 1, 10)) {
        await deleteSegmentRevision(write, key);
      }
    });
    const left = await api.store.read((db) => listSegmentRevisions(db, 'dev', 'us', 99, 99));
    expect(left.map(({ number }) => number)).toEqual([4, 1]);
  });
});

it('no draft of a segment is saved while a server of an older version lives', async () => {
  const api = await startApi();
  const node = { address: '', version: '1.0.0', sequence: 0, serving: 1, startedAt: startMs };
  await api.store.write(tester, async ({ db }) => {
    const older = { ...node, id: 'old', name: 'old-1', seenAt: startMs, schema: 7 };
    await db.insertInto('nodes').values(older).execute();
  });
  const early = await api.dev('PUT', '/segments/us', { ...us, ...draft });
  expect([early.status, early.body.code]).toEqual([503, 'upgrade_in_progress']);
  expect(early.body.detail).toContain('old-1');
  await api.store.write(tester, ({ db }) => db.deleteFrom('nodes').execute());
  expect((await api.dev('PUT', '/segments/us', { ...us, ...draft })).status).toBe(201);
  const { writersMin } = await api.store.read((db) =>
    db.selectFrom('storeState').select('writersMin').executeTakeFirstOrThrow(),
  );
  expect(writersMin).toBe(8);
});
