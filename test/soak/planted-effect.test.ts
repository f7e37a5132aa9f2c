/**
 * A planted effect is found end to end: players with the real kit, a real server, and the console. 5 % more of those who see the
 * offer buy, and the page says so once as many have played as the sample size asks for; of the A/A test beside it, it says
 * "No decision yet". `LOADOUT_SOAK_SHOTS` names a folder for screenshots of both.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Results } from '../../src/contract/schemas/experiment-results.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { eventually } from '../support/eventually.js';
import {
  type PlantedFigures,
  plantedMappings,
  playAll,
} from '../support/experiments/planted-players.js';
import { seededRandom } from '../support/seeded-random.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { ownerToken } from '../support/server/server-process.js';

/** A trial of the soak itself: with `LOADOUT_SOAK_PART=0.02` too few play for a verdict. */
const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_125);
const shots = process.env['LOADOUT_SOAK_SHOTS'] ?? null;
const rate = 0.5;
const effect = 0.05;
const power = 0.8;
/** Arms are of unequal size by chance: some more players than promised. */
const spare = 1.05;
/** Events are sealed, then compacted, within two minutes. */
const resultsMillisMax = 300_000;
const askedEveryMs = 2_000;

it('a planted effect of 5 % is found, and the A/A test beside it has no decision', async () => {
  const server = await startServer({ flags: ['--trusted-proxies', '127.0.0.1'] });
  const game = await makeEnvironment(server);
  await game.put('shop', '{"price":5}', { mapping: plantedMappings.shop });
  await game.put('news', '{"title":"Autumn"}', { mapping: plantedMappings.news });
  const needed = await usersNeeded(game);
  await experiment(game, 'offer', 'shop', 'offer-test');
  await experiment(game, 'same', 'news', 'news-test');

  const { deliveryUrl: url } = server;
  const draws = Array.from({ length: Math.ceil(2 * needed * spare * part) }, seededRandom(seed));
  const figures = await playAll({ url, key: game.key, draws, rate, effect });
  expect(figures.failed).toEqual([]);

  const offer = await resultsOfAll(game, 'offer', figures);
  const same = await resultsOfAll(game, 'same', figures);
  console.log(
    JSON.stringify({ seed, needed, ...figures, offer: brief(offer), same: brief(same) }, null, 2),
  );
  expect(offer.variants.map(({ exposed }) => exposed)).toEqual([
    figures.players.control,
    figures.players.offer,
  ]);
  expect(offer.metrics[0]?.variants.map(({ total }) => total)).toEqual([
    figures.buyers.control,
    figures.buyers.offer,
  ]);
  if (part >= 1) expect(verdictOf(offer)).toBe('better');
  expect(verdictOf(same)).toBe('no_decision');
  for (const { health, variants } of [offer, same]) {
    expect(health.status).toBe('ok');
    for (const { assigned, exposed } of variants) {
      expect(Math.abs((assigned ?? 0) - exposed) / exposed).toBeLessThan(0.03);
    }
  }
  if (hasBrowser && part >= 1) await look(server.adminUrl, game.id);
});

async function usersNeeded(game: Environment): Promise<number> {
  const { server, path } = game;
  const metric = { kind: 'conversion', event: 'purchase' };
  expectDone(await server.admin('PUT', `${path}/metrics/buyers`, metric));
  const asked = { rate, smallestEffect: effect, power };
  const size = expectDone(await server.admin('POST', `${path}/experiments/sample-size`, asked));
  return size.json.usersPerVariant;
}

async function experiment(
  { server, path }: Environment,
  id: string,
  content: string,
  segment: string,
): Promise<void> {
  const plan = { control: 'control', primaryMetric: 'buyers', smallestEffect: effect };
  const record = { id, content, segment, ...plan };
  expectDone(await server.admin('POST', `${path}/experiments`, record));
  expectDone(await server.admin('POST', `${path}/experiments/${id}/start`, {}));
}

/** The results once every player's exposure is in them. */
function resultsOfAll(game: Environment, id: string, figures: PlantedFigures): Promise<Results> {
  const all = figures.players.control + figures.players.offer;
  return eventually(`the results of ${id} have ${all} players`, resultsMillisMax, async () => {
    const asked = await game.server.admin('GET', `${game.path}/experiments/${id}/results`);
    const results = expectDone(asked).json as Results;
    const exposed = results.variants.reduce((sum, variant) => sum + variant.exposed, 0);
    const assigned = results.variants.reduce((sum, variant) => sum + (variant.assigned ?? 0), 0);
    if (exposed === all && assigned > all * 0.9) return results;
    console.log(`${id}: ${exposed} exposed, ${assigned} assigned`);
    await pause(askedEveryMs);
    return null;
  });
}

function verdictOf({ metrics }: Results): string | undefined {
  return metrics[0]?.comparisons[0]?.verdict;
}

function brief({ variants, metrics, health }: Results): object {
  return { variants, comparison: metrics[0]?.comparisons[0], health: health.status };
}

async function look(adminUrl: string, environment: string): Promise<void> {
  const window = await Window.open(adminUrl);
  const page = await window.signIn(ownerToken, `/env/${environment}/experiments/offer`);
  await page.getByText(/^“changed” is better than “control”/).waitFor();
  await settled(page);
  if (shots !== null) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, 'planted-effect.png'), fullPage: true });
  }
  await page.goto(new URL(`/env/${environment}/experiments/same`, adminUrl).href);
  await page.getByText(/^No decision yet: /).waitFor();
  await settled(page);
  if (shots !== null) await page.screenshot({ path: join(shots, 'same.png'), fullPage: true });
  expect(window.complaints).toEqual([]);
  await window.close();
}
