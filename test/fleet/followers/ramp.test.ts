/** Ramps whose players are all served two levels below the store: their receipts stop one there, and let another go live. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { FollowTree } from '../../support/fleet/follow-tree.js';
import { addressOf } from '../../support/kit-client.js';
import { type Environment, expectDone } from '../../support/server/environment.js';
import { MovingClock } from '../../support/server/moving-clock.js';
import { TestedRelease } from '../../support/server/release.js';
import { makeDataFolder } from '../../support/server/server.js';

/** Half are in and half are the control; each of them has more than the fifty below which nothing is compared. */
const steps = [
  { percent: 50, holdMinutes: 30 },
  { percent: 100, holdMinutes: 10 },
];
const brake = { receipts: { minutes: 1 } };
const minute = 60_000;
/** The minute of the brake, and half of one for reports that are on their way. */
const receiptsPass = 2 * minute;
const livePrice = 500;

const players = Array.from({ length: 200 }, (_, at) => ({ u: `player-${at}`, ip: addressOf(at) }));
type Player = (typeof players)[number];

const clock = new MovingClock(makeDataFolder());
let tree: FollowTree;
let leaf: Environment;
beforeAll(async () => {
  const flags = ['--trusted-proxies', '127.0.0.1'];
  tree = await FollowTree.start(null, undefined, { clock, flags });
  leaf = tree.game.on(tree.leaf);
  await tree.game.put('shop', JSON.stringify({ price: livePrice }));
});
afterAll(() => tree?.stop());

it('a ramp whose games crash is stopped by itself, and the third level serves everybody what is live', async () => {
  const release = await startRamp('500 gems');
  const counts = await playAll(release, (price) => typeof price === 'number');
  expect(counts).toMatchObject({
    candidate: { healthy: 0, failed: counts.candidate.users },
    control: { healthy: counts.control.users, failed: 0 },
  });
  expect(await release.state()).toBe('ramping');
  clock.move(receiptsPass);
  const stopped = await eventually('the ramp is stopped', 30_000, async () => {
    const shown = await release.show();
    return shown.state === 'stopped' && shown;
  });
  expect(stopped.reason).toContain('have not confirmed a healthy start within 1 min');
  expect((await release.timeline()).at(-1)).toContain('release.stop by system');
  expect(await pricesNow()).toEqual(new Set([livePrice]));
  expect((await leaf.catalog()).text).toBe((await tree.game.catalog()).text);
}, 180_000);

it('a ramp of healthy games takes its steps by itself, and goes live on the third level', async () => {
  const release = await startRamp(600);
  await playAll(release, () => true);
  clock.move(receiptsPass);
  await eventually('nobody is waited for', 30_000, async () => {
    const { counts, evidence } = (await release.show()).ramp;
    return (
      counts.candidate.waiting + counts.control.waiting === 0 && evidence.value < evidence.limit
    );
  });
  clock.move(30 * minute);
  await eventually(
    'everybody is in',
    30_000,
    async () => (await release.show()).ramp?.percent === 100,
  );
  expect(await pricesNow()).toEqual(new Set([600]));
  const counts = await playAll(release, () => true);
  expect(counts.candidate).toMatchObject({ users: players.length, healthy: players.length });
  clock.move(10 * minute);
  await eventually('it is live', 30_000, async () => (await release.state()) === 'live');
  expect(await pricesNow()).toEqual(new Set([600]));
  expect((await leaf.catalog()).text).toBe((await tree.game.catalog()).text);
}, 180_000);

/** The ramp of a price, served by the third level. */
async function startRamp(price: number | string): Promise<TestedRelease> {
  await tree.game.put('shop', JSON.stringify({ price }), { publish: false });
  const changes = [{ kind: 'content', id: 'shop' }];
  const release = await TestedRelease.make(tree.game, { changes, steps, brake });
  await release.act('start');
  expect(await pricesNow()).toEqual(new Set([livePrice, price]));
  return release;
}

/** Each player starts a game and reports how that went, all of it to the third level. Returns what the store has of them. */
async function playAll(release: TestedRelease, isHealthy: (price: unknown) => boolean) {
  for (const { u, ip } of players) {
    const headers = { 'x-forwarded-for': ip };
    const { json } = expectDone(await leaf.refresh({ u, ids: ['shop'] }, '', headers));
    const ok = isHealthy(json.contents.shop.data.price);
    const report = { u, receipt: json.receipt, ok };
    expectDone(await leaf.ask('POST', '/api/v1/receipts', report, headers));
  }
  return eventually('the root has counted every player', 30_000, async () => {
    const { counts } = (await release.show()).ramp;
    const known = [counts.candidate, counts.control].map(({ healthy, failed }) => healthy + failed);
    return known[0] + known[1] === players.length ? counts : null;
  });
}

/** What the third level gives the players, after everything that the store has by now. It starts no game. */
async function pricesNow(): Promise<Set<unknown>> {
  const { sequence } = await tree.edit();
  const headers = { 'x-min-sequence': String(sequence) };
  const ask = async ({ u }: Player): Promise<unknown> => {
    const { json } = expectDone(await leaf.refresh({ u, ids: ['shop'] }, '', headers));
    return json.contents.shop.data.price;
  };
  return new Set(await Promise.all(players.map(ask)));
}
