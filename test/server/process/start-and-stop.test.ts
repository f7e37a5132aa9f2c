/** Starting and stopping: what `serve` refuses to start on, what survives a restart, and how SIGTERM drains. */

import { once } from 'node:events';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { Environment, makeEnvironment, makeKey } from '../../support/server/environment.js';
import { childrenOf, isAlive } from '../../support/server/process-tree.js';
import { makeDataFolder, serveUntilExit, startServer } from '../../support/server/server.js';
import type { Exit, LoadoutServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';

function expectRefusedStart(exit: Exit, message: RegExp): void {
  expect(exit.signal).toBe(null);
  expect(exit.code).toBeGreaterThan(0);
  expect(exit.stdout).not.toMatch(/^ready$/m);
  expect(exit.stderr).toMatch(message);
  expect(exit.stderr).not.toMatch(/^\s+at .*\.js:\d+/m); // a message, not a stack
}

describe('serve refuses to start', () => {
  let foreign: Server;
  let port: number;

  beforeEach(async () => {
    foreign = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    foreign.listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const address = foreign.address();
    port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  });
  afterEach(() => {
    foreign.close();
  });

  it('on a delivery port that somebody else serves, and says which', async () => {
    expectRefusedStart(await serveUntilExit({ port }), new RegExp(`${port}`));
  });

  it('on an admin port that somebody else serves, and says which', async () => {
    expectRefusedStart(await serveUntilExit({ adminPort: port }), new RegExp(`${port}`));
  });

  it('on a port that another serve shares between its listeners', async () => {
    const first = await startServer();
    const game = await makeEnvironment(first);
    await game.put('shop', '1');
    const exit = await serveUntilExit({ port: first.deliveryPort });
    expectRefusedStart(exit, new RegExp(`${first.deliveryPort}`));
    for (let i = 0; i < 8; i++) expect((await game.plain('shop')).text).toBe('1');
    await first.stop();
  });

  it('on a data folder that another serve uses, and leaves that one alone', async () => {
    const first = await startServer();
    const game = await makeEnvironment(first);
    await game.put('shop', '1');
    const exit = await serveUntilExit({ data: first.data });
    expectRefusedStart(exit, new RegExp(first.data));
    await game.put('shop', '2');
    expect((await game.plain('shop')).text).toBe('2');
    await first.stop();
  });
});

describe('SIGTERM', () => {
  let data: string;
  let server: LoadoutServer;
  let game: Environment;

  beforeEach(async () => {
    data = makeDataFolder();
    server = await startServer({ data });
    game = await makeEnvironment(server);
    await game.put('shop', '{"price":1}');
  });
  afterEach(async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('answers what is under way, then ends with code 0 and leaves nothing behind', async () => {
    const children = childrenOf(server.pid);
    const slow = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const connection = await openConnection(server.deliveryPort);
        const headers = [
          ['X-Api-Key', game.key],
          ['Content-Type', 'application/json'],
          ['Content-Length', '9'],
        ] as const;
        await connection.write(`${head('POST', '/api/v1/config/shop/dynamic', headers)}{"u"`);
        return connection;
      }),
    );
    // A whole exchange on the same path: the halves before it have been read by now.
    for (let i = 0; i < 8; i++) await game.wrapped('shop');
    server.signal('SIGTERM');
    await eventually('new connections are refused', 5_000, () =>
      send(server.deliveryUrl, '/healthz').then(
        (answer) => answer.status === 503,
        () => true,
      ),
    );
    for (const connection of slow) {
      await connection.write(':"a"}');
      const answer = await connection.read();
      expect(answer.status).toBe(200);
      expect(answer.json.data).toEqual({ price: 1 });
      connection.close();
    }
    const exit = await server.exit;
    expect(exit.code).toBe(0);
    await eventually('the children end', 2_000, () => !children.some(isAlive));
  });

  it('does not wait for idle connections', async () => {
    const idle = await openConnection(server.deliveryPort);
    const headers = [
      ['X-Api-Key', game.key],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ] as const;
    await idle.write(`${head('POST', '/api/v1/config/shop', headers)}{}`);
    await idle.read();
    const started = performance.now();
    server.signal('SIGTERM');
    expect((await server.exit).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    idle.close();
  });

  it('and a new start on the same data folder find everything as it was', async () => {
    await game.put('shop', '{"price":2}', { mapping: [{ segment: 's', when: {}, info: 'i' }] });
    const before = (await game.wrapped('shop', { u: 'a' })).text;
    const { sequence } = await game.put('other', '1');
    const catalog = await game.catalog();
    expect((await server.stop()).code).toBe(0);
    server = await startServer({ data });
    game = game.on(server);
    expect((await game.wrapped('shop', { u: 'a' })).text).toBe(before);
    expect((await game.catalog()).text).toBe(catalog.text);
    expect((await game.catalog()).header('etag')).toBe(catalog.header('etag'));
    expect((await game.put('other', '2')).sequence).toBeGreaterThan(sequence);
  });

  it('and a new start find everything though published.db is behind the store, or gone', async () => {
    const files = readdirSync(data).filter((name) => name.startsWith('published.db'));
    expect(files).toContain('published.db');
    await server.stop();
    const old = makeDataFolder();
    cpSync(join(data, 'published.db'), join(old, 'published.db'));
    server = await startServer({ data });
    game = game.on(server);
    await game.put('shop', '{"price":2}');
    await game.put('new', '1');
    const key = await makeKey(server, game.id);
    for (const restore of [
      () => cpSync(join(old, 'published.db'), join(data, 'published.db')),
      () => undefined,
    ]) {
      await server.stop();
      for (const name of readdirSync(data).filter((file) => file.startsWith('published.db'))) {
        rmSync(join(data, name));
      }
      restore();
      server = await startServer({ data });
      game = new Environment(server, game.id, key);
      expect((await game.plain('shop')).text).toBe('{"price":2}');
      expect((await game.plain('new')).text).toBe('1');
    }
    rmSync(old, { recursive: true });
  });
});
