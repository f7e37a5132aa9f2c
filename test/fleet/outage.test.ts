/** That players notice nothing of a database that is away, editors are told, and everything is as it should be afterwards. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TestFleet } from '../support/fleet/fleet.js';
import { outage } from '../support/fleet/outage.js';
import { FleetReaders } from '../support/fleet/readers.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { makeDataFolder, serveUntilExit } from '../support/server/server.js';

describe.skipIf(!hasPostgres)('a fleet whose PostgreSQL is away', () => {
  let postgres: PostgresCluster;
  let url: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    fleet = await TestFleet.start({ url });
  });

  it('serves every read, refuses edits, restarts killed nodes and converges when it is back', async () => {
    const readers = new FleetReaders(fleet);
    await outage(fleet, { postgres, readers, mode: 'fast', awayMillis: 4_000, killed: 2 });
    await readers.stop();
    expect(readers.faults).toEqual([]);
    expect(readers.answered).toBeGreaterThan(100);
  }, 90_000);

  it('does the same when it crashes', async () => {
    const readers = new FleetReaders(fleet);
    await outage(fleet, { postgres, readers, mode: 'immediate', awayMillis: 0, killed: null });
    await readers.stop();
    expect(readers.faults).toEqual([]);
  }, 90_000);

  it('answers players while the database holds still, and refuses edits within half a minute', async () => {
    const readers = new FleetReaders(fleet);
    const { number } = await fleet.edit(0);
    await fleet.serveAll(number);
    postgres.suspend();
    try {
      const startedMs = performance.now();
      const refused = await Promise.all(fleet.nodes.map((_, at) => fleet.tryEdit(at)));
      expect(performance.now() - startedMs).toBeLessThan(25_000);
      for (const answer of refused)
        expect(answer.json).toMatchObject({ code: 'store_unavailable' });
      await fleet.allSay('unavailable');
    } finally {
      postgres.resume();
    }
    await fleet.serveAll(await fleet.editAgain(1, 20_000), 20_000);
    await fleet.converged(25_000);
    await readers.stop();
    expect(readers.faults).toEqual([]);
  }, 120_000);

  it('refuses to start a node that has never published anything, and says why', async () => {
    await postgres.stop();
    const exit = await serveUntilExit({ data: makeDataFolder(), flags: ['--database', url] });
    await postgres.start();
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('cannot be reached');
    expect(exit.stderr).toContain('nothing was published here yet');
  });
});
