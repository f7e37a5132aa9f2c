/** `kill -9` of the control process, a hundred times and more, at random moments of imports, syncs and publishes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { type KilledWrite, KillRounds } from '../support/server/kill-rounds.js';
import { makeDataFolder } from '../support/server/server.js';

const kills = Number(process.env['LOADOUT_SOAK_KILLS'] ?? 120);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? Date.now() % 1_000_000);
const kinds: readonly KilledWrite[] = ['import', 'sync', 'publish'];

describe(`kill -9 of the control process (seed ${seed})`, () => {
  let rounds: KillRounds;
  beforeAll(async () => {
    const random = seededRandom(seed);
    rounds = await KillRounds.start({ data: makeDataFolder(), listeners: 2, random });
  });
  afterAll(() => rounds.stop());

  it(`${kills} times leaves the state before or after, and all that was answered`, async () => {
    for (let round = 0; round < kills; round++) {
      await rounds.round(kinds[round % kinds.length] ?? 'import');
      if (round % 10 === 9) console.log(`${round + 1} kills`, JSON.stringify(rounds.counts));
    }
    console.log(`${kills} kills, seed ${seed}`, JSON.stringify(rounds.counts));
    // Kills that never meet a write, or always do, show nothing.
    const { acknowledged, done, undone } = rounds.counts;
    expect(acknowledged).toBeGreaterThan(0);
    expect(done + undone).toBeGreaterThan(kills / 10);
  });
});
