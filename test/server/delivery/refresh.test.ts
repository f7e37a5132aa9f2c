/** The whole start-up in one request: what is sent, what is not, and how it is told apart. */
import { crc32, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import type { Answer } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';

type Have = Record<string, string>;

const server = sharedServer();
let game: Environment;

/** What a client holds after a refresh. */
function tagsOf(answer: Answer, have: Have = {}): Have {
  const held = { ...have };
  for (const id of answer.json.gone) delete held[id];
  for (const [id, entry] of Object.entries(answer.json.contents)) {
    held[id] = (entry as { tag: string }).tag;
  }
  return held;
}

/** The data of a wrapped response, as it was written. */
function dataOf(wrapped: string): string {
  return wrapped.slice('{"data":'.length, wrapped.lastIndexOf(',"hash":"'));
}

/** The entry that a refresh has, given the single response to the same request in each form. */
function entryOf(single: string, json: string, tag: string): string {
  const crc = crc32(dataOf(json)).toString(16).padStart(8, '0');
  return `${single.slice(0, -1)},"tag":"${tag}","crc":"${crc}"}`;
}

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":1.10, "big": 9007199254740993, "__proto__":{"x":1e400}}', {
    mapping: [
      { segment: 'us', when: { country: 'US' }, info: 'i', merge: { price: 2 } },
      { segment: 'control', when: {}, variants: [{ name: 'c', groups: [0, 999] }] },
    ],
  });
  await game.put('levels', JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id }))));
  await game.put('motd', '"\\ud83d\\ude00 ,\\"hash\\":\\""');
  await game.put('old', '1', { appVersion: '1.0.0' });
  await game.put('old', '2', { appVersion: '2.0.0' });
});

const all = ['Shop', 'levels', 'motd', 'old'];
const callers: readonly Record<string, unknown>[] = [
  {},
  { u: 'a', p: { country: 'US' } },
  { u: 'b', p: { country: 'PL' }, v: '1.5.0' },
];

describe('an entry is the single wrapped response, with tag and crc', () => {
  for (const query of ['', '?responseType=serialized']) {
    it(`in the form ${query === '' ? 'json' : 'serialized'}`, async () => {
      for (const caller of callers) {
        const { text, json } = await game.refresh({ ...caller, ids: all }, query);
        const entries = await Promise.all(
          all.map(async (id) => {
            const single = (await game.wrapped(id, caller, query)).text;
            const { tag } = json.contents[id];
            expect(tag).toMatch(/^[0-9a-f]{16}$/);
            return `"${id}":${entryOf(single, (await game.wrapped(id, caller)).text, tag)}`;
          }),
        );
        const head = `{"store":${JSON.stringify(json.store)},"sequence":${json.sequence},"changesAt":null,"contents":`;
        expect(text).toBe(`${head}{${entries.join(',')}},"gone":[],"more":false}`);
      }
    });
  }

  it('compressed or not', async () => {
    for (const query of ['', '?responseType=serialized']) {
      for (let round = 0; round < 3; round += 1) {
        const plain = await game.refresh({ ids: all }, query);
        const packed = await game.refresh({ ids: all }, query, { 'accept-encoding': 'gzip' });
        expect(packed.headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
      }
    }
  });
});

describe('what the client holds is not sent again', () => {
  it('in at most 160 bytes when nothing changed', async () => {
    for (const caller of callers) {
      const have = tagsOf(await game.refresh(caller));
      expect(Object.keys(have).length).toBe(4);
      const { status, text, json } = await game.refresh({ ...caller, have });
      expect(status).toBe(200);
      expect(json).toMatchObject({ contents: {}, gone: [], more: false });
      expect(text.length).toBeLessThanOrEqual(160);
    }
  });

  it('but what differs is: an edited item, another player, another app version, a tag of elsewhere', async () => {
    const other = await makeEnvironment(server);
    await other.put('a', '1', { mapping: [{ segment: 'us', when: { c: 'US' }, merge: { x: 1 } }] });
    await other.put('b', '{"b":1}');
    await other.put('c', '1', { appVersion: '1.0.0' });
    await other.put('c', '2', { appVersion: '2.0.0' });
    const sent = async (body: Body) => Object.keys((await other.refresh(body)).json.contents);
    const have = tagsOf(await other.refresh({ v: '1.0.0' }));
    expect(await sent({ v: '1.0.0', have })).toEqual([]);
    expect(await sent({ v: '1.0.0', p: { c: 'US' }, have })).toEqual(['a']);
    expect(await sent({ v: '2.0.0', have })).toEqual(['c']);
    expect(await sent({ v: '1.0.0', have: { ...have, b: 'of elsewhere' } })).toEqual(['b']);
    await other.put('b', '{"b":2}');
    expect(await sent({ v: '1.0.0', have })).toEqual(['b']);
    await other.put('b', '{ "b": 1 }');
    expect(await sent({ v: '1.0.0', have })).toEqual([]);
  });

  it('tags are the same in another environment, for another player, in another form', async () => {
    const twin = await makeEnvironment(server);
    await twin.put('renamed', '{"same":true}', { mapping: [{ segment: 's', when: { x: 1 } }] });
    await game.put('same', '{"same":true}');
    const tag = async (of: Environment, id: string, body: Body, query = '') =>
      (await of.refresh({ ...(body as object), ids: [id] }, query)).json.contents[id].tag;
    const first = await tag(game, 'same', { u: 'one' });
    expect(await tag(twin, 'renamed', { u: 'two' }, '?responseType=serialized')).toBe(first);
    expect(await tag(twin, 'renamed', { p: { x: 1 } })).not.toBe(first);
    await server.admin('DELETE', `${game.path}/contents/same`);
  });
});

describe('ids and have', () => {
  it('name an entry as in ids, else as in have, else as in the catalog', async () => {
    const { json } = await game.refresh({ have: { SHOP: 'x', nope: 'y' } });
    expect(Object.keys(json.contents).sort()).toEqual(['SHOP', 'levels', 'motd', 'old']);
    const named = await game.refresh({
      ids: ['sHop', 'MOTD', 'motD2'],
      have: { SHOP: 'x', OLD: '' },
    });
    expect(Object.keys(named.json.contents)).toEqual(['sHop', 'MOTD', 'OLD']);
    expect(named.json.gone).toEqual(['motD2']);
  });

  it('compare an id of ids with the tag of its other spelling in have', async () => {
    const { Shop } = tagsOf(await game.refresh({ ids: ['Shop'] }));
    const { json } = await game.refresh({ ids: ['shop'], have: { SHOP: Shop as string } });
    expect(json).toMatchObject({ contents: {}, gone: [] });
  });

  it('list as gone what is not there, and what has no version line for v; the catalog does not', async () => {
    const young = { v: '0.9.0' };
    const { json } = await game.refresh({ ...young, have: { old: 'x', lost: 'y', '': 'z' } });
    expect(json.gone.sort()).toEqual(['', 'lost', 'old']);
    const listed = await game.refresh(young);
    expect(Object.keys(listed.json.contents).sort()).toEqual(['Shop', 'levels', 'motd']);
    expect(listed.json.gone).toEqual([]);
  });

  it('mean nothing when they are null, and everything is wanted', async () => {
    const { json } = await game.refresh({ ids: null, have: null, bytesMax: null });
    expect(Object.keys(json.contents).length).toBe(4);
    expect((await game.refresh({ ids: [] })).json.contents).toEqual({});
  });

  it('are compressed where many are gone, alone and beside entries, and of any length', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    for (const [count, ids] of [
      [600, []],
      [600, all],
      [9_000, []],
      [9_000, all],
    ] as const) {
      const lost = Array.from({ length: count }, (_, at) => [`lost-offer-${at}`, '']);
      const body = { ids, have: Object.fromEntries(lost) };
      const plain = await game.refresh(body);
      for (let round = 0; round < 3; round += 1) {
        const packed = await game.refresh(body, '', gzip);
        expect(packed.headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
        if (count === 600) {
          expect(packed.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
        }
      }
    }
  });

  it('may have any names and tags', async () => {
    const have = JSON.parse(
      `{"__proto__":"a","constructor":"b","😀":"c","${'x'.repeat(5_000)}":"d","\\ud800":"e"}`,
    );
    const { json } = await game.refresh({ ids: [], have });
    expect(json.gone.length).toBe(5);
  });
});

describe('pages', () => {
  it('end when all is held, each of at least one entry, and nothing is sent twice', async () => {
    const many = await makeEnvironment(server);
    const ids = Array.from({ length: 12 }, (_, at) => `item-${at}`);
    for (const id of ids) await many.put(id, JSON.stringify({ id, filler: 'x'.repeat(900) }));
    let have: Have = {};
    const sent: string[] = [];
    const sizes: number[] = [];
    for (let more = true; more; ) {
      const answer = await many.refresh({ have, bytesMax: 3_000 });
      sent.push(...Object.keys(answer.json.contents));
      sizes.push(Object.keys(answer.json.contents).length);
      have = tagsOf(answer, have);
      more = answer.json.more;
    }
    expect(sent.sort()).toEqual(ids.sort());
    expect(sizes).toEqual([2, 2, 2, 2, 2, 2]);
    const one = await many.refresh({ bytesMax: 1 });
    expect(Object.keys(one.json.contents).length).toBe(1);
    expect(one.json.more).toBe(true);
  });

  it('have at most 200 bodies that are to be made: the start of one client does not fill the queue', async () => {
    const wide = await makeEnvironment(server);
    const ids = Array.from({ length: 230 }, (_, at) => `item-${at}`);
    for (const id of ids) await wide.put(id, JSON.stringify({ id }));
    const first = await wide.refresh();
    expect(Object.keys(first.json.contents).length).toBe(200);
    expect(first.json.more).toBe(true);
    const second = await wide.refresh({ have: tagsOf(first) });
    expect(Object.keys(second.json.contents).length).toBe(30);
    expect(second.json.more).toBe(false);
  });

  it('are cut where mutations make bodies larger than their texts', async () => {
    const grown = await makeEnvironment(server);
    const copies = Array.from({ length: 50 }, (_, at) => ({
      op: 'copy',
      from: '/a',
      path: `/b${at}`,
    }));
    const mapping = [{ segment: 'all', when: {}, patch: copies }];
    for (const id of ['x', 'y']) await grown.put(id, `{"a":"${'a'.repeat(1_000)}"}`, { mapping });
    const first = await grown.refresh({ bytesMax: 20_000 });
    expect(Object.keys(first.json.contents)).toEqual(['x']);
    expect(first.json.more).toBe(true);
    const second = await grown.refresh({ bytesMax: 20_000, have: tagsOf(first) });
    expect(Object.keys(second.json.contents)).toEqual(['y']);
    expect(second.json.more).toBe(false);
  });
});

describe('changesAt', () => {
  it('is the first edge of a window that concerns this player', async () => {
    const timed = await makeEnvironment(server);
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const [soon, later, far] = [at(1), at(2), at(3)];
    await timed.put('sale', '{"off":0}', {
      mapping: [
        { segment: 'us', when: { c: 'US' }, from: soon, until: later, merge: { off: 1 } },
        { segment: 'test', when: {}, until: far, variants: [{ name: 'a', groups: [0, 499] }] },
        { segment: 'past', when: {}, until: at(-1), merge: { off: 3 } },
      ],
    });
    const changesAt = async (body: Body) => (await timed.refresh(body)).json.changesAt;
    const bucket = async (u: string) => (await timed.wrapped('sale', { u })).json.meta.mod;
    const users = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7', 'u8'];
    const buckets = await Promise.all(users.map(bucket));
    const inTest = users[buckets.findIndex((mod) => mod < 500)];
    const outside = users[buckets.findIndex((mod) => mod >= 500)];
    expect(await changesAt({ u: inTest, p: { c: 'US' } })).toBe(soon);
    expect(await changesAt({ u: inTest })).toBe(far);
    expect(await changesAt({ u: outside })).toBe(null);
    expect(await changesAt({ u: inTest, ids: [] })).toBe(null);
    const have = tagsOf(await timed.refresh({ u: inTest }));
    expect(await changesAt({ u: inTest, have, ids: [] })).toBe(far);
  });

  it('is on the clock of each player where the window is in local time', async () => {
    const timed = await makeEnvironment(server);
    const [hour, minute] = [3_600_000, 60_000];
    // Whole minutes: an occurrence begins at one.
    const soonMs = Math.ceil(Date.now() / minute) * minute + hour;
    const wall = (ms: number) => new Date(ms).toISOString().slice(0, 19);
    const instant = (ms: number) => `${wall(ms)}Z`;
    const tokyo = 540;
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const day = days[new Date(soonMs - 2 * hour + tokyo * minute).getUTCDay()];
    const time = (ms: number) => wall(ms + tokyo * minute).slice(11, 16);
    await timed.put('sale', '{"off":0}', {
      mapping: [
        { segment: 'evening', when: {}, from: wall(soonMs + tokyo * minute), merge: { off: 1 } },
      ],
    });
    await timed.put('happy-hour', '{"off":0}', {
      mapping: [
        {
          ...{ segment: 'hour', when: {}, merge: { off: 1 } },
          repeat: { days: [day], from: time(soonMs - 2 * hour), until: time(soonMs + hour) },
        },
      ],
    });
    const refresh = async (id: string, utcOffset?: unknown) => {
      const { json } = await timed.refresh({ p: { utcOffset }, ids: [id] });
      return [json.contents[id].data.off, json.changesAt];
    };
    expect(await refresh('sale', tokyo)).toEqual([0, instant(soonMs)]);
    expect(await refresh('sale', tokyo + 60)).toEqual([0, instant(soonMs - hour)]);
    expect(await refresh('sale', tokyo + 120)).toEqual([1, null]);
    for (const none of [undefined, '540', 841, 0]) {
      expect([none, await refresh('sale', none)]).toEqual([none, [0, instant(soonMs + 9 * hour)]]);
    }
    expect(await refresh('happy-hour', tokyo)).toEqual([1, instant(soonMs + hour)]);
    expect(await refresh('happy-hour', tokyo - 120)).toEqual([0, instant(soonMs)]);
  });

  it('has no milliseconds where there are none', async () => {
    const timed = await makeEnvironment(server);
    const mapping = [{ segment: 's', when: {}, until: '2126-01-01T00:00:00+01:00' }];
    await timed.put('a', '1', { mapping });
    expect((await timed.refresh()).json.changesAt).toBe('2125-12-31T23:00:00Z');
  });
});

it('store and sequence are those of the edit', async () => {
  const { sequence } = await game.put('motd', '"\\ud83d\\ude00 ,\\"hash\\":\\""');
  const answer = await game.refresh({}, '', { 'x-min-sequence': String(sequence) });
  expect(answer.json.sequence).toBeGreaterThanOrEqual(sequence);
  expect(answer.headers['x-sequence']).toBe(String(answer.json.sequence));
  const other = await makeEnvironment(server);
  expect((await other.refresh()).json.store).toBe(answer.json.store);
  expect(answer.json.store).toMatch(/\S/);
});

describe('a refresh is rejected', () => {
  const cases: readonly (readonly [string, Body])[] = [
    ['have that is no object', { have: [] }],
    ['have that is a text', { have: 'x' }],
    ['a tag that is no text', { have: { shop: 1 } }],
    ['a tag that is null', { have: { shop: null } }],
    ['ids that are no list', { ids: 'shop' }],
    ['an id that is no text', { ids: ['shop', 1] }],
    ['bytesMax of 0', { bytesMax: 0 }],
    ['bytesMax with a fraction', { bytesMax: 1.5 }],
    ['bytesMax as text', { bytesMax: '1' }],
    ['an id in two spellings in ids', { ids: ['shop', 'Shop'] }],
    ['an id in two spellings in have', { have: { shop: '', SHOP: '' } }],
    ['an unknown id in two spellings', { ids: ['nope', 'NOPE'] }],
    ['an unknown id in two spellings in have', { have: { nope: '', NOPE: '' } }],
    ['u that is no text', { u: 1 }],
    ['no JSON', '{'],
    ['10,001 entries', { ids: Array.from({ length: 10_001 }, (_, at) => `i${at}`) }],
  ];
  for (const [name, body] of cases) {
    it(`for ${name}`, async () => {
      expectRefusal(await game.refresh(body), 400, 'invalid_body');
    });
  }

  it('for its query, its sequence, its key, its size and its method', async () => {
    expectRefusal(await game.refresh({}, '?responseType=json'), 400, 'invalid_query');
    expectRefusal(await game.refresh({}, '', { 'x-min-sequence': '-' }), 400, 'invalid_sequence');
    expectRefusal(await game.refresh({}, '', { 'x-api-key': 'no' }), 401, 'invalid_api_key');
    expectRefusal(await game.refresh({ u: 'x'.repeat(1024 * 1024) }), 413, 'body_too_large');
    const wrong = await game.ask('GET', '/api/v1/refresh');
    expectRefusal(wrong, 405, 'method_not_allowed');
    expect(wrong.headers['allow']).toBe('POST, OPTIONS');
  });

  it('not for 10,000 entries, nor for a body of 1 MiB', async () => {
    const have = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`i${at}`, '']));
    expect((await game.refresh({ have, ids: [] })).json.gone.length).toBe(10_000);
    const body = JSON.stringify({ u: 'x'.repeat(1024 * 1024 - '{"u":""}'.length) });
    expect((await game.refresh(body)).status).toBe(200);
  });
});
