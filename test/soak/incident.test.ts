/** A release that crashes games, with two thousand players and a few of each kit; the timeline that it leaves is printed. */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { DriverSource } from '../../clients/conformance/driver.js';
import { driversOf, kits } from '../../clients/conformance/kits.js';
import { whyNot } from '../kits/kit-server.js';
import { DriverPlayer } from '../support/incident/driver-player.js';
import { incident } from '../support/incident/incident.js';
import { seededRandom } from '../support/seeded-random.js';

const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_124);
const ofEachKit = 4;

const sources: DriverSource[] = [];
afterAll(() => Promise.all(sources.map((source) => source.end())));

it('a wrong type at 1 % is stopped by the brake, and every player of every kit is healthy at the next start', async () => {
  for (const kit of kits.filter(({ name }) => name === 'C#' || name === 'C++')) {
    const missing = whyNot(kit);
    if (missing === null) sources.push(await driversOf(kit));
    else console.warn(`skipped: ${missing}`);
  }
  const { timeline, ...figures } = await incident({
    random: seededRandom(seed),
    ...{ population: 60_000 * part, players: 2_000 * part },
    others: (game, folder, member) =>
      sources.flatMap((source, kit) =>
        Array.from({ length: ofEachKit }, (_, at) => {
          return new DriverPlayer(source, game, member(), join(folder, `kit-${kit}-${at}`));
        }),
      ),
  });
  console.log(`seed ${seed}: ${JSON.stringify(figures, null, 2)}\n${timeline.join('\n')}`);
  expect(figures).toMatchObject({
    ...{ state: 'stopped', crashedOutside: [], unhealthyAfterwards: [] },
  });
  expect(figures.reached).toBeGreaterThan(0);
});
