/** That clients which do what the specification says follow a release through its life, whichever of two nodes they ask. */
import { expect, it } from 'vitest';
import { startNode } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { seededRandom } from '../../support/seeded-random.js';
import { startServer } from '../../support/server/server.js';
import { releaseRounds } from '../../support/specification/release-rounds.js';

// Of hundreds of users in `npm run soak`.
const users = 40;
const random = seededRandom(20_261_124);

it.skipIf(!hasPostgres)(
  'hold what their membership says after each transition, on either node',
  async () => {
    const database = await freshDatabase();
    const servers = [
      await startNode({ name: 'a', url: database }),
      await startNode({ name: 'b', url: database }),
    ];
    const { faults } = await releaseRounds({ servers, database, random, users });
    expect(faults).toEqual([]);
  },
);

it('hold what their membership says after each transition with an embedded store', async () => {
  const servers = [await startServer()];
  const { faults } = await releaseRounds({ servers, database: null, random, users });
  expect(faults).toEqual([]);
});
