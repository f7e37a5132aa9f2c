/** A few of the kills in the life of a release that `npm run soak` makes hundreds of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { seededRandom } from '../../support/seeded-random.js';
import { ReleaseKills } from '../../support/server/release-kills.js';

const seed = Date.now() % 1_000_000;
const rounds = 8;

describe.each([
  ['with an embedded store', 1, false],
  ['of two nodes on one database', 2, true],
])(`kill -9 in the life of a release (seed ${seed}), %s,`, (_, nodes, onPostgres) => {
  const isSkipped = onPostgres && !hasPostgres;
  let kills: ReleaseKills;
  beforeAll(async () => {
    if (isSkipped) return;
    const database = onPostgres ? await freshDatabase() : null;
    kills = await ReleaseKills.start({ database, nodes, random: seededRandom(seed) });
  });
  afterAll(() => kills?.stop());

  it.skipIf(isSkipped)(
    'leaves it before or after the transition, with all of its contents',
    async () => {
      for (let round = 0; round < rounds; round++) await kills.round();
      const { acknowledged, done, undone, stepped } = kills.counts;
      expect(acknowledged + done + undone + stepped).toBe(rounds);
    },
    600_000,
  );
});
