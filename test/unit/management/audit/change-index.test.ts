/*
 * Goal: the audit is searched by words, path and value, and finds exactly what changed; older events are indexed as well; what
 * is removed from the audit leaves the index; and a reader sees no more than their environments.
 * Method: the admin API over a real store, and a naive comparison of parsed documents.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../../src/contract/operations/audit.js';
import { ChangeIndex } from '../../../../src/management/audit/index/change-index.js';
import { auditRetention } from '../../../../src/management/audit/retention.js';
import { listPlaces } from '../../../../src/management/contents/diff/list-places.js';
import {
  indexedEventsPerStep,
  placesLookedAt,
  placesPerItemMax,
} from '../../../../src/management/limits/audit.js';
import { type Harness, openStore, startApi, startMs, tester, workHere } from '../harness.js';

const audit = '/admin/v1/audit';
const prod = '/admin/v1/environments/prod';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** `path before -> after` of each value that differs, the plain way: arrays are compared between their equal ends. */
function naiveDiff(before: Json | undefined, after: Json | undefined, path = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return naiveArrays(before, after, path);
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => naiveDiff(before[key], after[key], `${path}/${escaped(key)}`));
  }
  return [
    ...leaves(before, path, (text) => `${text} -> null`),
    ...leaves(after, path, (text) => `null -> ${text}`),
  ]
    .reduce(merged, [])
    .map(({ path: at, change }) => `${at} ${change}`);
}

interface Leaf {
  readonly path: string;
  readonly change: string;
}

/** A value that came where another went is one change. */
function merged(found: Leaf[], leaf: Leaf): Leaf[] {
  const same = found.findIndex(({ path }) => path === leaf.path);
  if (same === -1) return [...found, leaf];
  const old = found[same] as Leaf;
  const change = `${old.change.split(' -> ')[0]} -> ${leaf.change.split(' -> ')[1]}`;
  return found.with(same, { path: leaf.path, change });
}

function naiveArrays(before: Json[], after: Json[], path: string): string[] {
  const same = (a: Json | undefined, b: Json | undefined) =>
    JSON.stringify(a) === JSON.stringify(b);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && same(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && same(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const old = before.slice(0, before.length - tail);
  const now = after.slice(0, after.length - tail);
  const found: string[] = [];
  for (let at = head; at < Math.max(old.length, now.length); at++) {
    found.push(...naiveDiff(old[at], now[at], `${path}/${at}`));
  }
  return found;
}

function leaves(value: Json | undefined, path: string, change: (text: string) => string): Leaf[] {
  if (value === undefined) return [];
  const children = Array.isArray(value)
    ? value.map((child, at) => [String(at), child] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (children.length === 0) return [{ path, change: change(JSON.stringify(value)) }];
  return children.flatMap(([key, child]) => leaves(child, `${path}/${escaped(key)}`, change));
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('a', 'ä"\\', ''), fc.boolean()),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('price', 'a/b', 'c~d', 'x', 'y'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

describe('the places of a change', () => {
  it('are exactly those that differ between two parsed documents', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const input = { before: bytesOf(before), after: bytesOf(after), countMax: 10_000 };
        const { places, cut } = listPlaces(input);
        const listed = places.map((place) => `${place.path} ${place.before} -> ${place.after}`);
        expect(cut).toBe(false);
        expect(listed.toSorted()).toEqual(naiveDiff(before, after).toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('are all values of a text that came or went', () => {
    const text = bytesOf({ a: [1, { b: 2 }], c: {} });
    const came = listPlaces({ before: null, after: text, countMax: 10 });
    expect(came.places.map(({ path, after }) => [path, after])).toEqual([
      ['/a/0', '1'],
      ['/a/1/b', '2'],
      ['/c', '{}'],
    ]);
    const went = listPlaces({ before: text, after: null, countMax: 2 });
    expect([went.places.map(({ before }) => before), went.cut]).toEqual([['1', '2'], true]);
  });
});

function bytesOf(value: Json): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** A request waits a limited time for the index, which a busy machine may exceed. */
async function search(api: Harness, query: string, token?: string): Promise<AuditEvent[]> {
  await new ChangeIndex(api.store, workHere).catchUp();
  const { status, body } = await api.call('GET', `${audit}?${query}`, undefined, token);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.events;
}

/** `action name: content path before -> after, …` */
async function found(api: Harness, query: string, token?: string): Promise<string[]> {
  const events = await search(api, query, token);
  return events.map(({ action, name, items = [] }) => {
    const places = items.flatMap(({ content, shown }) =>
      shown.map(({ path, before, after }) => `${content} ${path} ${before} -> ${after}`),
    );
    return `${action} ${name}: ${places.join(', ')}`;
  });
}

const shop = (price: number, banner = 'Autumn') =>
  `// offers\n{"packs":{"pearls":{"price":${price}}},"banner":"${banner}"}`;

async function startShop(api: Harness): Promise<void> {
  await api.call('POST', '/admin/v1/environments', { id: 'prod' });
  await api.dev('PUT', '/contents/shop', { text: shop(4.99), note: 'The first offers' });
  await api.dev('PUT', '/contents/other', { text: '{"banner":"none"}' });
  await api.dev('PUT', '/contents/shop', { text: shop(4990000), note: 'LIVE-231: pearls' });
  await api.call('POST', `${prod}/sync`, { from: 'dev' });
  await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
}

describe('a search', () => {
  it('finds changes by part of a path, by a pointer and by value, with what changed', async () => {
    const api = await startApi();
    await startShop(api);
    expect(await found(api, 'path=PRICE&environment=dev')).toEqual([
      'content.rollback shop: shop /packs/pearls/price 4990000 -> 4.99',
      'content.put shop: shop /packs/pearls/price 4.99 -> 4990000',
      'content.put shop: shop /packs/pearls/price null -> 4.99',
    ]);
    expect(await found(api, 'path=/packs/pearls&environment=dev')).toHaveLength(3);
    expect(await found(api, 'path=/packs/pea')).toEqual([]);
    expect(await found(api, 'value=4990000')).toEqual([
      'content.rollback shop: shop /packs/pearls/price 4990000 -> 4.99',
      'environment.sync dev: shop /packs/pearls/price null -> 4990000',
      'content.put shop: shop /packs/pearls/price 4.99 -> 4990000',
    ]);
    expect(await found(api, 'value=49900')).toEqual([]);
    expect(await found(api, 'value=4.990e0')).toHaveLength(3);
    expect(await found(api, 'value=UTUM&action=content')).toEqual([
      'content.put shop: shop /banner null -> "Autumn"',
    ]);
    expect(await found(api, 'value=%22Autum%22')).toEqual([]);
    expect(await found(api, 'path=banner&value=none&name=Other')).toEqual([
      'environment.sync dev: other /banner null -> "none"',
      'content.put other: other /banner null -> "none"',
    ]);
  });

  it('finds words in notes, in names and in the names of people, all of them', async () => {
    const api = await startApi();
    await startShop(api);
    const what = async (words: string) =>
      (await search(api, `words=${encodeURIComponent(words)}`)).map(({ action }) => action);
    expect(await what('live-231')).toEqual(['content.put']);
    expect(await what('OFFERS first')).toEqual(['content.put']);
    expect(await what('offers absent')).toEqual([]);
    // A part of the item's name, also within a sync.
    expect(await what('sho')).toEqual([
      ...['content.rollback', 'environment.sync', 'content.put', 'content.put'],
    ]);
    expect((await search(api, 'words=sho&action=environment.sync'))[0]?.content).toMatchObject({
      id: 'shop',
      change: 'added',
    });
    expect((await what('own')).length).toBeGreaterThan(4);
    expect(await what('100%')).toEqual([]);
    await api.dev('PUT', '/contents/other', { text: '1', note: 'Größer & "BESSER" 100%' });
    expect(await what('GRÖSSER')).toEqual([]);
    expect(await what('größer "besser" 100%')).toEqual(['content.put']);
    expect(await what('GRÖ')).toEqual(['content.put']);
  });

  it('shows what an item of a release, and an item that was removed, changed', async () => {
    const api = await startApi();
    await startShop(api);
    await api.dev('PUT', '/contents/shop', { text: shop(5.99), publish: false });
    const made = await api.dev('POST', '/releases', {
      title: 'Winter prices',
      changes: [{ kind: 'content', id: 'shop', revision: 4 }],
      steps: [{ percent: 10, holdMinutes: 5 }],
    });
    expect([made.status, made.body.release]).toEqual([201, 1]);
    await api.dev('POST', '/releases/1/start', {});
    await api.dev('POST', '/releases/1/live', {});
    await api.dev('POST', '/releases/1/revert', {});
    await api.dev('DELETE', '/contents/shop');
    expect(await found(api, 'path=/packs&environment=dev&limit=4')).toEqual([
      'content.delete shop: shop /packs/pearls/price 4.99 -> null',
      'release.revert 1: shop /packs/pearls/price 5.99 -> 4.99',
      'release.live 1: shop /packs/pearls/price 4.99 -> 5.99',
      'release.start 1: shop /packs/pearls/price 4.99 -> 5.99',
    ]);
    const named = await search(api, 'name=shop&action=release');
    expect(named.map(({ action }) => action)).toEqual([
      ...['release.revert', 'release.live', 'release.start'],
    ]);
    expect((await search(api, 'words=winter&environment=dev&limit=1'))[0]?.action).toBe(
      'release.revert',
    );
  });

  it('looks at the targeting as well', async () => {
    const api = await startApi();
    const rule = (price: number) => [{ segment: 'vip', when: {}, merge: { price } }];
    await api.dev('PUT', '/contents/shop', { text: '{"price":1}', mapping: rule(2) });
    const saved = await api.dev('PUT', '/contents/shop', { mapping: rule(3) });
    expect(saved.status).toBe(200);
    const [event] = await search(api, 'path=price&value=3');
    expect(event?.items).toEqual([
      {
        ...{ content: 'shop', from: 1, to: 2, places: 1, cut: false },
        shown: [{ appVersion: null, path: '/0/merge/price', before: '2', after: '3' }],
      },
    ]);
  });

  it('says how far it reaches, and which items changed more than is indexed', async () => {
    const api = await startApi();
    const many = Array.from({ length: placesPerItemMax + 1 }, (_, at) => at);
    await api.dev('PUT', '/contents/long', { text: JSON.stringify(many) });
    const last = `value=${placesPerItemMax}`;
    await new ChangeIndex(api.store, workHere).catchUp();
    const { body } = await api.call('GET', `${audit}?${last}`);
    expect(body).toEqual({ events: [], next: null, index: { from: null, until: null, cut: 1 } });
    expect(await found(api, `value=${placesPerItemMax - 1}`)).toHaveLength(1);
    const other = await api.call('GET', `${audit}?${last}&name=other`);
    expect(other.body.index.cut).toBe(0);
    expect((await api.call('GET', audit)).body.index).toBeNull();
  });

  it('looks at a bounded number of places at a time, and finds all of them page by page', async () => {
    const api = await startApi();
    const { store } = api;
    const ids = await writeEvents(api, 3);
    await new ChangeIndex(store, workHere).catchUp();
    await store.write(tester, async ({ db }) => {
      for (const [nth, auditId] of ids.entries()) {
        for (let from = 0; from < placesLookedAt; from += 500) {
          const rows = Array.from({ length: 500 }, (_, at) => ({
            ...{ auditId, item: 0, position: 1 + from + at, idLower: 'x', version: '0.0.0' },
            ...{ path: `/${nth}/${from + at}`, valueBefore: null, valueAfter: '7' },
          }));
          await db.insertInto('auditPlaces').values(rows).execute();
        }
      }
    });
    for (const nth of ids.keys()) {
      expect(await search(api, `path=/${nth}/${placesLookedAt - 1}`)).toHaveLength(1);
    }
    const pages: string[] = [];
    for (let before = ''; pages.length < 3; ) {
      const { body } = await api.call('GET', `${audit}?value=7&limit=1${before}`);
      pages.push(body.events[0].id);
      before = `&before=${body.next}`;
    }
    expect(pages).toEqual(ids.toReversed());
  });
});

/** Events of saves, as a server of an older version writes them. */
async function writeEvents(api: Harness, count: number): Promise<string[]> {
  await api.dev('PUT', '/contents/x', { text: '{"price":0}' });
  for (let revision = 2; revision <= count + 1; revision++) {
    await api.dev('PUT', '/contents/x', { text: `{"price":${revision}}` });
  }
  const events = await search(api, `name=x&limit=${count}`);
  return events.map(({ id }) => id).reverse();
}

describe('the index', () => {
  it('takes on what was there before it, newest first, and the same once more changes nothing', async () => {
    const api = await startApi();
    const { store } = api;
    const count = indexedEventsPerStep + 5;
    const ids = await writeEvents(api, count);
    const places = await store.read((db) =>
      db.selectFrom('auditPlaces').selectAll().orderBy('auditId').execute(),
    );
    expect(places).toHaveLength(count + 1);
    const newest = ids.at(-1) as string;
    await store.write(tester, async ({ db }) => {
      await db.deleteFrom('auditPlaces').execute();
      await db.deleteFrom('auditChanges').execute();
      const reach = { indexedTo: newest, filledFrom: `${newest}~` };
      await db.updateTable('changeIndex').set(reach).execute();
    });
    const before = await api.call('GET', `${audit}?path=price`);
    expect(before.body).toMatchObject({ events: [], index: { from: expect.any(String) } });
    const index = new ChangeIndex(store, workHere);
    await index.fill();
    const read = () =>
      store.read((db) => db.selectFrom('auditPlaces').selectAll().orderBy('auditId').execute());
    expect(await read()).toEqual(places);
    const after = await api.call('GET', `${audit}?path=price&limit=1000`);
    expect([after.body.events.length, after.body.index.from]).toEqual([count + 1, null]);
    await store.write(tester, ({ db }) =>
      db.updateTable('changeIndex').set({ indexedTo: '' }).execute(),
    );
    await Promise.all([index.catchUp(), new ChangeIndex(store, workHere).catchUp()]);
    expect(await read()).toEqual(places);
  });

  it('says that an event is not known any more whose revisions are gone', async () => {
    const api = await startApi();
    const [first] = await writeEvents(api, 1);
    const { store } = api;
    await store.write(tester, async ({ db }) => {
      await db.deleteFrom('auditChanges').execute();
      await db.updateTable('changeIndex').set({ indexedTo: '' }).execute();
      await db.updateTable('contents').set({ live: null }).execute();
      await db.deleteFrom('revisions').where('number', '=', 1).execute();
    });
    const events = await search(api, 'name=x');
    const event = events.find(({ id }) => id === first);
    expect(event?.items).toMatchObject([{ from: 1, to: 2, cut: true }]);
  });

  it('loses what it has of an event with the event', async () => {
    const clock = { ms: startMs };
    const store = await openStore(undefined, () => clock.ms);
    const api = await startApi({}, { store });
    await writeEvents(api, 3);
    clock.ms += 2 * 86_400_000;
    await api.dev('PUT', '/contents/x', { text: '9' });
    await search(api, 'path=price');
    const log = { warn: () => undefined };
    await auditRetention(store, log, () => clock.ms, 1).runNow();
    const left = await store.read((db) => db.selectFrom('auditPlaces').selectAll().execute());
    expect(new Set(left.map(({ auditId }) => auditId)).size).toBe(1);
    expect(
      await store.read((db) => db.selectFrom('auditChanges').selectAll().execute()),
    ).toHaveLength(1);
  });
});

describe('a reader that is no owner', () => {
  async function tokenOf(api: Harness, role: string, environments: unknown): Promise<string> {
    const user = { name: `a ${role} of ${environments}`, role, environments };
    return (await api.call('POST', '/admin/v1/users', user)).body.token;
  }

  it('sees what was done in their environments, without people and addresses', async () => {
    const api = await startApi();
    await startShop(api);
    await api.dev('POST', '/keys', { label: 'ios' });
    const viewer = await tokenOf(api, 'viewer', ['dev']);
    const seen = await search(api, '', viewer);
    expect(seen.map(({ action }) => action)).toEqual([
      ...['key.create', 'content.rollback', 'content.put', 'content.put', 'content.put'],
      'environment.create',
    ]);
    expect(new Set(seen.map(({ address }) => address))).toEqual(new Set(['']));
    expect((await search(api, ''))[0]?.address).not.toBe('');
    expect(await found(api, 'value=4990000', viewer)).toHaveLength(2);
    expect(await found(api, 'value=4990000&environment=prod', viewer)).toEqual([]);
    expect(await search(api, 'action=user', viewer)).toEqual([]);
    const everywhere = await tokenOf(api, 'editor', null);
    const nouns = new Set(
      (await search(api, '', everywhere)).map(({ action }) => action.split('.')[0]),
    );
    expect(nouns).toEqual(new Set(['key', 'content', 'environment']));
    const exported = await api.call('GET', `${audit}/export`, undefined, viewer);
    expect(exported.text.trim().split('\n')).toHaveLength(6);
    expect(exported.text).not.toContain('127.0.0.1');
  });
});
