/** That no acknowledged edit is lost when the primary dies and its synchronous standby takes over, and nothing is acknowledged that only one server has. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { FleetEditors } from '../support/fleet/editors.js';
import { counted, TestFleet } from '../support/fleet/fleet.js';
import { FleetReaders } from '../support/fleet/readers.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { expectDone } from '../support/server/environment.js';

describe.skipIf(!hasPostgres)('a fleet on a primary with a synchronous standby', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  let database: string;
  let fleet: TestFleet;
  beforeAll(async () => {
    primary = await startPostgres();
    database = new URL(await primary.createDatabase()).pathname.slice(1);
    standby = await primary.startStandby({ synchronous: true });
    fleet = await TestFleet.start({ url: databaseUrl(database, primary.port, standby.port) });
  });

  it('does not acknowledge an edit that the standby has not confirmed, and says that it is in doubt', async () => {
    const readers = new FleetReaders(fleet);
    const { number: before } = await fleet.edit(0);
    // Whoever asks for the audit waits for the index of its changes, which is written after the edit: it shall not wait for the standby.
    expect((await fleet.nodes[0]?.admin('GET', '/admin/v1/audit'))?.status).toBe(200);
    await standby.stop();
    const startedMs = performance.now();
    const answers = await Promise.all([fleet.tryEdit(0), fleet.tryEdit(1)]);
    expect(performance.now() - startedMs).toBeLessThan(25_000);
    // One of them waits for the standby, and the other one for it.
    const details = answers.map(({ json }) => json.detail).toSorted();
    expect(answers.map(({ json }) => json.code)).toEqual([
      'store_unavailable',
      'store_unavailable',
    ]);
    expect(details[0]).toContain('Nothing was changed; try again');
    expect(details[1]).toContain('may have been kept or not');
    // Nobody is shown what may be lost.
    expect(await fleet.read(1)).toBe(before);

    await standby.start();
    const after = await fleet.editAgain(2, 25_000);
    await fleet.serveAll(after, 15_000);
    await fleet.converged(25_000);
    await readers.stop();
    expect(readers.faults).toEqual([]);
    // It was kept: it is one revision of the history, and there once.
    const history = `${fleet.game.path}/contents/${counted}/revisions`;
    const { revisions } = expectDone(await fleet.node(1).admin('GET', history)).json;
    expect(revisions.map(({ revision }: { revision: number }) => revision)).toContain(before + 1);
  }, 120_000);

  it('does not acknowledge it either when an administrator ends the wait for the standby', async () => {
    await standby.stop();
    const editing = fleet.tryEdit(0);
    const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit' and datname = '${database}'`;
    await eventually(
      'the commit waits',
      10_000,
      async () => (await primary.query(waiting)).length > 0,
    );
    await primary.query(`select pg_cancel_backend(pid) from (${waiting}) as waiting`);
    const answer = await editing;
    expect(answer.status).toBe(503);
    expect(answer.json.detail).toContain('may have been kept or not');
    await standby.start();
    await fleet.serveAll(await fleet.editAgain(0, 25_000), 15_000);
    await fleet.converged(25_000);
  }, 90_000);

  it('loses nothing it acknowledged when the primary is killed and the standby promoted', async () => {
    const readers = new FleetReaders(fleet);
    const editors = new FleetEditors(fleet);
    await eventually('edits are made', 20_000, () => editors.acknowledged > 30);
    await primary.kill();
    await standby.promote();
    const promotedAt = editors.acknowledged;
    await eventually('edits go on', 20_000, () => editors.acknowledged > promotedAt + 30);
    await editors.stop();
    const { number } = await fleet.edit(0);
    await fleet.serveAll(number);
    await fleet.converged();
    await editors.expectNothingLost();
    await readers.stop();
    expect(readers.faults).toEqual([]);
    const clear = /^503 (The database|The change is saved|Another write)/;
    const unclear = [...editors.refused.keys()].filter((said) => !clear.test(said));
    expect(unclear).toEqual([]);
  }, 90_000);
});
