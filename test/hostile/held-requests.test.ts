/** Requests that take their time: what happens meanwhile must count for them too. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { head, openConnection } from '../support/wire/raw-connection.js';
import { expectRefusal } from '../support/wire/refusal.js';

let server: LoadoutServer;
let game: Environment;

afterEach(() => server.stop());

function headers(length: number): [string, string][] {
  return [
    ['X-Api-Key', game.key],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(length)],
  ];
}

describe('a key that is revoked', () => {
  it('is refused to a request whose body was still coming', async () => {
    server = await startServer({ listeners: 1 });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
    const connection = await openConnection(server.deliveryPort);
    await connection.write(`${head('POST', '/api/v1/config/shop', headers(2))}{`);
    for (let n = 0; n < 3; n++) await game.plain('shop');
    expectDone(await server.admin('DELETE', `${game.path}/keys/${game.keyId}`));
    await connection.write('}');
    expectRefusal(await connection.read(), 401, 'invalid_api_key');
    connection.close();
  });

  it('is refused to a request that waited for the sequence of the revocation', async () => {
    server = await startServer({ listeners: 1 });
    game = await makeEnvironment(server);
    const { sequence } = await game.put('shop', '1');
    const waiting = game.ask('POST', '/api/v1/config/shop', '{}', {
      'x-min-sequence': String(sequence + 1),
    });
    await pause(100); // It must be there before the revocation; if it is not, it is refused all the same.
    expectDone(await server.admin('DELETE', `${game.path}/keys/${game.keyId}`));
    expectRefusal(await waiting, 401, 'invalid_api_key');
  });
});

describe('a large answer that is read slowly', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('is sent to its end after %s', async (signal) => {
    server = await startServer({ listeners: 1 });
    game = await makeEnvironment(server);
    const text = JSON.stringify('x'.repeat(12_000_000));
    await game.put('large', text);
    const socket = connect(server.deliveryPort, '127.0.0.1');
    socket.write(`${head('POST', '/api/v1/config/large', headers(2))}{}`);
    let received = 0;
    let told = false;
    const ended = once(socket, 'close');
    socket.on('data', (piece) => {
      received += piece.byteLength;
      if (!told && received > 1_000_000) {
        told = true;
        server.signal(signal);
      }
      // About 8 MB a second, so that it lasts longer than an idle connection is given.
      socket.pause();
      setTimeout(() => socket.resume(), 8 * (piece.byteLength / 65_536));
    });
    await ended;
    expect(told).toBe(true);
    expect(received).toBeGreaterThan(text.length);
  });
});
