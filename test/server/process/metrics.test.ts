/** What operators read about the delivery processes: each figure moves by what was done, and no further. */
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
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

it('a connection counts while it is open', async () => {
  const open = async (): Promise<number> =>
    (await metrics()).get('loadout_connections{listener="0"}') ?? -1;
  const before = await open();
  const connections = await Promise.all([1, 2, 3].map(() => openConnection(server.deliveryPort)));
  await eventually('three more are counted', 5_000, async () => (await open()) === before + 3);
  for (const connection of connections) connection.close();
  await eventually('they are counted no longer', 5_000, async () => (await open()) === before);
});
