/**
 * Goal: every server of a fleet has an id of its own, whatever was copied or killed, and `?wait=fleet` never counts a server
 * that stopped. Method: real servers on a real database; folders are copied as operators copy them, processes are ended
 * and frozen as machines do it.
 */
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { counted, startNode, TestFleet, textOf } from '../../support/fleet/fleet.js';
import { queryAsSuperuser } from '../../support/postgres/database.js';
import { hasPostgres, preparedDatabase, startPostgres } from '../../support/postgres/postgres.js';
import { expectDone } from '../../support/server/environment.js';
import { childrenOf } from '../../support/server/process-tree.js';
import { makeDataFolder } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

interface Node {
  readonly id: string;
  readonly name: string;
  readonly live: boolean;
  readonly self: boolean;
}

/** Two beats of another server, and some time for a machine that is busy. */
const contestMsMax = 30_000;

async function nodesOf(server: LoadoutServer): Promise<Node[]> {
  return expectDone(await server.admin('GET', '/admin/v1/nodes')).json.nodes;
}

async function liveIds(server: LoadoutServer, name: string): Promise<string[]> {
  const nodes = await nodesOf(server);
  return nodes.filter((node) => node.live && node.name === name).map(({ id }) => id);
}

function keptId(server: LoadoutServer): string {
  return readFileSync(join(server.data, 'node-id'), 'utf8').trim();
}

async function start(names: readonly string[], url?: string): Promise<TestFleet> {
  const fleet = await TestFleet.start({ url: url ?? (await preparedDatabase()), names });
  onTestFinished(() => fleet.stop());
  return fleet;
}

/** Every process of the server, so that neither its management nor its listeners say anything. */
function hold(server: LoadoutServer): () => void {
  const pids = [server.pid, ...childrenOf(server.pid)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

interface Wire {
  readonly port: number;
  /** Between two transactions of the sessions that lead through it. */
  break(database: string): Promise<void>;
}

/**
 * A way to the database on which nothing passes once it is broken, not even that one side is gone: a process that is killed
 * resets its connection when it has not read all that came, and a proxy that passes this on ends the session.
 */
async function startWire(port: number): Promise<Wire> {
  let isBroken = false;
  const ends = new Set<Socket>();
  const sessions = new Set<Socket>();
  const listener = createServer((client) => {
    const database = connect(port, '127.0.0.1');
    sessions.add(database);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      ends.add(from);
      from.on('data', (bytes) => isBroken || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => isBroken || to.destroy());
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.close();
    for (const end of ends) end.destroy();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    break: async (database) => {
      await eventually('no session is in a transaction', 10_000, async () => {
        for (const end of ends) end.pause();
        const ports = [...sessions].map(({ localPort }) => localPort);
        isBroken = (await isEachIdle(port, database, ports)) === true;
        for (const end of ends) end.resume();
        return isBroken;
      });
    },
  };
}

/** Whether the sessions that came from these ports have ended every query and transaction. */
async function isEachIdle(
  port: number,
  database: string,
  ports: readonly (number | undefined)[],
): Promise<boolean | undefined> {
  const [found] = await queryAsSuperuser<{ idle: boolean }>(
    port,
    'select bool_and(state = $1) as idle from pg_stat_activity where datname = $2 and client_port = any($3)',
    ['idle', database, ports],
  );
  return found?.idle;
}

describe.skipIf(!hasPostgres)('two servers whose data folders have one node id', () => {
  it('have one each in the end: the second takes a new one, writes it down and says so', async () => {
    const url = await preparedDatabase();
    const fleet = await start(['a'], url);
    const first = fleet.node(0);
    const data = makeDataFolder();
    cpSync(join(first.data, 'node-id'), join(data, 'node-id'));
    const second = await startNode({ name: 'b', url, data });
    fleet.nodes.push(second);
    const shared = keptId(first);
    // Seen from the first moment, so that an edit waits for it.
    await eventually('both are listed', 5_000, async () => (await nodesOf(first)).length === 2);
    expect((await fleet.tryEdit(0, '?wait=fleet')).json.fleet.acknowledged).toBe(2);

    await eventually('the second has an id of its own', contestMsMax, () => {
      return keptId(second) !== shared;
    });
    expect(keptId(first)).toBe(shared);
    expect(await liveIds(second, 'a')).toEqual([shared]);
    expect(await liveIds(first, 'b')).toEqual([keptId(second)]);
    const said = second.stderr.split('\n').filter((line) => line.includes('another server uses'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`node id ${shared}`);
    expect(said[0]).toContain(`this server is ${keptId(second)}`);
    expect(first.stderr).not.toContain('another server uses');
    const { fleet: waited } = (await fleet.tryEdit(1, '?wait=fleet')).json;
    expect(waited).toEqual({ acknowledged: 2, missing: [] });

    // It keeps it.
    const taken = keptId(second);
    await second.stop();
    fleet.nodes[1] = await startNode({ name: 'b', url, data });
    await eventually('it is there again', 10_000, async () => {
      return (await liveIds(first, 'b')).join() === taken;
    });
    expect(fleet.node(1).stderr).not.toContain('another server uses');
  }, 90_000);

  it('are two for an edit that waits, when one of them hangs', async () => {
    const url = await preparedDatabase();
    const fleet = await start(['a'], url);
    const data = makeDataFolder();
    cpSync(join(fleet.node(0).data, 'node-id'), join(data, 'node-id'));
    fleet.nodes.push(await startNode({ name: 'b', url, data }));
    await eventually('both are listed', contestMsMax, async () => {
      return (await nodesOf(fleet.node(0))).filter(({ live }) => live).length === 2;
    });
    const go = hold(fleet.node(1));
    try {
      const { acknowledged, missing } = (await fleet.tryEdit(0, '?wait=fleet')).json.fleet;
      expect(acknowledged).toBe(1);
      expect(missing.map(({ name }: Node) => name)).toEqual(['b']);
    } finally {
      go();
    }
  }, 90_000);
});

describe.skipIf(!hasPostgres)('a server that comes back', () => {
  it('has its id at once after it was killed', async () => {
    const fleet = await start(['a', 'b']);
    const id = keptId(fleet.node(1));
    for (let round = 0; round < 3; round++) {
      await fleet.kill(1);
      await fleet.startAgain(1);
      await eventually('it is there', 5_000, async () => {
        const { nodes } = (await fleet.node(1).admin('GET', '/admin/v1/nodes')).json;
        return nodes.some(({ self }: Node) => self);
      });
      expect((await nodesOf(fleet.node(1))).find(({ self }) => self)?.id).toBe(id);
      expect((await nodesOf(fleet.node(0))).map(({ name }) => name)).toEqual(['a', 'b']);
      expect(keptId(fleet.node(1))).toBe(id);
    }
  }, 90_000);

  it('has its id again when the database still has its lost session', async () => {
    const postgres = await startPostgres();
    const database = new URL(await postgres.createDatabase()).pathname.slice(1);
    const url = postgres.url(database);
    const fleet = await start(['a'], url);
    const wire = await startWire(postgres.port);
    const behind = await startNode({
      name: 'b',
      url: url.replace(String(postgres.port), String(wire.port)),
    });
    const id = keptId(behind);
    await eventually('it is there', 10_000, async () => {
      return (await liveIds(fleet.node(0), 'b')).join() === id;
    });
    // The database never hears that the server is gone. In the middle of a write it would end the session by itself.
    await wire.break(database);
    behind.signal('SIGKILL');
    await behind.exit;
    const again = await startNode({ name: 'b', url, data: behind.data });
    fleet.nodes.push(again);
    await eventually('it is listed', 5_000, async () => {
      return (await nodesOf(again)).some(({ self }) => self);
    });
    await eventually('it has its id', contestMsMax, async () => {
      return (await nodesOf(again)).find(({ self }) => self)?.id === id;
    });
    expect(keptId(again)).toBe(id);
    // It may be listed under its id, by what the lost session wrote, a moment before it has claimed it.
    await eventually('the lost session is ended', contestMsMax, async () =>
      again.stderr.includes('a lost session of this node id was ended'),
    );
    expect(again.stderr).not.toContain('another server uses');
    expect(await liveIds(fleet.node(0), 'b')).toEqual([id]);
  }, 90_000);
});

describe.skipIf(!hasPostgres)('a server that has stopped', () => {
  it.each([
    ['was killed', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)(
    'is not reported as reached by what it had before it %s',
    async (_how, signal) => {
      const fleet = await start(['a', 'b']);
      await fleet.edit(0, '?wait=fleet');
      const pids = [fleet.node(1).pid, ...childrenOf(fleet.node(1).pid)];
      if (signal === 'SIGKILL') await fleet.kill(1);
      else for (const pid of pids) process.kill(pid, signal);
      try {
        // Nothing changes, so its sequence is one that the server had.
        const path = `${fleet.game.path}/contents/${counted}?wait=fleet`;
        const same = await fleet.node(0).admin('PUT', path, { text: textOf(fleet.written) });
        const { acknowledged, missing } = expectDone(same).json.fleet;
        expect(acknowledged).toBe(1);
        expect(missing.map(({ name }: Node) => name)).toEqual(['b']);
      } finally {
        if (signal === 'SIGSTOP') for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
    },
    60_000,
  );

  it('is not reported when it ended in order', async () => {
    const fleet = await start(['a', 'b']);
    await fleet.edit(0, '?wait=fleet');
    await fleet.nodes.pop()?.stop();
    const { fleet: waited } = (await fleet.tryEdit(0, '?wait=fleet')).json;
    expect(waited).toEqual({ acknowledged: 1, missing: [] });
  }, 60_000);
});

describe.skipIf(!hasPostgres)('an edit after the store went back in time', () => {
  it.each([
    ['its newest number is below what a server has', 0],
    ['its newest number is beyond that by now', 8],
  ])(
    'is reached by that server when it serves it, although %s',
    async (_how, editsMeanwhile) => {
      const url = await preparedDatabase();
      const { port, pathname } = new URL(url);
      const fleet = await start(['a', 'b'], url);
      const { sequence } = await fleet.edit(0, '?wait=fleet');
      await fleet.node(0).stop();
      // The server that goes on gets further than the store is going to be.
      for (let edits = 0; edits < 5; edits++) await fleet.edit(1);
      const go = hold(fleet.node(1));
      try {
        const back = `
        delete from sequences where sequence > ${sequence};
        delete from change_log where sequence > ${sequence};
        update store_state set sequence = ${sequence};`;
        await queryAsSuperuser(Number(port), back, [], pathname.slice(1));
        await fleet.startAgain(0);
        const waiting = fleet.tryEdit(0, '?wait=fleet');
        await eventually('it is made', 10_000, async () => (await fleet.read(0)) === fleet.written);
        // Its number, and those of these edits, the other server has seen as the numbers of other edits.
        for (let edits = 0; edits < editsMeanwhile; edits++) await fleet.edit(0);
        go();
        const edited = expectDone(await waiting).json;
        expect(edited.fleet).toEqual({ acknowledged: 2, missing: [] });
        expect(await fleet.read(1)).toBe(fleet.written);
      } finally {
        go();
      }
    },
    90_000,
  );
});
