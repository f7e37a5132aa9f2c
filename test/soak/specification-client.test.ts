/**
 * Clients of the specification beside a thousand random edits, and through the life of a release, on each store and on two
 * nodes that share one.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { startNode } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { releaseRounds } from '../support/specification/release-rounds.js';
import { specificationRounds } from '../support/specification/rounds.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_122);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 20 edits. */
const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const edits = Math.ceil(1_000 * part);
const users = Math.ceil(500 * part);

describe('a thousand edits of every kind, and a release', () => {
  const started: LoadoutServer[] = [];
  afterAll(async () => {
    await Promise.all(started.map((server) => server.stop()));
  });

  it('reach every client at once with an embedded store', async () => {
    started.push(await startServer());
    await expectUpToDate('SQLite', started.slice(-1));
    await expectMembership('SQLite', started.slice(-1), null);
  });

  it.skipIf(!hasPostgres)('reach every client at once with the store in PostgreSQL', async () => {
    const url = await freshDatabase();
    started.push(await startNode({ name: 'alone', url }));
    await expectUpToDate('PostgreSQL', started.slice(-1));
    await expectMembership('PostgreSQL', started.slice(-1), url);
  });

  it.skipIf(!hasPostgres)('reach every client at once on two nodes', async () => {
    const url = await freshDatabase();
    started.push(await startNode({ name: 'a', url }), await startNode({ name: 'b', url }));
    await expectUpToDate('two nodes', started.slice(-2));
    await expectMembership('two nodes', started.slice(-2), url);
  });
});

async function expectUpToDate(name: string, servers: readonly LoadoutServer[]): Promise<void> {
  const random = seededRandom(seed);
  const { faults, figures } = await specificationRounds({ servers, random, edits });
  console.log(`${name}, seed ${seed}: ${JSON.stringify(figures)}`);
  expect(faults).toEqual([]);
}

async function expectMembership(
  name: string,
  servers: readonly LoadoutServer[],
  database: string | null,
): Promise<void> {
  const random = seededRandom(seed);
  const { faults, figures } = await releaseRounds({ servers, database, random, users });
  console.log(`${name}, a release: ${figures.join('; ')}`);
  expect(faults).toEqual([]);
}
