/**
 * A disk that is full: edits are refused, delivery goes on, nothing is torn, and it is over when there is room again.
 * Method: the data folder, or only published.db, on a small disk of its own. Where none can be mounted, the first test
 * stands for them: it takes from the server the right to make any file longer, which needs no rights.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, serveUntilExit, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { SmallDisk } from '../support/server/small-disk.js';
import { send } from '../support/wire/exchange.js';

const probe = SmallDisk.mount(1);
probe?.unmount();
if (probe === null)
  console.log('no small disk can be mounted here: only the limit on files is tried');

// Several starts of a server each: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

/** More than what is left of a full disk, so that no page that is free already takes it. */
const large = (fill: string): string => JSON.stringify(fill.repeat(300_000));

function integrityOf(file: string): unknown {
  const db = new BetterSqlite3(file, { readonly: true });
  try {
    return db.pragma('integrity_check', { simple: true });
  } finally {
    db.close();
  }
}

/** RLIMIT_FSIZE of a running process: with 0 every write that would make a file longer fails. */
function limitFiles(pid: number, bytes: '0' | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

describe('a server that can make no file longer', () => {
  it('refuses edits and goes on answering players; when it can again, so do edits', async () => {
    const server = await startServer();
    const game = await makeEnvironment(server);
    await game.put('shop', '1');
    limitFiles(server.pid, '0');
    for (const contentId of ['shop', 'new']) {
      const refused = await game.tryPut(contentId, { text: large('b') });
      expect(refused.status).toBe(503);
      expect(refused.json.code).toBe('store_unavailable');
    }
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('1');
    expect((await game.plain('new')).status).toBe(404);
    limitFiles(server.pid, 'unlimited');
    expect(await game.put('shop', large('c'))).toMatchObject({ revision: 2, live: 2 });
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe(large('c'));
    await server.stop();
  });
});

describe.skipIf(probe === null)('a full disk', () => {
  let disk: SmallDisk;
  let server: LoadoutServer;
  let game: Environment;

  beforeEach(() => {
    const mounted = SmallDisk.mount(12);
    if (mounted === null) throw new Error('a small disk could be mounted a moment ago');
    disk = mounted;
  });
  afterEach(async () => {
    await server.stop();
    disk.unmount();
  });

  it('under the data folder: edits get 503, players their answers; with room again everything goes on', async () => {
    const data = join(disk.path, 'data');
    server = await startServer({ data });
    game = await makeEnvironment(server);
    await game.put('shop', '{"price":1}', {
      mapping: [{ segment: 'all', when: {}, merge: { sale: true } }],
    });
    const { sequence } = await game.put('other', large('a'));
    disk.fill();

    for (const contentId of ['shop', 'other', 'new']) {
      const refused = await game.tryPut(contentId, { text: large('b') });
      expect(refused.status).toBe(503);
      expect(refused.json.code).toBe('store_unavailable');
      expect(refused.json.detail).toContain('disk is full');
    }
    const backup = await server.admin('POST', '/admin/v1/backup');
    expect(backup.status).toBe(503);
    expect(backup.json.code).toBe('store_unavailable');
    for (let n = 0; n < 8; n += 1) {
      expect((await game.plain('shop')).text).toBe('{"price":1}');
      expect((await game.wrapped('shop')).json.data).toEqual({ price: 1, sale: true });
      expect((await game.plain('other')).text).toBe(large('a'));
      expect((await game.plain('new')).status).toBe(404);
    }
    expect((await send(server.adminUrl, '/readyz')).status).toBe(200);

    disk.empty();
    const saved = await game.put('shop', '{"price":2}');
    expect(saved).toMatchObject({ revision: 2, sequence: sequence + 1 });
    await game.put('other', large('c'));
    expect((await game.wrapped('shop')).json.data).toEqual({ price: 2, sale: true });
    expect((await game.plain('other')).text).toBe(large('c'));

    await server.stop();
    expect(integrityOf(join(data, 'store.db'))).toBe('ok');
    expect(integrityOf(join(data, 'published.db'))).toBe('ok');
    expect(readdirSync(data).filter((name) => name.includes('scratch'))).toEqual([]);
    server = await startServer({ data });
    expect((await game.on(server).plain('other')).text).toBe(large('c'));
  });

  it('keeps no listener from starting: one that takes the place of another serves what is published', async () => {
    server = await startServer({ data: join(disk.path, 'data') });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
    disk.fill();
    expect((await game.tryPut('shop', { text: large('b') })).status).toBe(503);
    const before = listenersOf(server.pid, server.deliveryPort);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually('two new listeners', 10_000, () => {
      const now = listenersOf(server.pid, server.deliveryPort);
      return now.length === 2 && !now.some((pid) => before.includes(pid));
    });
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('1');
    disk.empty();
    await game.put('shop', '2');
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('2');
  });

  it('ends a start with what to do, and the start after that finds everything', async () => {
    const data = join(disk.path, 'data');
    server = await startServer({ data });
    game = await makeEnvironment(server);
    await game.put('shop', '1');
    await server.stop();
    for (const left of [0, 40_000]) {
      disk.fill(left);
      const exit = await serveUntilExit({ data });
      expect(exit.code).toBe(1);
      expect(exit.stderr).toMatch(/^error: .*disk .*is full/m);
      disk.empty();
    }
    server = await startServer({ data });
    expect((await game.on(server).plain('shop')).text).toBe('1');
  });

  it('under published.db only: the edit is saved, said not to be served yet, and served once there is room', async () => {
    const data = makeDataFolder();
    mkdirSync(join(disk.path, 'published'));
    const file = join(disk.path, 'published', 'published.db');
    symlinkSync(file, join(data, 'published.db'));
    server = await startServer({ data });
    expect(existsSync(file)).toBe(true);
    game = await makeEnvironment(server);
    await game.put('shop', '1');
    disk.fill();

    const late = await game.tryPut('shop', { text: large('b') });
    expect(late.status).toBe(503);
    expect(late.json.code).toBe('not_published');
    for (let n = 0; n < 4; n += 1) expect((await game.plain('shop')).text).toBe('1');
    expect((await send(server.adminUrl, '/readyz')).status).toBe(503);

    disk.empty();
    await eventually('the edit is served', 15_000, async () => {
      return (await game.plain('shop')).text === large('b');
    });
    await eventually('ready again', 5_000, async () => {
      return (await send(server.adminUrl, '/readyz')).status === 200;
    });
    await game.put('shop', '3');
    expect((await game.plain('shop')).text).toBe('3');
    await server.stop();
    expect(integrityOf(file)).toBe('ok');
  });
});
