/** That the PostgreSQL servers of the tests do what tests of a fleet rely on: a failover that loses nothing, faults that are real. */
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freshDatabase, hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { TcpProxy } from '../support/wire/tcp-proxy.js';

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

async function connect(url: string): Promise<{ client: Client; lost: Promise<unknown> }> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that is lost says so more than once.
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  return { client, lost };
}

/** Whether `work` goes on after `millis`: there is no event for what a partition keeps from happening. */
async function isPending(work: Promise<unknown>, millis: number): Promise<boolean> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, millis, 'late'));
  return (await Promise.race([work, late])) === 'late';
}

describe.skipIf(!hasPostgres)('a PostgreSQL server of the tests', () => {
  it('loses nothing it has confirmed when it is killed and its synchronous standby promoted', async () => {
    const primary = await startPostgres();
    const standby = await primary.startStandby({ synchronous: true });
    const url = await primary.createDatabase();
    const { client, lost } = await connect(url);
    await client.query('CREATE TABLE edits (number integer)');
    for (let number = 1; number <= 100; number++) {
      await client.query('INSERT INTO edits VALUES ($1)', [number]);
    }

    await primary.kill();
    await lost;
    await standby.promote();

    const rows = await standby.query('SELECT count(*)::int AS count FROM edits', [], nameOf(url));
    expect(rows).toEqual([{ count: 100 }]);
    // It has no standby: it must not wait for a confirmation either.
    await standby.query('INSERT INTO edits VALUES (101)', [], nameOf(url));
  });

  it('comes back on its port with what was committed, however it was stopped', async () => {
    const server = await startPostgres();
    await server.query('CREATE TABLE rounds (how text)');
    for (const how of ['fast', 'immediate', 'kill'] as const) {
      await server.query('INSERT INTO rounds VALUES ($1)', [how]);
      const open = await connect(server.url());
      if (how === 'kill') await server.kill();
      else await server.stop(how);
      await open.lost;
      await expect(server.query('SELECT')).rejects.toThrow('ECONNREFUSED');
      await server.start();
    }
    const rows = await server.query<{ how: string }>('SELECT how FROM rounds');
    expect(rows.map((row) => row.how)).toEqual(['fast', 'immediate', 'kill']);
  });

  it('counts the processor time of sessions that have ended', async () => {
    const server = await startPostgres();
    const before = server.cpuSeconds();
    const work = 'SELECT sum(sqrt(number)) FROM generate_series(1, 5000000) AS number';
    await server.query(work);
    await eventually('the time of the session is counted, once it has ended', 10_000, async () => {
      return server.cpuSeconds() - before > 0.1;
    });
  });

  it('gives every test file databases of its own, and Loadout nothing beyond them', async () => {
    const [one, other] = [await freshDatabase(), await freshDatabase()];
    expect(one).not.toBe(other);
    const { client } = await connect(one);
    await client.query('CREATE TABLE mine (number integer)');
    await expect(client.query('CREATE DATABASE more')).rejects.toThrow('permission denied');
    await expect(client.query('CREATE ROLE more')).rejects.toThrow('permission denied');
    await client.end();
  });
});

describe.skipIf(!hasPostgres)('a wire of the tests', () => {
  async function wired(): Promise<{ proxy: TcpProxy; url: string }> {
    const url = await freshDatabase();
    const proxy = await TcpProxy.start(Number(new URL(url).port));
    return { proxy, url: url.replace(new URL(url).host, proxy.address) };
  }

  it('ends connections when it is cut, refuses new ones, and passes on again when it is mended', async () => {
    const { proxy, url } = await wired();
    const { client, lost } = await connect(url);
    await client.query('SELECT');
    await proxy.cut();
    await lost;
    await expect(connect(url)).rejects.toThrow('ECONNREFUSED');
    await proxy.mend();
    const again = await connect(url);
    await again.client.query('SELECT');
    await again.client.end();
    await proxy.close();
  });

  it('holds back, when it is frozen, what it passes on when it is mended', async () => {
    const { proxy, url } = await wired();
    const { client } = await connect(url);
    await proxy.freeze();
    const late = client.query('SELECT 1 AS one');
    const second = connect(url);
    expect(await isPending(Promise.race([late, second]), 200)).toBe(true);
    expect(proxy.connections).toBe(2);
    await proxy.mend();
    expect((await late).rows).toEqual([{ one: 1 }]);
    await (await second).client.end();
    await client.end();
    await proxy.close();
  });
});
