/** A thousand random edits beside clients of the specification, on each store and on two nodes that share one. */
import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { specificationRounds } from '../support/specification/rounds.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_122);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 20 edits. */
const edits = Math.ceil(1_000 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));

describe('a thousand edits of every kind', () => {
  const started: LoadoutServer[] = [];
  afterAll(async () => {
    await Promise.all(started.map((server) => server.stop()));
  });

  it('reach every client at once with an embedded store', async () => {
    started.push(await startServer());
    await expectUpToDate('SQLite', started.slice(-1));
  });

  it.skipIf(!hasPostgres)('reach every client at once with the store in PostgreSQL', async () => {
    started.push(await startNode({ name: 'alone', url: await freshDatabase() }));
    await expectUpToDate('PostgreSQL', started.slice(-1));
  });

  it.skipIf(!hasPostgres)('reach every client at once on two nodes', async () => {
    const url = await freshDatabase();
    started.push(await startNode({ name: 'a', url }), await startNode({ name: 'b', url }));
    await expectUpToDate('two nodes', started.slice(-2));
  });
});

async function expectUpToDate(name: string, servers: readonly LoadoutServer[]): Promise<void> {
  const random = seededRandom(seed);
  const { faults, figures } = await specificationRounds({ servers, random, edits });
  console.log(`${name}, seed ${seed}: ${JSON.stringify(figures)}`);
  expect(faults).toEqual([]);
}
