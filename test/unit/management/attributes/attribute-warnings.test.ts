/*
 * Goal: an editor learns, when saving and when publishing, of a condition that can match no player: a value with a blank
 * around it, an attribute that nothing else has. Method: conditions in contents and segments, beside other conditions,
 * sample users and what requests carried.
 */
import { describe, expect, it } from 'vitest';
import { seenAttributeRetention } from '../../../../src/management/attributes/seen-attribute-retention.js';
import { AttributesSeen } from '../../../../src/management/attributes/seen-attributes.js';
import {
  seenAttributesKeptMs,
  seenAttributesMax,
} from '../../../../src/management/limits/evaluation.js';
import type { Store } from '../../../../src/management/store/store.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import type { SeenTraffic } from '../../../../src/published/traffic.js';
import { type Harness, startApi, startMs } from '../harness.js';

const silent = { warn: () => undefined };
const never = 3_600_000;
const dayMs = 24 * 3_600_000;

function named(names: readonly string[]): SeenTraffic {
  return { environment: 'dev', names, values: [], sampled: null };
}

/** Requests carry these, as delivery processes report them. */
async function carry(api: Harness, names: readonly string[], now = startMs): Promise<void> {
  const seen = new AttributesSeen(api.store, silent, () => now, never);
  seen.note([named(names)]);
  await seen.close();
}

const rule = (when: unknown): unknown => ({ segment: 'rule', when, merge: { n: 2 } });
const content = (...conditions: unknown[]): Record<string, unknown> => ({
  text: '{"n":1}',
  mapping: conditions.map(rule),
});
const blank = (path: string, value: string, name = 'country') => ({
  path,
  message: `the value "${value}" of "${name}" begins or ends with a blank: "${value.trim()}" does not match it`,
});
const unused = (path: string, name: string, requests: string) => ({
  path,
  message: `no other condition and no sample user has the attribute "${name}", and ${requests}: does the game send it?`,
});
const none = 'no request has carried it yet';
const lately = 'no request of the last 90 days has carried it';

describe('a warning of a blank around a value of a list', () => {
  it('names rule, attribute and value, when a content is saved, tried and published', async () => {
    const api = await startApi();
    await carry(api, ['country', 'tags']);
    const edit = content({ country: 'DE' }, { $or: [{ country: { $in: ['DE', ' FR'] } }] });
    const expected = [blank('mapping[1].when.$or[0].country.$in[1]', ' FR')];
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect(dry.body.warnings).toEqual(expected);
    const saved = await api.dev('PUT', '/contents/shop', { ...edit, publish: false });
    expect([saved.status, saved.body.warnings]).toEqual([201, expected]);
    const live = await api.dev('POST', '/contents/shop/publish', {});
    expect([live.status, live.body.warnings]).toEqual([200, expected]);
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    const back = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect([back.status, back.body.warnings]).toEqual([200, expected]);
  });

  it('comes with a segment, its dry run, its test and its rollback', async () => {
    const api = await startApi();
    await carry(api, ['country']);
    const when = { country: { $nin: ['FR '] } };
    const expected = [blank('when.country.$nin[0]', 'FR ')];
    const dry = await api.dev('PUT', '/segments/eu', { when, dryRun: true });
    expect(dry.body.warnings).toEqual(expected);
    const saved = await api.dev('PUT', '/segments/eu', { when });
    expect([saved.status, saved.body.warnings]).toEqual([201, expected]);
    const tested = await api.dev('POST', '/segments/test', { when, contexts: [{}] });
    expect(tested.body.warnings).toEqual(expected);
    await api.dev('PUT', '/segments/eu', { when: { country: 'FR' } });
    const back = await api.dev('POST', '/segments/eu/rollback', { revision: 1 });
    expect([back.status, back.body.warnings]).toEqual([200, expected]);
    expect((await api.dev('GET', '/segments/eu')).body.when).toEqual(when);
  });

  it.each(['$in', '$nin', '$ini', '$nini', '$all', '$alli'])('comes with %s', async (operator) => {
    const api = await startApi();
    await carry(api, ['country']);
    const { body } = await api.dev('PUT', '/segments/eu', {
      when: { $not: { country: { [operator]: ['DE', '\tFR', 3] } } },
    });
    const { path, message } = blank(`when.$not.country.${operator}[1]`, '\tFR');
    expect(body.warnings).toEqual([{ path, message: message.replace('\t', '\\t') }]);
  });

  it('sees lists within other operators, and texts of blanks alone', async () => {
    const api = await startApi();
    await carry(api, ['country', 'tags']);
    const when = {
      country: { $not: { $in: [' '] } },
      tags: { $elemMatch: { name: { $in: ['a '] } } },
    };
    const { body } = await api.dev('PUT', '/segments/eu', { when });
    expect(body.warnings).toEqual([
      {
        path: 'when.country.$not.$in[0]',
        message:
          'the value " " of "country" begins or ends with a blank: only the same blanks match it',
      },
      blank('when.tags.$elemMatch.name.$in[0]', 'a ', 'tags'),
    ]);
  });

  it('comes with an import, with the line it stands in', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/eu', { when: { country: { $in: [' FR'] } } });
    const { text: file } = await api.dev('GET', '/export');
    await api.call('POST', '/admin/v1/environments', { id: 'other', name: 'Other' });
    const path = '/admin/v1/environments/other/import?dryRun=true';
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await fetch(`${api.url}${path}`, {
      ...{ method: 'POST', body: file },
      headers: { ...headers, authorization: 'Bearer owner-token-of-the-tests' },
    });
    const { warnings } = (await imported.json()) as { warnings: unknown[] };
    expect(warnings).toEqual([
      { ...blank('when.country.$in[0]', ' FR'), line: expect.any(Number) },
    ]);
  });

  it('does not come for blanks within a value', async () => {
    const api = await startApi();
    await carry(api, ['country']);
    const when = { country: { $in: ['New Zealand', ''] } };
    expect((await api.dev('PUT', '/segments/nz', { when })).body.warnings).toEqual([]);
  });
});

describe('a warning of an attribute that nothing else has', () => {
  it('comes when a content is saved, tried, published and rolled back to', async () => {
    const api = await startApi();
    await carry(api, ['country']);
    const edit = content({ country: 'DE' }, { $and: [{ 'plaform.os': 'ios' }, { plaform: 1 }] });
    const expected = [unused('mapping[1].when.$and[0].plaform.os', 'plaform', lately)];
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect(dry.body.warnings).toEqual(expected);
    const saved = await api.dev('PUT', '/contents/shop', { ...edit, publish: false });
    expect([saved.status, saved.body.warnings]).toEqual([201, expected]);
    const live = await api.dev('POST', '/contents/shop/publish', {});
    expect([live.status, live.body.warnings]).toEqual([200, expected]);
    // Its own live condition is no other use.
    const again = await api.dev('PUT', '/contents/SHOP', { text: '{"n":3}' });
    expect(again.body.warnings).toEqual(expected);
    const back = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect([back.status, back.body.warnings]).toEqual([200, expected]);
    await api.dev('DELETE', '/contents/shop');
    const restored = await api.dev('POST', '/contents/shop/restore');
    expect([restored.status, restored.body.warnings]).toEqual([200, expected]);
  });

  it('comes with a segment, its dry run and its rollback, and with a content that names it', async () => {
    const api = await startApi();
    await carry(api, ['country']);
    const when = { plaform: 'ios' };
    const expected = [unused('when.plaform', 'plaform', lately)];
    const dry = await api.dev('PUT', '/segments/ios', { when, dryRun: true });
    expect(dry.body.warnings).toEqual(expected);
    const saved = await api.dev('PUT', '/segments/ios', { when });
    expect([saved.status, saved.body.warnings]).toEqual([201, expected]);
    const again = await api.dev('PUT', '/segments/ios', { when });
    expect([again.status, again.body.warnings]).toEqual([200, expected]);
    const back = await api.dev('POST', '/segments/ios/rollback', { revision: 1 });
    expect(back.body.warnings).toEqual(expected);
    const mapping = [{ segment: 'ios', merge: { n: 1 } }];
    const used = await api.dev('PUT', '/contents/shop', { text: '{"n":0}', mapping });
    expect(used.body.warnings).toEqual([unused('mapping[0].segment', 'plaform', lately)]);
  });

  it('does not come once another condition, a sample user or a request has it', async () => {
    const api = await startApi();
    const warnings = async (name: string): Promise<unknown> => {
      const when = { [name]: 1 };
      return (await api.dev('PUT', `/segments/own`, { when, dryRun: true })).body.warnings;
    };
    const names = ['inSegment', 'inContent', 'inSample', 'inRequest'];
    await api.dev('PUT', '/segments/other', { when: { known: 1 } });
    for (const name of names) {
      expect(await warnings(name)).toEqual([unused(`when.${name}`, name, none)]);
    }
    await api.dev('PUT', '/segments/other', { when: { $not: { 'inSegment.deep': 1 } } });
    const draft = { ...content({ inContent: 1 }), publish: false };
    await api.dev('PUT', '/contents/shop', draft);
    // A draft is for nobody yet.
    expect(await warnings('inContent')).toHaveLength(1);
    await api.dev('POST', '/contents/shop/publish', {});
    await api.dev('PUT', '/sample-users/ada', { p: { inSample: 1 } });
    await carry(api, ['inRequest']);
    for (const name of names) expect(await warnings(name)).toEqual([]);
    await api.dev('DELETE', '/contents/shop');
    expect(await warnings('inContent')).toEqual([unused('when.inContent', 'inContent', lately)]);
  });

  it('is one for all attributes where nothing is known of any', async () => {
    const api = await startApi();
    const one = await api.dev('PUT', '/segments/de', { when: { country: 'DE' }, dryRun: true });
    expect(one.body.warnings).toEqual([
      {
        path: 'when',
        message:
          'no request has carried the attribute "country" yet, and nothing else uses it: does the game send it?',
      },
    ]);
    const edit = { ...content({ country: 'DE', level: 1 }, { platform: 'ios' }), dryRun: true };
    const many = await api.dev('PUT', '/contents/shop', edit);
    expect(many.body.warnings).toEqual([
      {
        path: 'mapping',
        message:
          'no request has carried the attributes "country", "level", "platform" yet, and nothing else uses them: does the game send them?',
      },
    ]);
  });

  it('does not come for what the server knows itself, nor of elements of a list', async () => {
    const api = await startApi();
    await carry(api, ['tags']);
    const when = {
      '@u': { $ne: '' },
      '@v': { $vgte: '1.0.0' },
      '@mod': { $lt: 500 },
      tags: { $elemMatch: { name: 'a' } },
    };
    expect((await api.dev('PUT', '/segments/own', { when })).body.warnings).toEqual([]);
  });

  it('does not come from other environments, nor where requests carry too many names to know all', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'other', name: 'Other' });
    await carry(api, ['country']);
    const put = async (env: string) =>
      api.call('PUT', `/admin/v1/environments/${env}/segments/de`, {
        ...{ when: { country: 1 }, dryRun: true },
      });
    expect((await put('dev')).body.warnings).toEqual([]);
    expect((await put('other')).body.warnings).toHaveLength(1);
    await carry(
      api,
      Array.from({ length: seenAttributesMax }, (_, count) => `a${count}`),
    );
    const full = await api.dev('PUT', '/segments/de', { when: { plaform: 1 } });
    expect(full.body.warnings).toEqual([]);
    expect((await api.dev('GET', '/attributes')).body.cut).toBe(true);
  });

  it('does not make a save fail that is made', async () => {
    const api = await startApi();
    const read: Store['read'] = api.store.read.bind(api.store);
    let isAway = false;
    const store = Object.create(api.store, {
      read: {
        value: (work: never) =>
          isAway ? Promise.reject(new StoreUnavailable('gone')) : read(work),
      },
      write: { value: api.store.write.bind(api.store) },
      sequence: { value: api.store.sequence.bind(api.store) },
      ensureOwner: { value: api.store.ensureOwner.bind(api.store) },
    }) as Store;
    const second = await startApi(
      {},
      {
        store,
        publish: async () => {
          isAway = true;
        },
      },
    );
    const saved = await second.dev('PUT', '/segments/de', { when: { country: 1 } });
    isAway = false;
    expect([saved.status, saved.body.warnings]).toEqual([201, []]);
  });
});

describe('names of attributes that requests carried', () => {
  it('are listed with what else has them, and the day', async () => {
    const api = await startApi();
    await carry(api, ['country', 'level']);
    await api.dev('PUT', '/segments/de', { when: { country: 'DE', 'player.rank': 1 } });
    await api.dev('PUT', '/contents/shop', content({ level: 1 }));
    await api.dev('PUT', '/sample-users/ada', { p: { level: 3, vip: true } });
    const { status, body } = await api.dev('GET', '/attributes');
    expect(status).toBe(200);
    const [unknown, lastSeen] = [null, '2026-01-01'];
    const nowhere = { segments: [], contents: [], sampleUsers: [], values: [] };
    expect(body).toEqual({
      cut: false,
      attributes: [
        { name: 'country', ...nowhere, segments: ['de'], lastSeen },
        { name: 'level', ...nowhere, contents: ['shop'], sampleUsers: ['ada'], lastSeen },
        { name: 'player', ...nowhere, segments: ['de'], lastSeen: unknown },
        { name: 'vip', ...nowhere, sampleUsers: ['ada'], lastSeen: unknown },
      ],
    });
    expect((await api.call('GET', '/admin/v1/environments/nowhere/attributes')).status).toBe(404);
  });

  it('follow an edit of what names them', async () => {
    const api = await startApi();
    const names = async (): Promise<string[]> =>
      (await api.dev('GET', '/attributes')).body.attributes.map(
        ({ name }: { name: string }) => name,
      );
    await api.dev('PUT', '/segments/de', { when: { country: 'DE' } });
    expect(await names()).toEqual(['country']);
    await api.dev('PUT', '/segments/de', { when: { region: 'EU' } });
    expect(await names()).toEqual(['region']);
    await api.dev('DELETE', '/segments/de');
    expect(await names()).toEqual([]);
  });

  it('are written without an audit row and a sequence, and once a day', async () => {
    const api = await startApi();
    const sequence = await api.store.sequence();
    const events = (await api.call('GET', '/admin/v1/audit')).text;
    await carry(api, ['country']);
    expect(await api.store.sequence()).toBe(sequence);
    expect((await api.call('GET', '/admin/v1/audit')).text).toBe(events);
    let writes = 0;
    const write: Store['write'] = (actor, work) => {
      writes += 1;
      return api.store.write(actor, work);
    };
    const read = api.store.read.bind(api.store);
    const seen = new AttributesSeen({ read, write }, silent, () => startMs + 5, never);
    seen.note([named(['country'])]);
    await seen.write();
    expect(writes).toBe(0);
    seen.note([named(['country', 'level'])]);
    await seen.close();
    expect(writes).toBe(1);
  });

  it('keep the newest day, of whichever server reports last', async () => {
    const api = await startApi();
    const days = async (): Promise<(string | null)[]> =>
      (await api.dev('GET', '/attributes')).body.attributes.map(
        ({ lastSeen }: { lastSeen: string | null }) => lastSeen,
      );
    await carry(api, ['country'], startMs + 2 * dayMs);
    await carry(api, ['country'], startMs + dayMs);
    expect(await days()).toEqual(['2026-01-03']);
  });

  it('wait while the store cannot be written', async () => {
    const api = await startApi();
    let full = true;
    const write: Store['write'] = (actor, work) =>
      full ? Promise.reject(new StoreUnavailable('disk full')) : api.store.write(actor, work);
    const read = api.store.read.bind(api.store);
    const seen = new AttributesSeen({ read, write }, silent, () => startMs, never);
    seen.note([named(['country'])]);
    await seen.write();
    expect((await api.dev('GET', '/attributes')).body.attributes).toEqual([]);
    full = false;
    await seen.close();
    expect((await api.dev('GET', '/attributes')).body.attributes).toMatchObject([
      { name: 'country' },
    ]);
  });

  it('are bounded: the newest stay', async () => {
    const api = await startApi();
    const many = (prefix: string) =>
      Array.from({ length: seenAttributesMax }, (_, count) => `${prefix}${count}`);
    await carry(api, many('old'));
    await carry(api, ['fresh'], startMs + dayMs);
    await carry(api, many('old').slice(0, 10), startMs + dayMs);
    const rows = await api.store.read((db) =>
      db.selectFrom('seenAttributes').select(['name', 'lastSeen']).execute(),
    );
    expect(rows).toHaveLength(seenAttributesMax);
    expect(rows).toContainEqual({ name: 'fresh', lastSeen: startMs + dayMs });
  });

  it('go with the environment, and what is reported of one that is gone is no fault', async () => {
    const api = await startApi();
    const count = () =>
      api.store.read(
        async (db) => (await db.selectFrom('seenAttributes').selectAll().execute()).length,
      );
    await carry(api, ['country']);
    expect(await count()).toBe(1);
    await api.call('DELETE', '/admin/v1/environments/dev');
    expect(await count()).toBe(0);
    await carry(api, ['country']);
    expect(await count()).toBe(0);
  });

  it('are forgotten when no request has carried them for long', async () => {
    const api = await startApi();
    await carry(api, ['old', 'older'], startMs - seenAttributesKeptMs - dayMs);
    await carry(api, ['young'], startMs - seenAttributesKeptMs + dayMs);
    // Not shown, though the background work has not come to it.
    expect((await api.dev('GET', '/attributes')).body.attributes).toMatchObject([
      { name: 'young' },
    ]);
    const names = () =>
      api.store.read((db) => db.selectFrom('seenAttributes').select('name').execute());
    expect(await names()).toHaveLength(3);
    await seenAttributeRetention(api.store, silent, () => startMs).runNow();
    expect(await names()).toEqual([{ name: 'young' }]);
  });
});
