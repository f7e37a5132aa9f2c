/**
 * A backup of a running server, and the server that is started from it. Method: the commands as an operator types
 * them, edits going on meanwhile, and what players are answered before and after.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkStoreFile } from '../../src/management/backup/backup-check.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { CommandLine, loadoutProgram, spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

let server: LoadoutServer;
let game: Environment;
let loadout: CommandLine;
let folder: string;

// Whole servers, copied and started again: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

beforeEach(async () => {
  folder = makeDataFolder();
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server, 'dev');
  loadout = new CommandLine(server, spawnLoadout);
});
afterEach(() => server.stop());

/** Two contents that are always saved in this order: a moment of the store has `left` equal to `right`, or one ahead. */
async function editPairs(until: () => boolean): Promise<number> {
  let n = 1;
  for (; !until(); n += 1) {
    await game.put('left', `${n}`);
    await game.put('right', `${n}`);
  }
  return n - 1;
}

async function pair(of: Environment): Promise<{ left: number; right: number }> {
  const [left, right] = await Promise.all([of.plain('left'), of.plain('right')]);
  return { left: Number(left.text), right: Number(right.text) };
}

describe.each([
  ['over the admin API', (): string[] => []],
  ['from the data folder', (): string[] => ['--data', server.data]],
])('loadout backup %s', (_how, where) => {
  it('while edits go on gives one moment, which a restored server serves; nothing acknowledged before is missing', async () => {
    // Beside what is edited, so that copying takes a while.
    const large = JSON.stringify('x'.repeat(1_000_000));
    for (let n = 0; n < 8; n += 1) await game.put(`large-${n}`, `[${n},${large}]`);
    await editPairs(
      (
        (count) => () =>
          count++ === 1
      )(0),
    );
    const before = await pair(game);

    const out = join(folder, 'backup.db');
    let done = false;
    const [made, edited] = await Promise.all([
      loadout.json(['backup', '--out', out, ...where()]).finally(() => {
        done = true;
      }),
      editPairs(() => done),
    ]);
    expect(edited).toBeGreaterThan(1);
    expect(made).toMatchObject({ file: out, bytes: statSync(out).size, schema: 15, contents: 10 });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['backup.db']);
    expect(readdirSync(server.data).filter((name) => name.includes('scratch'))).toEqual([]);

    const data = join(folder, 'restored');
    const ran = await spawnLoadout(['restore', out, '--data', data]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^Restored .*: 1 environment, 10 contents, sequence \d+\.\n$/);
    const second = await startServer({ data, listeners: 1 });
    const restored = game.on(second);
    const { left, right } = await pair(restored);
    expect(left - right === 0 || left - right === 1).toBe(true);
    expect(left).toBeGreaterThanOrEqual(before.left);
    expect(right).toBeGreaterThanOrEqual(before.right);
    expect(left).toBeLessThanOrEqual(edited);
    expect((await restored.plain('large-7')).text).toBe(`[7,${large}]`);
    expect((await restored.put('left', '"edited"')).sequence).toBeGreaterThan(made.sequence);
    expect((await restored.plain('left')).text).toBe('"edited"');
    await second.stop();
  });

  it('replaces a file only when told so, and never by less than a whole backup', async () => {
    const out = join(folder, 'backup.db');
    writeFileSync(out, 'mine');
    const refused = await loadout.try(['backup', '--out', out, ...where()]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('is there already');
    expect(readFileSync(out, 'utf8')).toBe('mine');
    await loadout.run(['backup', '--out', out, '--force', ...where()]);
    expect(readFileSync(out).subarray(0, 15).toString()).toBe('SQLite format 3');
  });
});

describe('loadout backup', () => {
  it('of a folder without a store says so, and leaves nothing', async () => {
    const out = join(folder, 'backup.db');
    const ran = await spawnLoadout(['backup', '--data', join(folder, 'none'), '--out', out]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('There is no store at');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what was backed up, for people', async () => {
    await game.put('shop', '1');
    const out = join(folder, 'backup.db');
    expect(await loadout.run(['backup', '--out', out])).toMatch(
      /^Backed up to .*backup\.db \([\d.]+ KiB\): 1 environment, 1 content, sequence \d+\.\n$/,
    );
  });
});

describe('loadout backup over a connection that breaks off', () => {
  it('fails, and leaves neither a file nor a part of one', async () => {
    const half = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write(readFileSync(join(server.data, 'store.db')).subarray(0, 4_096), () =>
        response.destroy(),
      );
    });
    half.listen(0, '127.0.0.1');
    await once(half, 'listening');
    const { port } = half.address() as AddressInfo;
    const out = join(folder, 'backup.db');
    const ran = await loadout.try(['backup', '--out', out, '--url', `http://127.0.0.1:${port}`]);
    half.close();
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: The backup broke off after [\d.]+ K?i?B: .*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('POST /admin/v1/backup', () => {
  it('is for owners of everything: others are refused', async () => {
    const ask = async (user: Record<string, unknown>): Promise<number> => {
      const made = await server.admin('POST', '/admin/v1/users', user);
      const headers = { authorization: `Bearer ${made.json.token}` };
      return (await send(server.adminUrl, '/admin/v1/backup', { method: 'POST', headers })).status;
    };
    expect(await ask({ name: 'vera', role: 'viewer' })).toBe(403);
    expect(await ask({ name: 'edgar', role: 'editor' })).toBe(403);
    expect(await ask({ name: 'olga', role: 'owner', environments: ['dev'] })).toBe(403);
    expect(await ask({ name: 'otto', role: 'owner' })).toBe(200);
    expect((await send(server.adminUrl, '/admin/v1/backup', { method: 'POST' })).status).toBe(401);
  });

  it('is audited', async () => {
    const answer = await server.admin('POST', '/admin/v1/backup');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/vnd.sqlite3');
    const { events } = (await server.admin('GET', '/admin/v1/audit')).json;
    expect(events[0]).toMatchObject({
      action: 'store.backup',
      details: { bytes: answer.bytes.length },
    });
  });

  it('makes one at a time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => server.admin('POST', '/admin/v1/backup')),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses[3]).toBe(409);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('backup_running');
    expect((await server.admin('POST', '/admin/v1/backup')).status).toBe(200);
  });
});

describe('loadout restore', () => {
  it('over a newer state serves the old one, with numbers beyond the newer ones, and keeps the newer store', async () => {
    await game.put('shop', '"backed up"');
    const out = join(folder, 'backup.db');
    await loadout.run(['backup', '--out', out]);
    await game.put('later', '1');
    const { sequence } = await game.put('shop', '"newer"');

    // The server's own folder: its published.db is ahead of what is restored.
    const inUse = await spawnLoadout(['restore', out, '--data', server.data, '--force']);
    expect(inUse.code).toBe(1);
    expect(inUse.stderr).toContain('Another loadout serve uses the data folder');
    server.signal('SIGTERM');
    await server.exit;
    const careful = await spawnLoadout(['restore', out, '--data', server.data]);
    expect(careful.code).toBe(1);
    expect(careful.stderr).toContain('is not empty');
    const forced = await spawnLoadout(['restore', out, '--data', server.data, '--force', '--json']);
    const restored = JSON.parse(forced.stdout);
    expect(restored.sequence).toBeGreaterThan(sequence);
    expect(existsSync(restored.kept)).toBe(true);

    const { data: used } = server;
    server = await startServer({ data: used, listeners: 1 });
    game = game.on(server);
    expect((await game.plain('shop')).text).toBe('"backed up"');
    expect((await game.plain('later')).status).toBe(404);
    // Who holds a number of before does not wait for an edit that is gone.
    const minSequence = { 'x-min-sequence': String(sequence) };
    expect((await game.ask('POST', '/api/v1/config/shop', {}, minSequence)).status).toBe(200);
    expect((await game.put('shop', '"after"')).sequence).toBe(restored.sequence + 1);
    expect((await game.plain('shop')).text).toBe('"after"');
  });

  it('killed at any moment leaves the one store or the other, whole', async () => {
    await game.put('shop', JSON.stringify('x'.repeat(2_000_000)));
    const out = join(folder, 'backup.db');
    await loadout.run(['backup', '--out', out]);
    await game.put('later', '1');
    server.signal('SIGTERM');
    await server.exit;
    let restored = 0;
    for (let round = 0; round < 16; round += 1) {
      const args = [loadoutProgram, 'restore', out, '--data', server.data, '--force'];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      const ended = once(child, 'exit');
      // From before it begins to after it is done, on a fast machine as on a slow one.
      const timer = setTimeout(() => child.kill('SIGKILL'), round * 60);
      await ended;
      clearTimeout(timer);
      const { contents } = checkStoreFile(join(server.data, 'store.db'));
      expect([1, 2]).toContain(contents);
      // What was restored once cannot become the newer store again.
      if (restored > 0) expect(contents).toBe(1);
      if (contents === 1) restored += 1;
    }
    const { data } = server;
    server = await startServer({ data, listeners: 1 });
    const served = (await game.on(server).plain('later')).status;
    expect(served).toBe(restored > 0 ? 404 : 200);
    expect(readdirSync(data).filter((name) => name.includes('scratch'))).toEqual([]);
  });

  it('refuses what is no backup, and says why', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'notes '.repeat(1_000));
    const ran = await spawnLoadout(['restore', file, '--data', join(folder, 'data')]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(`error: ${file} is no store of Loadout.\n`);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});
