/** What a fleet does when the database is not the one it was: restored from a dump, without the newest edits, or empty. */
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { counted, ready, TestFleet } from '../support/fleet/fleet.js';
import { FleetReaders } from '../support/fleet/readers.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';

describe.skipIf(!hasPostgres)('a fleet whose database goes back in time', () => {
  let postgres: PostgresCluster;
  let database: string;
  let fleet: TestFleet;
  beforeEach(async () => {
    postgres = await startPostgres();
    database = new URL(await postgres.createDatabase()).pathname.slice(1);
    fleet = await TestFleet.start({ url: postgres.url(database), names: ['a', 'b'] });
    return async () => {
      await fleet.stop();
      await postgres.end();
    };
  });

  /** Puts the database that was copied before in the place of the present one, under the nodes' feet. */
  async function replaceBy(other: string): Promise<void> {
    await postgres.query(`drop database ${database} with (force)`);
    await postgres.query(`alter database ${other} rename to ${database}`);
  }

  it('serves what the restored one has, under numbers that were never given out, and nothing older afterwards', async () => {
    const { number: kept } = await fleet.edit(0, '?wait=fleet');
    // A copy by template is what a dump and its restore give, in a tenth of the time; nobody may be connected meanwhile.
    await postgres.query(`alter database ${database} with allow_connections false`);
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await eventually('nobody is connected', 10_000, async () => {
      const left = await postgres.query(
        `select 1 from pg_stat_activity where datname = '${database}'`,
      );
      return left.length === 0;
    });
    await postgres.query(`create database restored template ${database} owner loadout`);
    await postgres.query(`alter database ${database} with allow_connections true`);
    await fleet.editAgain(0, 20_000);
    for (let edits = 0; edits < 20; edits++) await fleet.edit(edits % 2);
    await fleet.game.put('lost', '{"number":-1}');
    const { sequence: newest } = await fleet.edit(1, '?wait=fleet');
    const readers = new FleetReaders(fleet, [0, 1], true);

    await replaceBy('restored');
    await fleet.serveAll(kept, 20_000);
    expect(await fleet.converged()).toBeGreaterThan(newest);
    for (const at of [0, 1]) expect((await fleet.at(at).plain('lost')).status).toBe(404);
    const { number, sequence } = await fleet.edit(1, '?wait=fleet');
    expect(sequence).toBeGreaterThan(newest);
    await fleet.serveAll(number);
    await readers.stop();
    expect(readers.faults).toEqual([]);
  }, 90_000);

  it('never acknowledges an edit in the restored one that it does not serve', async () => {
    await postgres.query(`alter database ${database} with allow_connections false`);
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await eventually('nobody is connected', 10_000, async () => {
      const left = await postgres.query(
        `select 1 from pg_stat_activity where datname = '${database}'`,
      );
      return left.length === 0;
    });
    await postgres.query(`create database restored template ${database} owner loadout`);
    await postgres.query(`alter database ${database} with allow_connections true`);
    await fleet.editAgain(0, 20_000);
    for (let edits = 0; edits < 10; edits++) await fleet.edit(edits % 2, '?wait=fleet');

    await replaceBy('restored');
    // At once: nobody has looked yet what became of the database.
    const edits = await eventually('edits are taken', 20_000, async () => {
      const answer = await fleet.tryEdit(0);
      return answer.status === 200 ? answer : null;
    });
    expect(await fleet.read(0)).toBe(fleet.written);
    expect(edits.json.sequence).toBeLessThanOrEqual((await ready(fleet.node(0))).sequence);
    await fleet.serveAll(fleet.written);
  }, 90_000);

  /** Every node serves what it served, and takes no edit. */
  async function expectUntouched(number: number): Promise<void> {
    for (const at of [0, 1]) {
      const edit = await fleet.at(at).tryPut(counted, { text: '{"number":-1}' });
      expect(edit.status, edit.text).toBeGreaterThanOrEqual(400);
      const made = await fleet.node(at).admin('POST', '/admin/v1/environments', { id: 'sneaked' });
      expect(made.status, made.text).toBe(503);
      expect(await ready(fleet.node(at))).toMatchObject({ status: 200, store: 'unavailable' });
      expect(await fleet.read(at)).toBe(number);
    }
  }

  it('keeps what it serves when the database is an empty one, takes no edits for it, and takes it when told', async () => {
    const { number } = await fleet.edit(0, '?wait=fleet');
    await postgres.query('create database nothing owner loadout');
    const readers = new FleetReaders(fleet);
    await replaceBy('nothing');
    // It has not even tables: those come with the next node that starts on it.
    await fleet.allSay('unavailable');
    await expectUntouched(number);
    await readers.leave(1);
    await fleet.kill(1);
    await fleet.startAgain(1);
    await eventually('the nodes say what to do', 20_000, () =>
      fleet.nodes.every(({ stderr }) => stderr.includes('accept-empty-store')),
    );
    await expectUntouched(number);
    await readers.stop();
    expect(readers.faults).toEqual([]);

    await fleet.kill(1);
    const told = await fleet.startAgain(1, ['--accept-empty-store']);
    expect((await fleet.at(1).plain(counted)).status).toBe(401);
    await eventually('it says that it has a store', 10_000, async () => {
      const said = await ready(told);
      return said.ready && said.store === 'available';
    });
  }, 120_000);
});

describe.skipIf(!hasPostgres)('a fleet whose standby was promoted without the newest edits', () => {
  it('serves what is left, under numbers that were never given out', async () => {
    const primary = await startPostgres();
    const database = new URL(await primary.createDatabase()).pathname.slice(1);
    const standby = await primary.startStandby();
    const url = databaseUrl(database, primary.port, standby.port);
    const fleet = await TestFleet.start({ url, names: ['a', 'b'] });
    const { number: kept } = await fleet.edit(0, '?wait=fleet');
    await eventually('the standby has it', 10_000, async () => {
      const rows = await primary.query(
        'select 1 from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()',
      );
      return rows.length > 0;
    });
    await standby.stop();
    for (let edits = 0; edits < 10; edits++) await fleet.edit(edits % 2);
    const { sequence: newest } = await fleet.edit(0, '?wait=fleet');
    await primary.kill();
    await standby.start();
    await standby.promote();

    await fleet.serveAll(kept, 20_000);
    expect(await fleet.converged()).toBeGreaterThan(newest);
    const { number } = await fleet.edit(1, '?wait=fleet');
    await fleet.serveAll(number);
    await fleet.stop();
  }, 90_000);
});
