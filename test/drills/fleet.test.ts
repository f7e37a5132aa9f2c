/** The faults of a fleet: three servers on one PostgreSQL, one of them behind a wire that can be cut and on a disk of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { databaseUrl } from '../support/postgres/database.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { makeEnvironment } from '../support/server/environment.js';
import { MovingClock } from '../support/server/moving-clock.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { SmallDisk } from '../support/server/small-disk.js';
import { send } from '../support/wire/exchange.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';
import { longHoldMs, play } from './drill.js';
import { DrilledFleet } from './fleet-drill.js';
import { hasPrometheus, type Prometheus, programOf } from './prometheus.js';

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
/** More than the tenth of it that must be free, and than the 64 MiB below which events are refused. */
const diskMegabytes = 300;
const clockOffMs = 4_000;

describe.skipIf(!hasPrometheus || !hasPostgres)('a fleet', () => {
  let postgres: PostgresCluster;
  let game: string;
  let proxy: TcpProxy;
  let disk: SmallDisk | null;
  let clock: MovingClock;
  let fleet: DrilledFleet;
  let prometheus: Prometheus;

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres.createDatabase();
    game = new URL(url).pathname.slice(1);
    proxy = await TcpProxy.start(postgres.port);
    disk = SmallDisk.mount(diskMegabytes);
    const data = join(disk?.path ?? makeDataFolder(), 'data');
    mkdirSync(data);
    clock = new MovingClock(makeDataFolder());
    fleet = await DrilledFleet.start({
      a: { url },
      b: { url: databaseUrl(game, proxy.port), data },
      c: { url, clock },
    });
    prometheus = fleet.prometheus;
  });

  afterAll(async () => {
    await fleet?.stop();
    await proxy?.close();
    disk?.unmount();
  });

  /** Another database takes the place of the one that servers use, under them. @returns the name of that one from now on */
  async function swapIn(name: string): Promise<string> {
    const before = `${game}_before`;
    await release(game);
    await postgres.query(`ALTER DATABASE ${game} RENAME TO ${before}`);
    await postgres.query(`ALTER DATABASE ${name} RENAME TO ${game}`);
    await postgres.query(`ALTER DATABASE ${game} ALLOW_CONNECTIONS true`);
    return before;
  }

  /** Ends all sessions, and lets none begin. */
  async function release(name: string): Promise<void> {
    await postgres.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await postgres.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }

  /** The name of a database with the schema and nothing else in it. */
  async function emptyStore(): Promise<string> {
    const url = await postgres.createDatabase();
    const server = await startServer({ listeners: 1, flags: ['--database', url] });
    await server.stop();
    return new URL(url).pathname.slice(1);
  }

  it('loses a machine', () =>
    play(prometheus, {
      part: 'a machine',
      alert: 'LoadoutDown',
      fault: async () => {
        // Nobody hears that it is gone.
        await proxy.freeze();
        await fleet.kill('b');
      },
      end: async () => {
        await proxy.mend();
        await fleet.startAgain('b');
      },
    }));

  it('has a machine that was made of the image of another', () =>
    play(prometheus, {
      part: 'two machines of one image',
      alert: null,
      fault: async () => {
        const data = makeDataFolder();
        cpSync(join(fleet.server('a').data, 'node-id'), join(data, 'node-id'));
        await fleet.begin('d', { url: postgres.url(game), data });
      },
      end: () => fleet.remove('d'),
    }));

  it('has a node that cannot publish', async () => {
    const db = new BetterSqlite3(join(fleet.server('c').data, 'published.db'));
    await play(prometheus, {
      part: 'a node between two states',
      alert: 'LoadoutPublishFailing',
      // As a program that copies the file may hold it.
      fault: () => db.exec('BEGIN IMMEDIATE'),
      end: () => db.exec('ROLLBACK'),
    });
    db.close();
  });

  it('loses its balancer', async () => {
    const balancer = await startBalancer(fleet);
    await play(prometheus, {
      part: 'the balancer',
      alert: null,
      fault: async () => {
        expect((await send(balancer.url, '/healthz')).status).toBe(200);
        balancer.child.kill('SIGKILL');
        await once(balancer.child, 'exit');
        await expect(send(balancer.url, '/healthz')).rejects.toThrow('ECONNREFUSED');
      },
    });
  });

  it('loses PostgreSQL', () =>
    play(prometheus, {
      part: 'PostgreSQL, or the way to it',
      alert: 'LoadoutStoreAway',
      holdMs: longHoldMs,
      fault: () => postgres.stop('immediate'),
      end: () => postgres.start(),
    }));

  it('has a node that is cut off from it', () =>
    play(prometheus, {
      part: 'PostgreSQL, or the way to it',
      variant: 'the way of one node',
      alert: 'LoadoutStoreAway',
      fault: () => proxy.freeze(),
      end: () => proxy.mend(),
    }));

  it('has a node whose disk is full', async ({ skip }) => {
    const full = disk ?? skip('no small disk can be mounted here');
    await play(prometheus, {
      part: "a node's disk is full",
      alert: 'LoadoutDiskFull',
      fault: () => full.fill(),
      end: () => full.empty(),
    });
  });

  it('has a node whose clock is off', () =>
    play(prometheus, {
      part: 'clocks',
      alert: 'LoadoutClockSkewed',
      fault: () => clock.move(-clockOffMs),
      end: () => clock.move(clockOffMs),
    }));

  it('finds its database empty', async () => {
    const empty = await emptyStore();
    let before = '';
    await play(prometheus, {
      part: 'the database is empty',
      alert: 'LoadoutEditsFailing',
      fault: async () => {
        before = await swapIn(empty);
      },
      end: async () => {
        await release(game);
        await postgres.query(`ALTER DATABASE ${game} RENAME TO ${empty}`);
        await postgres.query(`ALTER DATABASE ${before} RENAME TO ${game}`);
        await postgres.query(`ALTER DATABASE ${game} ALLOW_CONNECTIONS true`);
      },
    });
  });

  it('is restored to an earlier moment', async () => {
    const copy = `${game}_copy`;
    await release(game);
    await postgres.query(`CREATE DATABASE ${copy} OWNER loadout TEMPLATE ${game}`);
    await postgres.query(`ALTER DATABASE ${game} ALLOW_CONNECTIONS true`);
    await play(prometheus, {
      part: 'the database is restored to an earlier moment',
      alert: null,
      fault: () => swapIn(copy),
    });
  });

  it("has addresses that lead to another game's store", async () => {
    const url = await postgres.createDatabase();
    const other = await startServer({ listeners: 1, flags: ['--database', url] });
    await (await makeEnvironment(other)).put('shop', '{"price":-1}');
    await other.stop();
    const names = ['a', 'b', 'c'];
    const lead = (to: string): Promise<unknown> =>
      Promise.all(names.map((name) => fleet.restart(name, { url: to })));
    await play(prometheus, {
      part: "the address leads to another game's store",
      alert: 'LoadoutRequestsRejected',
      fault: () => lead(url),
      end: () => lead(postgres.url(game)),
    });
    await play(prometheus, {
      part: "the address leads to another game's store",
      variant: 'of one server',
      alert: 'LoadoutLeaderJobs',
      fault: () => fleet.restart('c', { url }),
      end: () => fleet.restart('c', { url: postgres.url(game) }),
    });
  });

  // The last one: its alert goes on for an hour.
  it('has a node whose published.db is damaged', () =>
    play(prometheus, {
      part: "a node's published.db is damaged",
      alert: 'LoadoutPublishedDamaged',
      waitsForEnd: false,
      fault: async () => {
        const { data } = fleet.server('b');
        for (const name of ['published.db', 'published.db-wal']) {
          const path = join(data, name);
          if (!existsSync(path)) continue;
          const bytes = readFileSync(path);
          const text = 'what is in other';
          for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
            bytes[at] = 0x57;
          }
          writeFileSync(path, bytes, { flag: 'r+' });
        }
        const there = fleet.game.on(fleet.server('b'));
        expect((await there.plain('other')).status).toBe(500);
        await eventually('it is served again', 30_000, async () => {
          return (await there.plain('other')).status === 200;
        });
      },
    }));
});

/** HAProxy with the page's settings before the fleet. */
async function startBalancer(fleet: DrilledFleet): Promise<{ url: string; child: ChildProcess }> {
  const program = programOf('haproxy');
  if (program === null) throw new Error('HAProxy is missing: apt install haproxy');
  const settings = /```\n(# HAProxy [\s\S]*?)```/.exec(page)?.[1] ?? '';
  const port = await freeLoopbackPort();
  const [a, b] = fleet.servers;
  const file = join(makeDataFolder(), 'haproxy.cfg');
  writeFileSync(
    file,
    `${settings
      .replace('10.0.0.11:8080', `127.0.0.1:${a?.deliveryPort}`)
      .replace('10.0.0.12:8080', `127.0.0.1:${b?.deliveryPort}`)
      .replace(/bind :80$/m, `bind 127.0.0.1:${port}`)}\n`,
  );
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually('HAProxy passes a request on', 20_000, async () => {
    if (child.exitCode !== null) throw new Error('HAProxy ended');
    return (await send(url, '/healthz').catch(() => null))?.status === 200;
  });
  return { url, child };
}
