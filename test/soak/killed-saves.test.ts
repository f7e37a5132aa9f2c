/** A hundred saves of the console while the server is killed at a random moment. */
import { expect, it } from 'vitest';
import { KilledSaves } from '../support/browser/killed-saves.js';
import { seededRandom } from '../support/seeded-random.js';
import { makeDataFolder } from '../support/server/server.js';

const kills = Number(process.env['LOADOUT_SOAK_SAVES'] ?? 100);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? Date.now() % 1_000_000);

it(`${kills} saves (seed ${seed}) are all of the edit or none of it`, async () => {
  const saves = await KilledSaves.start(makeDataFolder(), seededRandom(seed));
  try {
    for (let round = 0; round < kills; round++) {
      await saves.round();
      if (round % 10 === 9) console.log(`${round + 1} kills`, JSON.stringify(saves.counts));
    }
  } finally {
    await saves.stop();
  }
  console.log(`${kills} saves, seed ${seed}`, JSON.stringify(saves.counts));
  // Kills that always come too early, or too late, show nothing.
  expect(saves.counts.done).toBeGreaterThan(kills / 20);
  expect(saves.counts.undone).toBeGreaterThan(kills / 20);
});
