/** The faults of PostgreSQL that need more than one server of it, or a disk of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { SmallDisk } from '../support/server/small-disk.js';
import { longHoldMs, play } from './drill.js';
import { DrilledFleet } from './fleet-drill.js';
import { hasPrometheus, type Prometheus } from './prometheus.js';

/** An empty PostgreSQL, and room for what is written until the fault. */
const diskMegabytes = 200;

describe.skipIf(!hasPrometheus || !hasPostgres)('a fleet on a primary with standbys', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  let followed: PostgresCluster;
  let fleet: DrilledFleet;
  let prometheus: Prometheus;

  beforeAll(async () => {
    primary = await startPostgres();
    const database = new URL(await primary.createDatabase()).pathname.slice(1);
    standby = await primary.startStandby({ synchronous: true });
    followed = await primary.startStandby();
    const url = databaseUrl(database, primary.port, standby.port);
    const flags = ['--database-replica', databaseUrl(database, followed.port)];
    fleet = await DrilledFleet.start({ a: { url }, b: { url, flags } });
    prometheus = fleet.prometheus;
  });
  afterAll(async () => await fleet?.stop());

  it('loses the standby that a node follows', () =>
    play(prometheus, {
      part: 'the standby that a node follows',
      alert: null,
      fault: () => followed.stop('immediate'),
      end: () => followed.start(),
    }));

  it('has a standby that stands still under the node that follows it', () =>
    play(prometheus, {
      part: 'the standby that a node follows',
      variant: 'it stands still',
      alert: null,
      fault: () => followed.query('SELECT pg_wal_replay_pause()'),
      end: () => followed.query('SELECT pg_wal_replay_resume()'),
    }));

  it('loses all synchronous standbys', () =>
    play(prometheus, {
      part: 'all synchronous standbys',
      alert: 'LoadoutEditsFailing',
      holdMs: longHoldMs,
      fault: () => standby.stop(),
      end: () => standby.start(),
    }));

  it('loses its primary, and waits for a failover', async () => {
    // The standby that it follows has no primary any more.
    await fleet.restart('b', { flags: [] });
    await play(prometheus, {
      part: 'the primary, with a failover',
      alert: 'LoadoutStoreAway',
      fault: () => primary.kill(),
      end: () => standby.promote(),
    });
  });
});

describe.skipIf(!hasPrometheus || !hasPostgres)('a server on a PostgreSQL', () => {
  const disk = hasPostgres ? SmallDisk.mount(diskMegabytes) : null;
  let postgres: PostgresCluster;
  let fleet: DrilledFleet;

  beforeAll(async () => {
    if (disk === null) return;
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk.path;
    postgres = await startPostgres();
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    fleet = await DrilledFleet.start({ a: { url: await postgres.createDatabase() } });
  });
  afterAll(async () => {
    await fleet?.stop();
    await postgres?.end();
    disk?.unmount();
  });

  it('whose disk is full', async ({ skip }) => {
    const full = disk ?? skip('no small disk can be mounted here');
    // What it has allocated has some room yet, which the small edits of the load do not use up.
    const numbers = Array.from({ length: 50_000 }, () => Math.random());
    let isFull = true;
    let editing: Promise<void> | undefined;
    await play(fleet.prometheus, {
      part: "the database's disk is full",
      alert: 'LoadoutEditsFailing',
      fault: () => {
        full.fill();
        editing = (async () => {
          for (; isFull; await pause(1_000)) {
            const text = JSON.stringify([Date.now(), ...numbers]);
            await fleet.game.tryPut('large', { text }).catch(() => null);
          }
        })();
      },
      end: async () => {
        full.empty();
        isFull = false;
        await editing;
        if (!postgres.isRunning) await postgres.start();
      },
    });
  });
});
