/** A node whose published.db is damaged while the database that it is made from is away. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, serveUntilExit, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';

describe.skipIf(!hasPostgres)('published.db of a node, damaged while PostgreSQL is away', () => {
  let postgres: PostgresCluster;
  let flags: string[];
  let data: string;
  let server: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    flags = ['--database', await postgres.createDatabase()];
    data = makeDataFolder();
    server = await startServer({ data, flags });
    game = await makeEnvironment(server);
    for (const id of ['shop', 'other']) await game.put(id, `"what is in ${id}"`);
  });
  afterEach(() => server.stop());

  function flip(text: string): void {
    for (const path of ['published.db', 'published.db-wal'].map((name) => join(data, name))) {
      const bytes = readFileSync(path);
      for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
        bytes[at] = 0x57;
      writeFileSync(path, bytes, { flag: 'r+' });
    }
  }

  it('refuses what is damaged, serves the rest, and is whole when the database is back', async () => {
    const before = listenersOf(server.pid, server.deliveryPort);
    await postgres.stop();
    flip('what is in shop');
    for (let n = 0; n < 20; n += 1) {
      const { status, json } = await game.plain('shop');
      expect([status, json.code]).toEqual([500, 'internal']);
      expect((await game.plain('other')).text).toBe('"what is in other"');
    }
    await postgres.start();
    await eventually('the content is served again', 30_000, async () => {
      const { status, text } = await game.plain('shop');
      if (status === 200) expect(text).toBe('"what is in shop"');
      return status === 200;
    });
    expect(listenersOf(server.pid, server.deliveryPort)).toEqual(before);
    await eventually('edits are taken', 30_000, async () => {
      return (await game.tryPut('shop', { text: '2' })).status === 200;
    });
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('2');
  }, 120_000);

  it('cannot start from a damaged one, says so, and starts when the database is back', async () => {
    await server.stop();
    writeFileSync(join(data, 'published.db'), Buffer.alloc(8192, 0x5a));
    await postgres.stop();
    const exit = await serveUntilExit({ data, flags });
    await postgres.start();
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('published.db was damaged');
    server = await startServer({ data, flags });
    expect((await game.on(server).plain('shop')).text).toBe('"what is in shop"');
  }, 120_000);
});
