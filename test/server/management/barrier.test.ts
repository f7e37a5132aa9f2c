/**
 * Edits are available at once: a read that begins after management has answered never sees older content, on any listener.
 * How: every edit is followed at once by reads over a connection that is known to belong to each listener, and over fresh ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { listenersOf, ownerOfConnection } from '../../support/server/process-tree.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { head, openConnection, type RawConnection } from '../../support/wire/raw-connection.js';

const freshConnectionsPerEdit = 4;
const connectionsTriedMax = 64;

let server: LoadoutServer;
let game: Environment;
let pinned: ReadonlyMap<number, RawConnection>;

beforeAll(async () => {
  server = await startServer();
  game = await makeEnvironment(server);
  await game.put('counter', '0');
  pinned = await connectToEach(listenersOf(server.pid, server.deliveryPort));
});
afterAll(async () => {
  for (const connection of pinned.values()) connection.close();
  await server.stop();
});

/** One kept connection per listener; which process answers is read from the kernel, not from the server. */
async function connectToEach(listeners: readonly number[]): Promise<Map<number, RawConnection>> {
  const found = new Map<number, RawConnection>();
  for (let i = 0; found.size < listeners.length && i < connectionsTriedMax; i++) {
    const connection = await openConnection(server.deliveryPort);
    await ask(connection, 'counter', game.key); // accepted, not only queued
    const owner = ownerOfConnection(listeners, server.deliveryPort, connection.localPort);
    if (owner === undefined || found.has(owner)) connection.close();
    else found.set(owner, connection);
  }
  expect([...found.keys()].sort()).toEqual([...listeners].sort());
  return found;
}

async function ask(connection: RawConnection, id: string, key: string): Promise<string> {
  const headers = [
    ['X-Api-Key', key],
    ['Content-Type', 'application/json'],
    ['Content-Length', '2'],
  ] as const;
  await connection.write(`${head('POST', `/api/v1/config/${id}/dynamic`, headers)}{}`);
  const { status, text } = await connection.read();
  return `${status} ${text}`;
}

/** What every listener, and some fresh connections, answer at this moment. */
function readEverywhere(id: string, key = game.key): Promise<string[]> {
  const overFresh = async (): Promise<string> => {
    const connection = await openConnection(server.deliveryPort);
    const answer = await ask(connection, id, key);
    connection.close();
    return answer;
  };
  return Promise.all([
    ...[...pinned.values()].map((connection) => ask(connection, id, key)),
    ...Array.from({ length: freshConnectionsPerEdit }, overFresh),
  ]);
}

describe('after management has answered, no listener serves older content:', () => {
  it('two listeners are looked at', () => {
    expect(pinned.size).toBe(2);
  });

  it('100 edits of a text', async () => {
    let sequence = 0;
    for (let n = 1; n <= 100; n++) {
      const put = await game.put('counter', `${n}`);
      expect(put.sequence).toBeGreaterThan(sequence);
      sequence = put.sequence;
      for (const answer of await readEverywhere('counter')) {
        expect(answer).toMatch(`200 {"data":${n},`);
      }
    }
  });

  it('edits made side by side', async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 5 }, async (_, i) => {
          await game.put(`parallel-${i}`, `${round}`);
          const answer = await game.plain(`parallel-${i}`);
          expect(answer.text).toBe(`${round}`);
        }),
      );
    }
    for (let i = 0; i < 5; i++) {
      for (const answer of await readEverywhere(`parallel-${i}`)) {
        expect(answer).toMatch('200 {"data":9,');
      }
    }
  });

  it('deletions and creations', async () => {
    for (let n = 0; n < 10; n++) {
      await game.put('flicker', `${n}`);
      for (const answer of await readEverywhere('flicker')) {
        expect(answer).toMatch(`200 {"data":${n},`);
      }
      expectDone(await server.admin('DELETE', `${game.path}/contents/flicker`));
      for (const answer of await readEverywhere('flicker')) expect(answer).toMatch(/^404 /);
    }
  });

  it('new keys and revoked ones', async () => {
    for (let n = 0; n < 10; n++) {
      const key = await makeKey(server, game.id);
      for (const answer of await readEverywhere('counter', key.key))
        expect(answer).toMatch(/^200 /);
      expectDone(await server.admin('DELETE', `${game.path}/keys/${key.id}`));
      for (const answer of await readEverywhere('counter', key.key))
        expect(answer).toMatch(/^401 /);
    }
  });

  it('saved segments', async () => {
    await game.putSegment('everybody', {});
    await game.put('segmented', '1', { mapping: [{ segment: 'everybody', replace: 2 }] });
    for (let n = 0; n < 10; n++) {
      await game.putSegment('everybody', { nobody: true });
      for (const answer of await readEverywhere('segmented')) expect(answer).toMatch('{"data":1,');
      await game.putSegment('everybody', {});
      for (const answer of await readEverywhere('segmented')) expect(answer).toMatch('{"data":2,');
    }
  });
});
