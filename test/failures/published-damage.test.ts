/**
 * A published.db that is not what was written: nothing wrong is ever delivered, and it is made again from the store.
 * Method: bytes of the file are changed under a running server, or while none runs; a player asks all the while.
 */
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import { seededRandom } from '../support/seeded-random.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { isAlive, listenersOf } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

// Several starts of a server each: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 180_000 });

const contents = 16;
const textOf = (n: number): string =>
  JSON.stringify({ n, name: `content number ${n}`, filler: `${n} `.repeat(200) });
const mapping = [{ segment: 'all', when: {}, merge: { sale: true } }];

let data: string;
let file: string;
let server: LoadoutServer;
let game: Environment;

beforeEach(async () => {
  data = makeDataFolder();
  file = join(data, 'published.db');
  server = await startServer({ data });
  game = await makeEnvironment(server);
  for (let n = 0; n < contents; n += 1) {
    await game.put(`content-${n}`, textOf(n), n % 3 === 0 ? { mapping } : {});
  }
});
afterEach(async () => {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  server = await startServer({ data });
  game = game.on(server);
}

/** Changes one byte wherever the text is: in the database and in its log. */
function flip(text: string, at: number): number {
  let found = 0;
  for (const path of [file, `${file}-wal`]) {
    if (!existsSync(path)) continue;
    const bytes = readFileSync(path);
    for (let from = bytes.indexOf(text); from >= 0; from = bytes.indexOf(text, from + 1)) {
      bytes[from + at] = (bytes[from + at] as number) ^ 1;
      found += 1;
    }
    writeFileSync(path, bytes, { flag: 'r+' });
  }
  return found;
}

/** What a player gets of one content is right, or a refusal. */
async function ask(n: number): Promise<boolean> {
  const plain = await game.plain(`content-${n}`);
  const wrapped = await game.wrapped(`content-${n}`);
  if (plain.status === 200) expect(plain.text).toBe(textOf(n));
  if (wrapped.status === 200) {
    const sale = n % 3 === 0 ? { sale: true } : {};
    expect(wrapped.json.data).toEqual({ ...JSON.parse(textOf(n)), ...sale });
  }
  for (const { status } of [plain, wrapped]) if (status !== 200) expect(status).toBe(500);
  return plain.status === 200 && wrapped.status === 200;
}

/** Each of two listeners has answered everything, most likely: connections are spread by chance. */
async function allAreRight(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < contents; n += 1) {
      await eventually(`content-${n} is right`, 20_000, () => ask(n));
    }
  }
}

function expectSound(): void {
  const db = new BetterSqlite3(file, { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
}

describe('published.db, damaged while no server runs', () => {
  it('has a body that is not the one its hash is of: it is never delivered, and comes back from the store', async () => {
    await server.stop();
    expect(flip('content number 7"', 15)).toBeGreaterThan(0);
    await restart();
    await allAreRight();
    expect(server.stderr).toContain('published.db was rebuilt from the store');
    expect(await game.put('content-7', '7')).toMatchObject({ revision: 2 });
    expect((await game.plain('content-7')).text).toBe('7');
    await server.stop();
    expectSound();
  });

  it.each([
    ['a header that is garbage', () => writeAt(file, 0, Buffer.alloc(100, 0x5a))],
    ['only half of its length', () => truncateSync(file, statSync(file).size / 2)],
    ['no length at all', () => truncateSync(file, 0)],
    ['pages that are garbage', () => writeAt(file, 4096, Buffer.alloc(8 * 4096, 0xa5))],
    ['a mapping that is another', () => expect(flip('"sale"', 2)).toBeGreaterThan(0)],
    ['a log that is garbage', () => writeFileSync(`${file}-wal`, Buffer.alloc(100_000, 0x77))],
    [
      'an index of its log that is garbage',
      () => writeFileSync(`${file}-shm`, Buffer.alloc(32768, 1)),
    ],
  ] as const)('has %s: the start makes it again', async (_, damage) => {
    await server.stop();
    damage();
    await restart();
    await allAreRight();
    await game.put('after', '1');
    expect((await game.plain('after')).text).toBe('1');
    await server.stop();
    expectSound();
  });

  it('has one byte that is another, at random places: everything is right in the end, and nothing is wrong before', async () => {
    await server.stop();
    const random = seededRandom(10_11);
    for (let round = 0; round < 8; round += 1) {
      const at = Math.floor(random() * statSync(file).size);
      const byte = readFileSync(file)[at] as number;
      writeAt(file, at, Buffer.of(byte ^ (1 << Math.floor(random() * 8))));
      await restart();
      await allAreRight();
      await server.stop();
    }
  });
});

describe('published.db, damaged under a running server', () => {
  it('has another body: players get the right one or a refusal, and soon the right one', async () => {
    expect(flip('content number 11"', 15)).toBeGreaterThan(0);
    const before = listenersOf(server.pid, server.deliveryPort);
    await allAreRight();
    const { text } = await server.admin('GET', '/metrics');
    expect(text).toContain('\nloadout_published_damages_total 1\n');
    expect(server.stderr).toContain('published.db was rebuilt from the store');
    // Nobody had to be started again for that.
    expect(listenersOf(server.pid, server.deliveryPort)).toEqual(before);
    // And again.
    expect(flip('content number 12"', 15)).toBeGreaterThan(0);
    await allAreRight();
    await game.put('content-11', '11');
    for (let n = 0; n < 8; n += 1) expect((await game.plain('content-11')).text).toBe('11');
  });

  it.each([
    ['is garbage from the first byte to the last', garbage],
    ['is gone', gone],
    ['is empty', empty],
  ] as const)('%s: listeners that start find it made again, and edits go on', async (_, damage) => {
    damage();
    const before = listenersOf(server.pid, server.deliveryPort);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually('listeners that serve', 30_000, async () => {
      return listenersOf(server.pid, server.deliveryPort).length === 2 && !before.some(isAlive);
    });
    await allAreRight();
    await game.put('content-0', '0');
    for (let n = 0; n < 8; n += 1) expect((await game.plain('content-0')).text).toBe('0');
    expect((await send(server.adminUrl, '/readyz')).status).toBe(200);
    await server.stop();
    expectSound();
  });

  it('is damaged as an edit is made: the edit is served when it is acknowledged', async () => {
    const before = listenersOf(server.pid, server.deliveryPort);
    garbage();
    const saved = await game.tryPut('content-1', { text: '"edited"' });
    expect(saved.status).toBe(200);
    for (let n = 0; n < 8; n += 1) expect((await game.plain('content-1')).text).toBe('"edited"');
    expect(listenersOf(server.pid, server.deliveryPort)).toEqual(before);
  });

  function gone(): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix);
  }

  function empty(): void {
    for (const suffix of ['', '-wal']) truncateSync(file + suffix, 0);
  }

  function garbage(): void {
    for (const path of [file, `${file}-wal`]) {
      writeFileSync(path, Buffer.alloc(statSync(path).size, 0x3c), { flag: 'r+' });
    }
  }
});

function writeAt(path: string, at: number, piece: Buffer): void {
  const bytes = readFileSync(path);
  piece.copy(bytes, at);
  writeFileSync(path, bytes, { flag: 'r+' });
}
