/** An experiment from its metric to its results, as a team and its players go through it. */
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';

const players = Array.from({ length: 120 }, (_, at) => `player-${at}`);

const mapping = [
  {
    ...{ segment: 'price-test', when: {}, salt: 'exp-1' },
    variants: [
      { name: 'control', groups: [0, 499] },
      { name: 'cheap', groups: [500, 999], merge: { price: 3 } },
    ],
  },
];

/** Of the content as it was delivered. */
type Segments = readonly { readonly n: string; readonly v: string }[];

/** A player is given the content, reports what they were given, and buys something if they are in the cheap variant. */
async function play(environment: Environment, u: string): Promise<string> {
  const { meta } = (await environment.wrapped('shop', { u })).json as {
    readonly meta: { readonly seg: Segments };
  };
  const variant = meta.seg[0]?.v ?? '';
  const at = new Date().toISOString();
  const exposure = { t: 'exposure', id: 'shop', seg: meta.seg, at, eid: `${u}-1` };
  const x = variant === 'cheap' ? 6 : 2;
  const purchase = { t: 'metric', n: 'purchase', x, at, eid: `${u}-2` };
  const sent = await environment.ask('POST', '/api/v1/events', { u, events: [exposure, purchase] });
  expect([sent.status, sent.json]).toEqual([202, { taken: 2, rejected: [] }]);
  return variant;
}

it('an experiment counts who was given what, exactly, and finds what a variant did', async () => {
  const data = makeDataFolder();
  let server = await startServer({ data });
  const environment = await makeEnvironment(server);
  const { path } = environment;
  const admin = async (method: string, rest: string, body?: Readonly<Record<string, unknown>>) =>
    expectDone(await server.admin(method, path + rest, body)).json;
  await environment.put('shop', '{"price":5}', { mapping });
  await admin('PUT', '/metrics/revenue', { kind: 'sum', event: 'purchase' });
  const record = { id: 'prices', content: 'shop', segment: 'price-test', control: 'control' };
  await admin('POST', '/experiments', { ...record, primaryMetric: 'revenue' });
  const early = await server.admin('GET', `${path}/experiments/prices/results`);
  expect([early.status, early.json.code]).toEqual([409, 'experiment_state']);
  await admin('POST', '/experiments/prices/start', {});

  const given: Record<string, number> = { control: 0, cheap: 0 };
  for (const u of players) {
    const variant = await play(environment, u);
    given[variant] = (given[variant] ?? 0) + 1;
  }
  // A server that stops keeps what it has counted and taken, and the next one finds it.
  await server.stop();
  server = await startServer({ data });

  const results = () => admin('GET', '/experiments/prices/results');
  await eventually('all of it is counted and stored', 120_000, async () => {
    const { variants } = await results();
    const sum = (of: 'assigned' | 'exposed'): number =>
      variants.reduce((all: number, one: Record<string, number>) => all + (one[of] ?? 0), 0);
    return sum('exposed') === players.length && sum('assigned') >= players.length - 2;
  });
  const found = await results();
  expect(found).toMatchObject({ experiment: 'prices', phase: 1, plannedDays: 14 });
  expect(found.sources.nodes).toHaveLength(1);
  for (const { name, assigned, assignedInSample, exposed, ...counts } of found.variants) {
    expect([name, assignedInSample, exposed]).toEqual([name, given[name], given[name]]);
    expect(Math.abs(assigned - (given[name] ?? 0))).toBeLessThanOrEqual(2);
    expect(counts).toEqual({ expectedShare: 0.5, crossovers: 0, contradictions: 0 });
  }
  const [revenue] = found.metrics;
  expect(revenue).toMatchObject({ name: 'revenue', role: 'primary', clientReported: true });
  const means = revenue.variants.map(({ name, mean }: { name: string; mean: number }) => [
    ...[name, mean],
  ]);
  expect(Object.fromEntries(means)).toEqual({ control: 2, cheap: 6 });
  expect(revenue.comparisons).toMatchObject([{ variant: 'cheap', control: 'control' }]);

  const size = await admin('POST', '/experiments/sample-size', {
    ...{ metric: 'revenue', smallestEffect: 0.1, method: 'fixed' },
  });
  expect(size.mean).toBeGreaterThan(2);
  expect(size.usersPerVariant).toBeGreaterThan(10);
  const decided = await admin('POST', '/experiments/prices/decide', { variant: 'cheap' });
  expect(decided).toMatchObject({ promoted: 'text', experiment: { state: 'decided' } });
  const kept = await results();
  expect(kept.variants).toEqual(found.variants);
});
