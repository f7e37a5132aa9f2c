/**
 * A data folder of the first version, opened by this one. Method: the schema of step 1 and rows as that version wrote
 * them, in plain SQL; then a server on the folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contentHash } from '../../src/content/hash.js';
import { schemaNewest } from '../../src/management/store/migrate.js';
import { initialSchema } from '../../src/management/store/migrations/0001-initial.js';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { Environment } from '../support/server/environment.js';
import { spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, serveUntilExit, startServer } from '../support/server/server.js';
import { ownerToken } from '../support/server/server-process.js';

/** The copy that an upgrade makes of the store as it was. */
const copyName = `store.db.before-${schemaNewest}`;

const key = 'demo-key-0123456789abcdef';
const text = '{ "price": 4.99, /* dollars */ "gems": 100 }';
const older = '{ "price": 3 }';
const mapping = '[{ "segment": "us", "merge": { "price": 3.99 } }]';

const sha256 = (of: string): string => createHash('sha256').update(of).digest('hex');

let data: string;

// Several starts of a server each: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

beforeEach(async () => {
  data = makeDataFolder();
  await writeFirstVersion(join(data, 'store.db'));
});

/** One environment with a key, a saved segment, and a content of two revisions, the second live with a mapping. */
async function writeFirstVersion(file: string): Promise<void> {
  // A while ago, yet not so long that anything of it is too old to be kept.
  const at = Date.now() - 24 * 60 * 60_000;
  const raw = new BetterSqlite3(file);
  raw.pragma('journal_mode = WAL');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: raw }) });
  await initialSchema(db.schema, 'blob');
  raw.exec(`
    CREATE TABLE schema_version (version integer PRIMARY KEY, applied_at bigint NOT NULL);
    INSERT INTO schema_version VALUES (1, ${at});
    INSERT INTO store_state VALUES (1, 'the-first-store', 5, 0);
    INSERT INTO environments VALUES ('dev', 'dev', 0, ${at});
    INSERT INTO segments VALUES ('dev', 'us', '{"country":"US"}', '', ${at}, ${at});
    INSERT INTO contents VALUES ('dev', 'shop', 'Shop', 'what is sold', '["store"]', NULL, 2, 2, ${at}, ${at}, NULL);
    INSERT INTO users VALUES ('user_1', 'owner', 'owner', ${at});
    INSERT INTO tokens VALUES ('token_1', 'user_1', '${sha256(ownerToken)}', 'test', 'environment', ${at});
    INSERT INTO audit VALUES ('${at.toString(16).padStart(12, '0')}0001', ${at}, 'user_1', 'owner', 'content.save', 'dev', 'Shop', '127.0.0.1', '{}');
  `);
  raw
    .prepare('INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL)')
    .run('key_1', 'dev', '', key.slice(0, 6), sha256(key), at);
  const putText = raw.prepare('INSERT INTO texts VALUES (?, ?)');
  for (const each of [text, older, mapping]) putText.run(sha256(each), Buffer.from(each));
  const putRevision = raw.prepare(
    `INSERT INTO revisions VALUES ('dev', 'shop', ?, ?, 'tess', '', ${at})`,
  );
  const putLine = raw.prepare(
    "INSERT INTO revision_lines VALUES ('dev', 'shop', ?, '0.0.0', 0, ?, ?, ?, ?, ?)",
  );
  const delivered = ['{"price":3}', '{"price":4.99,"gems":100}'] as const;
  for (const [index, json] of delivered.entries()) {
    const stored = index === 0 ? older : text;
    putRevision.run(index + 1, index === 0 ? null : sha256(mapping));
    const hash = contentHash(Buffer.from(json));
    putLine.run(index + 1, sha256(stored), stored.length, sha256(json), hash, json.length);
  }
  raw.exec("INSERT INTO revision_segments VALUES ('dev', 'shop', 2, 'us')");
  await db.destroy();
}

describe('a data folder of the first version', () => {
  it('is upgraded: everything is there, served and can be edited, and a copy of it as it was is kept', async () => {
    const server = await startServer({ data, listeners: 1 });
    const game = new Environment(server, 'dev', { id: 'key_1', key });
    expect((await game.plain('shop')).text).toBe('{"price":4.99,"gems":100}');
    expect((await game.wrapped('shop', { p: { country: 'US' } })).json).toMatchObject({
      data: { price: 3.99, gems: 100 },
      meta: { seg: [{ n: 'us', v: null }] },
    });
    const shown = (await server.admin('GET', `${game.path}/contents/shop`)).json;
    expect(shown).toMatchObject({ id: 'Shop', description: 'what is sold', tags: ['store'] });
    const rolledBack = await server.admin('POST', `${game.path}/contents/shop/rollback`, {
      revision: 1,
    });
    expect(rolledBack.json).toMatchObject({ revision: 3, live: 3 });
    // Beyond the five of the first version; the new hash of the mapped content may have had the next one.
    expect([6, 7]).toContain(rolledBack.json.sequence);
    expect((await game.plain('shop')).text).toBe('{"price":3}');
    const { events } = (await server.admin('GET', '/admin/v1/audit')).json;
    expect(events.at(-1)).toMatchObject({ action: 'content.save', userName: 'owner' });
    expect(server.stderr).toContain(copyName);
    expect(statSync(join(data, copyName)).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('can be had back as it was from the copy, and is upgraded again from there', async () => {
    let server = await startServer({ data, listeners: 1 });
    let game = new Environment(server, 'dev', { id: 'key_1', key });
    await game.put('shop', '"after the upgrade"');
    await server.stop();
    const copy = join(data, copyName);
    const schema = new BetterSqlite3(copy, { readonly: true });
    expect(schema.prepare('SELECT max(version) FROM schema_version').pluck().get()).toBe(1);
    schema.close();
    const again = makeDataFolder();
    expect((await spawnLoadout(['restore', copy, '--data', again])).code).toBe(0);
    server = await startServer({ data: again, listeners: 1 });
    game = game.on(server);
    expect((await game.plain('shop')).text).toBe('{"price":4.99,"gems":100}');
    await server.stop();
  });

  it('is copied once: later starts make no more copies, and an older copy goes', async () => {
    new BetterSqlite3(join(data, 'store.db.before-1')).exec('CREATE TABLE old (a)').close();
    for (let start = 0; start < 2; start += 1) {
      const server = await startServer({ data, listeners: 1 });
      await server.stop();
      expect(readdirSync(data).filter((name) => name.startsWith('store.db.before'))).toEqual([
        copyName,
      ]);
    }
  });
});

describe('a data folder of this version', () => {
  it('is not copied', async () => {
    const fresh = makeDataFolder();
    await (await startServer({ data: fresh, listeners: 1 })).stop();
    await (await startServer({ data: fresh, listeners: 1 })).stop();
    expect(readdirSync(fresh).sort()).toEqual(['events', 'lock.db', 'published.db', 'store.db']);
  });
});

describe('a data folder of a newer version', () => {
  it('is refused with what to do, and left as it is', async () => {
    const raw = new BetterSqlite3(join(data, 'store.db'));
    raw.exec('INSERT INTO schema_version VALUES (99, 1000)');
    raw.close();
    const exit = await serveUntilExit({ data });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain(
      `newer version of Loadout (schema 99; this version knows ${schemaNewest})`,
    );
    expect(exit.stderr).toContain('restore a backup made before the upgrade');
    expect(existsSync(join(data, copyName))).toBe(false);
  });
});
