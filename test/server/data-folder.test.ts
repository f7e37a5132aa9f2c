/** The files of a data folder: who may read them, and which of them may be lost. */
import { chmodSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeEnvironment } from '../support/environment.js';
import { makeDataFolder, startServer } from '../support/server.js';

let data: string;

beforeEach(() => {
  data = makeDataFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

describe('the data folder', () => {
  it('holds only files that nobody else reads, though everybody may enter it', async () => {
    chmodSync(data, 0o755);
    const server = await startServer({ data });
    await (await makeEnvironment(server)).put('shop', '1');
    const files = readdirSync(data);
    expect(files).toEqual(expect.arrayContaining(['store.db', 'published.db']));
    for (const file of files) {
      const mode = statSync(join(data, file)).mode & 0o777;
      expect(`${file} ${mode.toString(8)}`).toBe(`${file} 600`);
    }
    await server.stop();
  });

  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'not a database'.repeat(1_000))],
    ['was cut off', (file: string) => truncateSync(file, 5_000)],
  ])('makes published.db anew when it %s, and says so', async (_what, damage) => {
    let server = await startServer({ data });
    let game = await makeEnvironment(server);
    await game.put('shop', '{"price":1}');
    await server.stop();
    damage(join(data, 'published.db'));
    server = await startServer({ data });
    game = game.on(server);
    expect((await game.plain('shop')).text).toBe('{"price":1}');
    expect(server.stderr).toContain('published.db');
    await server.stop();
  });
});
