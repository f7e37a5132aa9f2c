/** The figures of a fleet: how soon an edit is everywhere, no stale read, a minute without the database, ten thousand edits missed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { editsOneByOne, missEdits } from '../support/fleet/cut-off.js';
import { FleetEditors } from '../support/fleet/editors.js';
import { TestFleet } from '../support/fleet/fleet.js';
import { measurePropagation, staleReads } from '../support/fleet/measures.js';
import { outage } from '../support/fleet/outage.js';
import { FleetReaders } from '../support/fleet/readers.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { childrenOf } from '../support/server/process-tree.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';

/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.01` does a hundredth of everything. */
const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const share = (count: number): number => Math.ceil(count * part);

describe.skipIf(!hasPostgres)('three nodes on one database', () => {
  let postgres: PostgresCluster;
  let fleet: TestFleet;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    fleet = await TestFleet.start({ url: await postgres.createDatabase() });
  });
  afterAll(() => fleet.stop());

  it('serve an edit within 50 ms at the median and 200 ms at p99', async () => {
    await measurePropagation(fleet, share(50));
    const figures = await measurePropagation(fleet, share(1_000));
    console.log('propagation, ms', JSON.stringify(figures));
    expect(figures.afterAnswer.p50).toBeLessThanOrEqual(50);
    expect(figures.afterAnswer.p99).toBeLessThanOrEqual(200);
  });

  it('answer no read with something older than the number it names, of ten thousand', async () => {
    expect(await staleReads(fleet, share(10_000))).toEqual([]);
  });

  it('serve every read while the database is stopped for a minute, and converge', async () => {
    for (const mode of ['fast', 'immediate'] as const) {
      const readers = new FleetReaders(fleet);
      await outage(fleet, { postgres, readers, mode, awayMillis: share(60_000), killed: 2 });
      await readers.stop();
      console.log(`${mode} stop: ${readers.answered} reads, ${readers.faults.length} failed`);
      expect(readers.faults).toEqual([]);
    }
  });

  it('take edits again within half a minute when a node freezes in the middle of a write', async () => {
    const editors = new FleetEditors(fleet, [0]);
    const frozen = fleet.node(0);
    const processes = [frozen.pid, ...childrenOf(frozen.pid)];
    // Until it is met inside a transaction: then, and only then, others wait for it.
    await eventually('it is frozen while it holds the lock', 60_000, async () => {
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      const [row] = await postgres.query(
        "select count(*)::int as held from pg_stat_activity where state = 'idle in transaction' and query ilike '%store_state%'",
      );
      if (row?.['held'] > 0) return true;
      for (const pid of processes) process.kill(pid, 'SIGCONT');
      return false;
    });
    const frozenMs = performance.now();
    try {
      const number = await fleet.editAgain(1, 60_000);
      const tookMs = Math.round(performance.now() - frozenMs);
      console.log(`edits go on ${tookMs} ms after a node froze in its write`);
      expect(tookMs).toBeLessThan(45_000);
      await eventually('the other one serves it', 10_000, async () => {
        return (await fleet.read(2)) === number;
      });
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
    await editors.stop();
    await fleet.converged(30_000);
    await fleet.serveAll(fleet.written);
  });
});

describe.skipIf(!hasPostgres)('a node that was cut off', () => {
  let postgres: PostgresCluster;
  let proxy: TcpProxy;
  let database: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
    database = new URL(await postgres.createDatabase()).pathname.slice(1);
    proxy = await TcpProxy.start(postgres.port);
    fleet = await TestFleet.start({
      url: postgres.url(database),
      names: ['a', 'b'],
      urlOf: (name) => databaseUrl(database, name === 'b' ? proxy.port : postgres.port),
    });
  });
  afterAll(async () => {
    await fleet.stop();
    await proxy.close();
  });

  it('for ten thousand edits catches up by the changes', async () => {
    for (const how of ['cut', 'freeze'] as const) {
      const edit = (): Promise<void> => editsOneByOne(fleet, share(10_000));
      const { faults, caughtUpMs } = await missEdits(fleet, {
        ...{ proxy, how, contents: 300, rounds: 2, prune: edit },
      });
      console.log(`${share(10_000)} edits missed (${how}): caught up in ${caughtUpMs} ms`);
      expect(faults).toEqual([]);
    }
    expect(fleet.node(1).stderr).not.toContain('everything was read anew');
  });
});

describe.skipIf(!hasPostgres)('a primary that is killed', () => {
  it('five times in a row loses nothing that was acknowledged', async () => {
    for (let round = 0; round < Math.max(1, share(5)); round++) {
      const primary = await startPostgres({ durable: true });
      const database = new URL(await primary.createDatabase()).pathname.slice(1);
      const standby = await primary.startStandby({ synchronous: true });
      const url = databaseUrl(database, primary.port, standby.port);
      const fleet = await TestFleet.start({ url });
      const editors = new FleetEditors(fleet);
      await eventually('edits are made', 60_000, () => editors.acknowledged > share(500));
      const killedMs = performance.now();
      await primary.kill();
      await standby.promote();
      const before = editors.acknowledged;
      await eventually('edits go on', 30_000, () => editors.acknowledged > before);
      const tookMs = Math.round(performance.now() - killedMs);
      await eventually('many edits', 60_000, () => editors.acknowledged > before + share(100));
      await editors.stop();
      await fleet.edit(0, '?wait=fleet');
      await fleet.converged();
      await editors.expectNothingLost();
      console.log(`killed after ${before} edits; edits again after ${tookMs} ms`);
      await fleet.stop();
      await Promise.all([primary.end(), standby.end()]);
    }
  });
});
