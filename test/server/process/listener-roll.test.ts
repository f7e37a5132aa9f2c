/** SIGHUP when something goes wrong meanwhile: there are as many listeners afterwards as before, and soon. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import {
  childrenOf,
  isAlive,
  listenersOf,
  ownerOfConnection,
} from '../../support/server/process-tree.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { head, openConnection, type RawConnection } from '../../support/wire/raw-connection.js';

const replaceMillisMax = 20_000;

let server: LoadoutServer;
let game: Environment;
let before: readonly number[];

beforeEach(async () => {
  server = await startServer();
  game = await makeEnvironment(server);
  await game.put('shop', '1');
  before = listenersOf(server.pid, server.deliveryPort);
});
afterEach(() => server.stop());

function listeners(): number[] {
  return listenersOf(server.pid, server.deliveryPort);
}

/** A request to a given listener whose body does not come: its drain waits for it. */
async function requestUnderWay(pid: number): Promise<RawConnection> {
  for (let i = 0; i < 64; i++) {
    const connection = await openConnection(server.deliveryPort);
    const headers = [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    await connection.write(`${head('POST', '/api/v1/config/shop', headers)}{`);
    const found = await eventually('the connection is accepted', 2_000, () =>
      ownerOfConnection(before, server.deliveryPort, connection.localPort),
    );
    if (found === pid) return connection;
    connection.close();
  }
  throw new Error('no connection reached that listener');
}

describe('SIGHUP', () => {
  it('to the delivery processes themselves ends none of them', async () => {
    for (const pid of before) process.kill(pid, 'SIGHUP');
    for (let i = 0; i < 8; i++) expect((await game.plain('shop')).text).toBe('1');
    await game.put('shop', '2');
    expect(listeners()).toEqual(before);
  });

  it('leaves no listener too many when one of them dies before its turn', async () => {
    // Which of the two has its turn first is the server's affair: hold up both, and see who drains.
    const held = await Promise.all(before.map(requestUnderWay));
    server.signal('SIGHUP');
    const successor = await eventually('the first successor', replaceMillisMax, () =>
      listeners().find((pid) => !before.includes(pid)),
    );
    const waiting = await eventually('one drains, one waits', 5_000, () => {
      const rest = before.filter((pid) => listeners().includes(pid));
      return rest.length === 1 ? rest[0] : undefined;
    });
    process.kill(waiting, 'SIGKILL');
    await eventually('the dead one is restarted', 5_000, () => listeners().length === 2);
    for (const connection of held) connection.close();
    await eventually('the log says that all is done', replaceMillisMax, () =>
      server.stderr.includes('were replaced'),
    );
    await eventually('two processes', replaceMillisMax, () => childrenOf(server.pid).length === 2);
    expect(listeners()).toHaveLength(2);
    expect(isAlive(successor)).toBe(true);
  });

  it('restarts a successor that dies while its predecessor drains, without waiting for that', async () => {
    const held = await Promise.all(before.map(requestUnderWay));
    server.signal('SIGHUP');
    const successor = await eventually('the first successor', replaceMillisMax, () => {
      const now = listeners();
      const drains = before.some((pid) => !now.includes(pid));
      return drains ? now.find((pid) => !before.includes(pid)) : undefined;
    });
    process.kill(successor, 'SIGKILL');
    // Far below what a drain may take.
    await eventually('another successor', 4_000, () =>
      listeners().some((pid) => pid !== successor && !before.includes(pid)),
    );
    for (const connection of held) connection.close();
  });

  it('during which SIGTERM comes is no error', async () => {
    server.signal('SIGHUP');
    await eventually('a successor starts', 5_000, () => childrenOf(server.pid).length > 2);
    const exit = await server.stop();
    expect(exit.code).toBe(0);
    expect(exit.stderr).not.toContain('the delivery processes stay');
  });
});
