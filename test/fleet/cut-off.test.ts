/** That a node that was cut off from the database serves its last state meanwhile, and then gets everything it missed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { missEdits } from '../support/fleet/cut-off.js';
import { TestFleet } from '../support/fleet/fleet.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';

/** More names than are published in one turn. */
const many = 150;

describe.skipIf(!hasPostgres)('a node that was cut off', () => {
  let postgres: PostgresCluster;
  let database: string;
  let proxy: TcpProxy;
  let fleet: TestFleet;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = new URL(await postgres.createDatabase()).pathname.slice(1);
    proxy = await TcpProxy.start(postgres.port);
    fleet = await TestFleet.start({
      url: postgres.url(database),
      names: ['a', 'b'],
      urlOf: (name) => databaseUrl(database, name === 'b' ? proxy.port : postgres.port),
    });
    return () => proxy.close();
  });

  it('catches up by the changes after a broken wire, and players never see half of it', async () => {
    const missed = await missEdits(fleet, { proxy, how: 'cut', contents: many, rounds: 1 });
    expect(missed.faults).toEqual([]);
    expect(fleet.node(1).stderr).not.toContain('everything was read anew');
  }, 90_000);

  it('catches up by the changes after a wire that swallowed everything', async () => {
    const missed = await missEdits(fleet, { proxy, how: 'freeze', contents: many, rounds: 1 });
    expect(missed.faults).toEqual([]);
    expect(fleet.node(1).stderr).not.toContain('everything was read anew');
  }, 90_000);

  it('reads everything anew when the log does not reach back to where it was', async () => {
    const prune = async (): Promise<void> => {
      // What the publisher does after a hundred thousand numbers.
      await postgres.query(
        `delete from change_log;
         delete from sequences where sequence < (select sequence from store_state);
         update store_state set pruned_to = sequence`,
        [],
        database,
      );
    };
    const missed = await missEdits(fleet, { proxy, how: 'cut', contents: 30, rounds: 1, prune });
    expect(missed.faults).toEqual([]);
    expect(fleet.node(1).stderr).toContain('everything was read anew');
  }, 90_000);
});
