/** What operators read about the delivery processes: each figure moves by what was done, and no further. */
import { expect, it } from 'vitest';
import type { HealthFigures } from '../../../src/contract/operations/health.js';
import { eventually } from '../../support/eventually.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { OpenStreams } from '../../support/stream/open-stream.js';
import { openConnection } from '../../support/wire/raw-connection.js';

const server = await startServer({ listeners: 1 });
const game = await makeEnvironment(server);
await game.put('shop', '{"price":1}');

async function metrics(): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.admin('GET', '/metrics');
  const samples = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)];
  return new Map(samples.map(([, name = '', value]) => [name, Number(value)]));
}

it('the body that was made for the first of five players is a hit for four', async () => {
  for (let player = 0; player < 5; player += 1) await game.wrapped('shop', { u: String(player) });
  const now = await metrics();
  expect(now.get('loadout_rendered_cache_misses_total{listener="0"}')).toBe(1);
  expect(now.get('loadout_rendered_cache_hits_total{listener="0"}')).toBe(4);
});

it('a request is in one bucket of its endpoint and in all above it', async () => {
  const now = await metrics();
  const buckets = [...now]
    .filter(([name]) => /^loadout_request_seconds_bucket\{.*endpoint="dynamic"/.test(name))
    .map(([name, count]) => ({ name, bound: Number(/le="([^"]+)"/.exec(name)?.[1]), count }));
  const bounds = buckets.map(({ bound }) =>
    Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound,
  );
  const counts = buckets.map(({ count }) => count);
  expect(bounds.length).toBeGreaterThan(10);
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(5);
});

it('the figures as JSON are those of the text', async () => {
  const { json, status } = await server.admin('GET', '/metrics.json');
  expect(status).toBe(200);
  const { deliveryProcesses, ...figures } = json as HealthFigures;
  expect(figures).toMatchObject({
    deliveryProcessesWanted: 1,
    webhooks: { pending: 0, failing: 0, disabled: 0, switchedOff: 0 },
  });
  const [first] = deliveryProcesses;
  expect(first).toMatchObject({
    slot: 0,
    sequence: figures.sequence,
    cacheHits: 4,
    cacheMisses: 1,
  });
  expect(first?.requests['dynamic']).toEqual({ 200: 5 });
  const now = await metrics();
  const { boundsSeconds = [], counts = [] } = first?.latency ?? {};
  expect(counts).toHaveLength(boundsSeconds.length + 1);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
    now.get('loadout_request_seconds_count{listener="0",endpoint="dynamic"}'),
  );
  expect(Date.parse(figures.control.startedAt) / 1000).toBeCloseTo(
    now.get('loadout_control_start_time_seconds') ?? 0,
    0,
  );
});

it('a rejected request counts by the code of its problem, and only there', async () => {
  const refused = async (): Promise<ReadonlyMap<string, number>> => {
    const found = [...(await metrics())].flatMap(([name, count]) => {
      const code = /^loadout_refused_total\{.*code="([^"]+)"/.exec(name)?.[1];
      return code === undefined ? [] : [[code, count] as const];
    });
    return new Map(found);
  };
  const before = await refused();
  await game.wrapped('shop', { u: '1' });
  for (const id of ['nothing', 'nowhere']) await game.wrapped(id, { u: '1' });
  await fetch(new URL('/api/v1/config/shop', server.deliveryUrl), { method: 'POST' });
  await fetch(new URL('/api/v1/config/shop', server.deliveryUrl));
  const after = await refused();
  const counted = [...after].map(([code, count]) => [code, count - (before.get(code) ?? 0)]);
  expect(Object.fromEntries(counted.filter(([, count]) => count !== 0))).toEqual({
    content_not_found: 2,
    invalid_api_key: 1,
    method_not_allowed: 1,
  });
});

it('a stream counts while it is open, with its events, and afterwards by the reason of its end', async () => {
  const streams = async () => {
    const figures = (await server.admin('GET', '/metrics.json')).json as HealthFigures;
    return figures.deliveryProcesses[0]?.streams;
  };
  const ended = { client: 0, key: 0, draining: 0, failed: 0 };
  expect(await streams()).toMatchObject({ open: 0, waiting: 0, events: 0, ended });
  const opened = new OpenStreams();
  const stream = await opened.first(game);
  await game.put('shop', '{"price":2}');
  await stream.next();
  const open = await streams();
  expect(open).toMatchObject({ open: 1, waiting: 0, events: 2, ended });
  expect(open?.openMax).toBe((await metrics()).get('loadout_streams_max{listener="0"}'));
  const { json } = await server.admin('GET', '/metrics.json');
  expect((json as HealthFigures).deliveryProcesses[0]?.requests['stream']).toEqual({ 200: 1 });
  opened.closeAll();
  await eventually('it has ended', 5_000, async () => (await streams())?.open === 0);
  expect(await streams()).toMatchObject({ open: 0, events: 2, ended: { ...ended, client: 1 } });
});

it('a connection counts while it is open', async () => {
  const open = async (): Promise<number> =>
    (await metrics()).get('loadout_connections{listener="0"}') ?? -1;
  const before = await open();
  const connections = await Promise.all([1, 2, 3].map(() => openConnection(server.deliveryPort)));
  await eventually('three more are counted', 5_000, async () => (await open()) === before + 3);
  for (const connection of connections) connection.close();
  await eventually('they are counted no longer', 5_000, async () => (await open()) === before);
});

it('a response counts that lacked the offset of the player, where a rule is in local time', async () => {
  const missing = async (): Promise<number> =>
    (await metrics()).get('loadout_utc_offset_missing_total{listener="0"}') ?? -1;
  const nights = await makeEnvironment(server);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const repeat = { days, from: '18:00', until: '06:00' };
  await nights.put('sale', '{"price":1}', {
    mapping: [{ segment: 'night', when: {}, repeat, merge: { price: 2 } }],
    flags: ['/price'],
  });
  await nights.put('plain', '1');
  const ask = async (p: object) => {
    await nights.wrapped('sale', { p });
    await nights.combine(['plain', 'sale'], { p }, '&dynamic=true');
    await nights.refresh({ p });
    await nights.flag('sale/price', { context: p });
    await nights.flags({ context: p });
    const opened = new OpenStreams();
    await opened.first(nights, { p });
    opened.closeAll();
  };
  const before = await missing();
  await ask({ utcOffset: 540 });
  await nights.plain('sale', { p: {} });
  await nights.wrapped('plain', { p: {} });
  expect(await missing()).toBe(before);
  await ask({});
  expect(await missing()).toBe(before + 6);
  await ask({ utcOffset: '540' });
  expect(await missing()).toBe(before + 12);
});
