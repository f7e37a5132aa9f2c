/** Exactly those are told whose own answers changed, compared with what a refresh says to each of them. */
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.js';
import { type Body, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { RandomEdits } from '../../support/specification/random-edits.js';
import { OpenStreams } from '../../support/stream/open-stream.js';
import { StreamClient, type Wake } from '../../support/stream/stream-client.js';

const server = sharedServer();
const streams = new OpenStreams();
afterEach(() => streams.closeAll());

const contexts = Array.from({ length: 24 }, (_, at) => {
  const v = [undefined, '0.9.0', '1.4.9', '1.5.0', '2.0.0'][at % 5];
  const p = { country: ['US', 'CA', 'DE', 'FR'][at % 4], level: at * 3 };
  return at === 0 ? {} : { u: `user-${at}`, p, ...(v === undefined ? {} : { v }) };
});

it('after 120 random edits, each client, and no other one', async () => {
  const random = seededRandom(20_261_124);
  const [game, source] = [await makeEnvironment(server), await makeEnvironment(server)];
  const edits = await RandomEdits.start(game, source, random);
  await game.put('bell', '0');
  const clients = contexts.map((context, at) => {
    const wakes: Wake[] = [];
    const origin = (): string => server.deliveryUrl;
    const options = { origin, key: game.key, context, random, bytesMax: at % 3 === 0 ? 1 : 1e6 };
    const client = new StreamClient(options, (wake) => wakes.push(wake));
    client.open();
    return { client, context, wakes };
  });
  await Promise.all(clients.map(({ client }) => client.until(() => client.isUp)));
  const figures = { woken: 0, spared: 0, gone: 0 };
  for (let round = 1; round <= 120; round += 1) {
    for (const { wakes } of clients) wakes.length = 0;
    const haves = clients.map(({ client }) => client.held.have);
    const { kind, sequence } = await edits.make(server, '');
    const headers = { 'x-min-sequence': String(sequence) };
    const expected = await Promise.all(
      clients.map(async ({ context }, at) => {
        const { contents, gone } = (
          await game.refresh({ ...context, have: haves[at] as object }, '', headers)
        ).json;
        return { changed: Object.keys(contents).sort(), gone: [...gone].sort() };
      }),
    );
    await Promise.all(
      clients.map(async ({ client }, at) => {
        const { changed, gone } = expected[at] as (typeof expected)[0];
        if (changed.length + gone.length > 0) await client.reached(sequence);
      }),
    );
    // It concerns everybody: what an edit before it has caused has been sent by then.
    const bell = await game.put('bell', String(round));
    await Promise.all(clients.map(({ client }) => client.reached(bell.sequence)));
    for (const [at, { wakes, context }] of clients.entries()) {
      const { changed, gone } = expected[at] as (typeof expected)[0];
      const isConcerned = changed.length + gone.length > 0;
      figures[isConcerned ? 'woken' : 'spared'] += 1;
      figures.gone += gone.length;
      const told = wakes.map((wake) => [[...wake.changed].sort(), [...wake.gone].sort(), wake.at]);
      const own = isConcerned ? [[changed, gone, null]] : [];
      expect([kind, context, told]).toEqual([kind, context, [...own, [['bell'], [], null]]]);
    }
  }
  for (const { client } of clients) client.close();
  edits.close();
  expect(clients.flatMap(({ client }) => client.violations)).toEqual([]);
  // A run that drew next to nothing has promised next to nothing.
  expect(figures.woken).toBeGreaterThan(300);
  expect(figures.spared).toBeGreaterThan(300);
  expect(figures.gone).toBeGreaterThan(20);
});

describe('what a client follows', () => {
  it('keeps the spelling of the client, through deletion and return', async () => {
    const game = await makeEnvironment(server);
    await game.put('Shop', '1');
    const named = await streams.open(game, { ids: ['SHOP', 'Later'], have: { oTHER: 'x' } });
    expect(await named.next()).toMatchObject({
      contents: { SHOP: { data: 1 } },
      gone: ['Later', 'oTHER'],
    });
    const all = await streams.first(game);
    const path = `${game.path}/contents`;
    expectDone(await server.admin('DELETE', `${path}/shop`));
    expect(await named.next()).toMatchObject({ contents: {}, gone: ['SHOP'] });
    expect(await all.next()).toMatchObject({ contents: {}, gone: ['Shop'] });
    expectDone(await server.admin('POST', `${path}/shop/restore`, {}));
    expect((await named.next()).contents).toMatchObject({ SHOP: { data: 1 } });
    expect((await all.next()).contents).toMatchObject({ Shop: { data: 1 } });
    await game.put('LATER', '2');
    expect((await named.next()).contents).toMatchObject({ Later: { data: 2 } });
    expect((await all.next()).contents).toMatchObject({ LATER: { data: 2 } });
    await game.put('other', '3');
    expect((await named.next()).contents).toMatchObject({ oTHER: { data: 3 } });
    expect(Object.keys((await all.next()).contents)).toEqual(['other']);
  });

  it('in all catalog, comes back in another spelling under the one that the client holds', async () => {
    const game = await makeEnvironment(server);
    const id = 'Shop';
    await game.put(id, '1');
    const early = await streams.first(game);
    expectDone(await server.admin('DELETE', `${game.path}/contents/${id}`));
    await early.next();
    const fresh = await game.put('SHOP', '2');
    const [told] = Object.keys((await early.next()).contents);
    expect(told?.toLowerCase()).toBe('shop');
    const late = await streams.open(game);
    const catalog = Object.keys((await game.catalog()).json.catalog);
    expect(Object.keys((await late.next()).contents)).toEqual(catalog);
    expect(fresh.id.toLowerCase()).toBe('shop');
    await game.put('SHOP', '3');
    expect(Object.keys((await early.next()).contents)).toEqual([told]);
    expect(Object.keys((await late.next()).contents)).toEqual(catalog);
  });

  it('is compared with what it says that it holds, whoever held it before', async () => {
    const game = await makeEnvironment(server);
    const mapping = [{ segment: 'us', when: { c: 'US' }, merge: { a: 2 } }];
    await game.put('a', '{"a":1}', { mapping });
    await game.put('b', '1', { appVersion: '2.0.0' });
    const us = await streams.open(game, { p: { c: 'US' } });
    const { tag } = (await us.next()).contents.a;
    const same = await streams.open(game, { p: { c: 'US' }, have: { a: tag } });
    expect(await same.next()).toMatchObject({ contents: {}, gone: [], more: false });
    const other = await streams.open(game, { have: { a: tag, b: tag }, v: '1.0.0' });
    expect(await other.next()).toMatchObject({ contents: { a: { data: { a: 1 } } }, gone: ['b'] });
    // Only for whom the rule does not hold.
    await game.put('a', '{"a":3}');
    expect((await other.next()).contents).toMatchObject({ a: { data: { a: 3 } } });
    await game.put('b', '1', { appVersion: '1.0.0' });
    expect((await other.next()).contents).toMatchObject({ b: { data: 1 } });
    await us.until('two events', () => us.events.length >= 2);
    expect(us.rest().map(({ contents }) => Object.keys(contents))).toEqual([['a']]);
  });

  it('may be nothing yet', async () => {
    const game = await makeEnvironment(server);
    const stream = await streams.open(game);
    expect(await stream.next()).toMatchObject({ contents: {}, gone: [], more: false });
    await game.put('a', '1');
    expect((await stream.next()).contents).toMatchObject({ a: { data: 1 } });
  });

  it('is sent from one sequence, also when it is deleted while another body is made', async () => {
    const game = await makeEnvironment(server);
    const copies = Array.from({ length: 40 }, (_, at) => ({
      op: 'copy',
      from: '/a',
      path: `/b${at}`,
    }));
    const mapping = [{ segment: 'all', when: {}, patch: copies }];
    for (let round = 0; round < 8; round += 1) {
      await game.put('aaa', `{"round":${round}}`);
      await game.put('large', `{"a":"${'x'.repeat(50_000)}","n":${round}}`, { mapping });
      const opening = streams.open(game, { bytesMax: 32 * 1024 * 1024 });
      await game.refresh({ ids: [] });
      const deleted = expectDone(await server.admin('DELETE', `${game.path}/contents/aaa`)).json;
      const stream = await opening;
      let last = await stream.next();
      const there = 'aaa' in last.contents;
      expect([round, there]).toEqual([round, last.sequence < deleted.sequence]);
      if (there) last = await stream.next();
      expect(last.sequence).toBeGreaterThanOrEqual(deleted.sequence);
      expect(last.gone).toEqual(there ? ['aaa'] : []);
      stream.close();
    }
  });
});

describe('the edge of a window', () => {
  const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const rule = (more: object) => [{ segment: 's', when: { c: 'US' }, merge: { on: 1 }, ...more }];

  it('is told after it, with its instant, to those whom it concerns', async () => {
    const game = await makeEnvironment(server);
    const from = soon(2_500);
    await game.put('sale', '{}', { mapping: rule({ from }) });
    const open = (body: Body) => streams.first(game, body);
    const us = await Promise.all(Array.from({ length: 50 }, () => open({ p: { c: 'US' } })));
    const notify = await open({ p: { c: 'US' }, mode: 'notify' });
    const other = await open({ p: { c: 'DE' } });
    for (const stream of us) {
      const { at, contents, changesAt } = await stream.next();
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(from) + 2_000);
      expect([at, contents.sale.data, changesAt]).toEqual([from, { on: 1 }, null]);
    }
    const told = await notify.next();
    expect(told).toEqual({ ids: ['sale'], sequence: told.sequence, at: from });
    const { sequence } = await game.put('bell', '1');
    expect(await other.next()).toMatchObject({ sequence });
    expect(other.events.length).toBe(2);
  });

  it('in local time reaches each player when their own clock shows it', async () => {
    const game = await makeEnvironment(server);
    const fromMs = Date.now() + 2_500;
    const from = new Date(fromMs).toISOString();
    const local = new Date(fromMs + 540 * 60_000).toISOString().slice(0, -1);
    await game.put('sale', '{}', { mapping: rule({ when: {}, from: local }) });
    const open = (utcOffset: unknown) => streams.first(game, { p: { utcOffset } });
    const [tokyo, later, unknown] = [await open(540), await open(525), await open('540')];
    const { at, contents, changesAt } = await tokyo.next();
    expect([at, contents.sale.data, changesAt]).toEqual([from, { on: 1 }, null]);
    const { sequence } = await game.put('bell', '1');
    for (const [stream, minutes] of [
      [later, 15],
      [unknown, 540],
    ] as const) {
      const edge = new Date(fromMs + minutes * 60_000).toISOString();
      expect(await stream.next()).toMatchObject({ sequence, changesAt: edge });
      expect(stream.events.length).toBe(2);
    }
  });

  it('moves with the edits of its window, and an event of an edit has no instant', async () => {
    const game = await makeEnvironment(server);
    const put = (from: string) => game.put('sale', '{}', { mapping: rule({ from }) });
    const [far, near] = [soon(3_600_000), soon(2_000)];
    await put(far);
    const moved = await streams.open(game, { p: { c: 'US' } });
    expect((await moved.next()).changesAt).toBe(far);
    await put(near);
    const { at, contents } = await moved.next();
    expect([at, contents.sale.data]).toEqual([near, { on: 1 }]);
    await put(far);
    const back = await moved.next();
    expect([back.at, back.contents.sale.data, back.changesAt]).toEqual([undefined, {}, far]);
    const late = soon(2_000);
    await put(late);
    await put(far);
    await game.put('bell', '1');
    expect(Object.keys((await moved.next()).contents)).toEqual(['bell']);
  });

  it('is told with its instant when an edit comes just after it', async () => {
    const game = await makeEnvironment(server);
    const from = soon(1_500);
    await game.put('sale', '{}', { mapping: rule({ from }) });
    const stream = await streams.first(game, { p: { c: 'US' }, mode: 'notify' });
    while (Date.now() <= Date.parse(from)) await new Promise((resolve) => setTimeout(resolve, 20));
    await game.put('sale', '{"b":1}');
    expect(await stream.next()).toMatchObject({ ids: ['sale'], at: from });
  });

  it('counts as passed for who was told of it, up to 5 s ahead of the clock', async () => {
    const game = await makeEnvironment(server);
    const from = soon(4_000);
    await game.put('sale', '{}', { mapping: rule({ from }) });
    const beyond = soon(60_000);
    const body = { p: { c: 'US' } };
    const dataOf = async (at: string): Promise<unknown> => {
      const stream = await streams.open(game, { ...body, at });
      const { contents } = await stream.next();
      const refreshed = (await game.refresh({ ...body, at })).json.contents.sale.data;
      expect(refreshed).toEqual(contents.sale.data);
      return refreshed;
    };
    expect(await dataOf(from)).toEqual({ on: 1 });
    expect(await dataOf(beyond)).toEqual({});
    expect(await dataOf('2001-01-01T00:00:00+01:00')).toEqual({});
  });
});
