/** The files of a data folder: who may read them, and which of them may be lost. */
import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { onPostgres } from '../../support/postgres/tested-store.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';

let data: string;

beforeEach(() => {
  data = makeDataFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Overwrites the first page of a table that only the listeners read. */
function damageContents(file: string): void {
  const db = new BetterSqlite3(file, { readonly: true });
  const find = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'contents'").pluck();
  const page = find.get() as number;
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const bytes = readFileSync(file);
  bytes.fill('damage', (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(file, bytes);
}

describe('the data folder', () => {
  it('holds only files that nobody else reads, though everybody may enter it', async () => {
    chmodSync(data, 0o755);
    const server = await startServer({ data });
    await (await makeEnvironment(server)).put('shop', '1');
    const entries = readdirSync(data, { recursive: true, withFileTypes: true });
    expect(entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['published.db', 'events', ...(onPostgres ? [] : ['store.db'])]),
    );
    for (const entry of entries) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      const expected = entry.isDirectory() ? '700' : '600';
      expect(`${entry.name} ${mode.toString(8)}`).toBe(`${entry.name} ${expected}`);
    }
    await server.stop();
  });

  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'not a database'.repeat(1_000))],
    ['has a damaged table', damageContents],
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
