/** A damaged store.db: what the operator is told, and what players are served meanwhile. Method: bytes of the file change. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { CommandLine, runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, serveUntilExit, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

// Several starts of a server each: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

let data: string;
let store: string;
let server: LoadoutServer;
let game: Environment;

beforeEach(async () => {
  data = makeDataFolder();
  store = join(data, 'store.db');
  server = await startServer({ data });
  game = await makeEnvironment(server);
  await game.put('shop', '"what is in the shop"');
  await game.put('other', '"something else"');
});
afterEach(async () => {
  await server.stop();
});

function change(from: number, piece: Buffer): void {
  const bytes = readFileSync(store);
  piece.copy(bytes, from);
  writeFileSync(store, bytes);
}

function flip(text: string): void {
  change(readFileSync(store).indexOf(text), Buffer.from('W'));
}

/** One sentence for the operator: the file, and the command; no stack. */
function expectTold(stderr: string): void {
  const said = stderr.split('\n').find((line) => line.startsWith('error: '));
  expect(said).toContain(store);
  expect(said).toContain('loadout restore');
  expect(stderr).not.toMatch(/^ +at /m);
}

describe('a store that is damaged when the server starts', () => {
  it.each([
    ['in its header', () => change(0, Buffer.alloc(100, 0x5a))],
    ['in its first page', () => change(100, Buffer.alloc(3000, 0xff))],
  ] as const)('%s, is named, with the command that helps; a backup is', async (_, damage) => {
    const backup = join(makeDataFolder(), 'backup');
    await new CommandLine(server).run(['backup', '--out', backup]);
    await server.stop();
    damage();
    const exit = await serveUntilExit({ data });
    expect(exit.code).toBe(1);
    expectTold(exit.stderr);

    expect((await runLoadout(['restore', backup, '--data', data, '--force'])).code).toBe(0);
    server = await startServer({ data });
    expect((await game.on(server).plain('shop')).text).toBe('"what is in the shop"');
  });

  it('in one text, does not start what has to be made from it, and says which', async () => {
    await server.stop();
    flip('what is in the shop');
    rmSync(join(data, 'published.db'));
    const exit = await serveUntilExit({ data });
    expect(exit.code).toBe(1);
    expectTold(exit.stderr);
    expect(exit.stderr).toContain(`${game.id}/shop`);
  });

  it('in one text, goes on serving what was published of it, and takes other edits', async () => {
    await server.stop();
    flip('what is in the shop');
    server = await startServer({ data });
    game = game.on(server);
    expect((await game.plain('shop')).text).toBe('"what is in the shop"');
    await game.put('other', '"edited"');
    expect((await game.plain('other')).text).toBe('"edited"');
  });
});

describe('both published.db and the text that it is made from', () => {
  it('damaged: that content is refused, everything else is served and edited, and the log says what to do', async () => {
    await server.stop();
    flip('what is in the shop');
    const published = join(data, 'published.db');
    const bytes = readFileSync(published);
    bytes[bytes.indexOf('what is in the shop')] = 0x57;
    writeFileSync(published, bytes);
    server = await startServer({ data });
    game = game.on(server);
    for (let n = 0; n < 10; n += 1) {
      const { status, json } = await game.plain('shop');
      expect([status, json.code]).toEqual([500, 'internal']);
      expect((await game.plain('other')).text).toBe('"something else"');
      await game.put('edited', `${n}`);
    }
    expect(server.stderr).toContain('loadout restore');
    expect(server.stderr.match(/the store is damaged/g)).toHaveLength(1);
    expect((await send(server.adminUrl, '/readyz')).status).toBe(200);
    // What replaces the damaged text is served.
    await game.put('shop', '"new"');
    for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('"new"');
  });
});
