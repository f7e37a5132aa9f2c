/** That a node which follows a standby serves what the standby has, knows what it has not got yet, and edits at the primary. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { contentPath, startNode, TestFleet } from '../support/fleet/fleet.js';
import { staleReads } from '../support/fleet/measures.js';
import { FleetReaders } from '../support/fleet/readers.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';

describe.skipIf(!hasPostgres)('a node that follows a standby', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  let late: PostgresCluster;
  let database: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    primary = await startPostgres();
    database = new URL(await primary.createDatabase()).pathname.slice(1);
    standby = await primary.startStandby();
    late = await primary.startStandby({ settings: { recovery_min_apply_delay: '3s' } });
    const url = databaseUrl(database, primary.port);
    fleet = await TestFleet.start({ url, names: ['a'] });
    const flags = ['--database-replica', databaseUrl(database, standby.port)];
    fleet.nodes.push(await startNode({ name: 'b', url, flags }));
    await fleet.converged();
  });

  it('serves an edit of another node soon, and its own at once', async () => {
    const startedMs = performance.now();
    const { number } = await fleet.edit(0);
    await fleet.serveAll(number);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    const own = await fleet.edit(1);
    expect(await fleet.read(1)).toBe(own.number);
    await fleet.serveAll(own.number);
    const all = await fleet.tryEdit(0, '?wait=fleet');
    expect(all.json.fleet).toEqual({ acknowledged: 2, missing: [] });
    expect(await fleet.read(1)).toBe(fleet.written);
  });

  it('never answers with something older than the number that a caller names', async () => {
    expect(await staleReads(fleet, 60)).toEqual([]);
  });

  it('serves a standby that is late without going back, and says that it has not reached a number', async () => {
    const url = databaseUrl(database, primary.port);
    const flags = ['--database-replica', databaseUrl(database, late.port)];
    await eventually('the late standby has a store', 15_000, async () => {
      const rows = await late.query("select to_regclass('environments') as there", [], database);
      return rows[0]?.['there'] !== null;
    });
    fleet.nodes.push(await startNode({ name: 'late', url, flags }));
    await eventually('the late standby has the content', 15_000, async () => {
      return (await fleet.at(2).ask('POST', contentPath, {})).status === 200;
    });
    const readers = new FleetReaders(fleet);
    const { number, sequence } = await fleet.edit(0);
    await fleet.serveAll(number, 8_000);
    // A caller that names a number is answered with it, or told in time that it is not there yet.
    const next = await fleet.edit(0);
    expect(next.sequence).toBeGreaterThan(sequence);
    const headers = { 'x-min-sequence': String(next.sequence) };
    const answer = await fleet.at(2).ask('POST', contentPath, {}, headers);
    if (answer.status === 200) expect(answer.json).toEqual({ number: next.number });
    else expect(answer.text).toContain('sequence_not_reached');
    // Its own edit it serves before it answers, however late the standby is; and never the older ones again.
    const own = await fleet.edit(2);
    expect(await fleet.read(2)).toBe(own.number);
    const all = await fleet.tryEdit(1, '?wait=fleet');
    expect(all.json.fleet).toEqual({ acknowledged: 3, missing: [] });
    expect(await fleet.read(2)).toBe(fleet.written);
    await readers.stop();
    expect(readers.faults).toEqual([]);
    await fleet.nodes.pop()?.stop();
  }, 60_000);

  it('goes on serving while the primary is away, and edits when it is back', async () => {
    const readers = new FleetReaders(fleet);
    const { number } = await fleet.edit(0);
    await fleet.serveAll(number);
    await primary.stop('immediate');
    expect((await fleet.tryEdit(1)).json).toMatchObject({ code: 'store_unavailable' });
    await fleet.allSay('unavailable');
    await primary.start();
    await fleet.serveAll(await fleet.editAgain(1, 20_000), 15_000);
    await fleet.converged(25_000);
    await readers.stop();
    expect(readers.faults).toEqual([]);
  }, 60_000);

  it('goes on serving while the standby is away, and catches up when it is back', async () => {
    const readers = new FleetReaders(fleet);
    await standby.stop('immediate');
    for (let edits = 0; edits < 10; edits++) await fleet.edit(0);
    await standby.start();
    await fleet.serveAll(fleet.written, 20_000);
    await fleet.converged(20_000);
    await readers.stop();
    expect(readers.faults).toEqual([]);
  }, 60_000);
});
