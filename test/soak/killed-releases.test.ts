/**
 * `kill -9` at random moments of a release's life: of the control process, of a delivery process, of the node that does the
 * leader jobs. `LOADOUT_SOAK_KILLS` says how often in all (200), `LOADOUT_SOAK_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { seededRandom } from '../support/seeded-random.js';
import { ReleaseKills } from '../support/server/release-kills.js';

const stores = [
  ['SQLite', 1],
  ['PostgreSQL', 1],
  ['two nodes on PostgreSQL', 2],
] as const;
const kills = Math.ceil(Number(process.env['LOADOUT_SOAK_KILLS'] ?? 200) / stores.length);
const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? Date.now() % 1_000_000);

describe.each(stores)(`kill -9 in the life of a release (seed ${seed}), %s`, (name, nodes) => {
  const isSkipped = name !== 'SQLite' && !hasPostgres;
  let rounds: ReleaseKills;
  beforeAll(async () => {
    if (isSkipped) return;
    const database = name === 'SQLite' ? null : await freshDatabase();
    rounds = await ReleaseKills.start({ database, nodes, random: seededRandom(seed) });
  });
  afterAll(() => rounds?.stop());

  it.skipIf(isSkipped)(`${kills} times leaves it before or after the transition`, async () => {
    for (let round = 1; round <= kills; round++) {
      await rounds.round();
      if (round % 10 === 0) console.log(`${name}: ${round} kills`, JSON.stringify(rounds.counts));
    }
    console.log(
      `${name}: ${kills} kills, seed ${seed}`,
      JSON.stringify({ ...rounds.counts, ...rounds.kinds }),
    );
    expect(rounds.counts.done + rounds.counts.undone).toBeGreaterThan(0);
  });
});
