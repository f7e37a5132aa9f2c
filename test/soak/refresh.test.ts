/** A hundred thousand refreshes beside random edits: what clients hold is what single requests get. */
import { afterAll, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { refreshRounds } from '../support/specification/refresh-rounds.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_123);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 2,000. */
const refreshes = Math.ceil(100_000 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));

let server: LoadoutServer | undefined;
afterAll(() => server?.stop());

it('refreshes of 24 players are right after every edit, and send nothing twice', async () => {
  server = await startServer();
  const random = seededRandom(seed);
  const { violations, figures } = await refreshRounds({ server, random, refreshes });
  console.log(`seed ${seed}: ${JSON.stringify(figures)}`);
  expect(violations).toEqual([]);
});
