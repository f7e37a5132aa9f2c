/** That clients which do what the specification says are up to date whichever of two nodes they ask, whichever took the edit. */
import { expect, it } from 'vitest';
import { startNode } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { seededRandom } from '../support/seeded-random.js';
import { specificationRounds } from '../support/specification/rounds.js';

it.skipIf(!hasPostgres)(
  'are up to date after one round on either node, and fetch nothing in vain',
  async () => {
    const url = await freshDatabase();
    const servers = [await startNode({ name: 'a', url }), await startNode({ name: 'b', url })];
    // The thousand are in `npm run soak`.
    const random = seededRandom(20_261_123);
    const { faults, figures } = await specificationRounds({ servers, random, edits: 150 });
    expect(faults).toEqual([]);
    expect(figures.fetched).toBeGreaterThan(200);
  },
);
