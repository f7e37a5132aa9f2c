/**
 * An edit that could not be published is served as soon as it can be, by nobody's further doing. How: another process
 * holds the write lock of published.db for a while.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

let server: LoadoutServer;
let game: Environment;

beforeEach(async () => {
  server = await startServer();
  game = await makeEnvironment(server);
  await game.put('shop', '1');
});
afterEach(() => server.stop());

describe('while published.db is locked', () => {
  it('an edit is saved, said not to be published, and served once the lock is gone', async () => {
    const foreign = new BetterSqlite3(join(server.data, 'published.db'));
    foreign.exec('BEGIN IMMEDIATE');
    try {
      const startedAt = performance.now();
      const put = await server.admin('PUT', `${game.path}/contents/shop`, { text: '2' });
      expect(put.status).toBe(503);
      expect(put.json.code).toBe('not_published');
      // The control process waits for nobody's lock: all else it does would wait with it.
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      expect((await game.plain('shop')).text).toBe('1');
      expect((await send(server.adminUrl, '/readyz')).status).toBe(503);
    } finally {
      foreign.close();
    }
    await eventually('the edit is served', 8_000, async () => {
      return (await game.plain('shop')).text === '2';
    });
    await eventually('ready again', 2_000, async () => {
      return (await send(server.adminUrl, '/readyz')).status === 200;
    });
    await game.put('shop', '3');
    expect((await game.plain('shop')).text).toBe('3');
  });
});
