/**
 * A whole store from a data folder into PostgreSQL and back. Method: the store of the demo's game, some weeks of a
 * team's work, and what it leaves out; the commands as an operator types them; all tables compared row by row, and what
 * servers on either side answer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type SeededGame, seedHistory } from '../../src/command/demo/seed-history.js';
import { copiedTables } from '../../src/management/database/copied-tables.js';
import { reportNode } from '../../src/management/fleet/rows.js';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { backToStep4 } from '../support/postgres/step-back.js';
import {
  countStoreRows,
  dialectOf,
  dumpStore,
  type StoreDump,
} from '../support/postgres/store-dump.js';
import { loadoutProgram, type Ran, runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

/** An empty store has the row that says how far changes are indexed. */
const rowsOfEmpty = 1;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let postgres: PostgresCluster;
/** A data folder that no test changes: tests copy it. */
let full: string;
let fullDump: StoreDump;
let game: SeededGame;
let cookie: string;
/** What players were answered by the server that wrote it. */
let answered: Record<string, string>;
let sequence: number;

const production = '/admin/v1/environments/production';
const staging = '/admin/v1/environments/staging';

if (hasPostgres) {
  beforeAll(async () => {
    postgres = await startPostgres();
    full = makeDataFolder();
    game = await seedHistory({ data: full, adminToken: ownerToken, nowMs: Date.now() });
    game.receiver.close();
    const server = await startServer({ data: full, listeners: 1 });
    const draft = await server.admin('PUT', `${staging}/contents/draft-only`, {
      text: '{ "draft": true } // kept as it is, ü and all',
      publish: false,
    });
    expect(draft.status).toBeLessThan(300);
    await server.admin('PUT', `${staging}/contents/gone`, { text: '1' });
    expect((await server.admin('DELETE', `${staging}/contents/gone`)).status).toBeLessThan(300);
    await leavePausedRelease(server);
    cookie = await signIn(server);
    const contents = await server.admin('GET', `${production}/contents`);
    sequence = Number(
      (await server.admin('PUT', `${staging}/contents/last`, { text: '"last"' })).json.sequence,
    );
    answered = await askAll(server, idsIn(contents.json));
    await server.stop();
    countUser(full);
    fullDump = await dumpStore(full);
  });
}

/**
 * A release that was reviewed, ramps and is paused: it has rows in all tables of releases but that of counted users. And a
 * guard, and an environment that has findings confirmed.
 */
async function leavePausedRelease(server: LoadoutServer): Promise<void> {
  const act = async (token: string, method: string, path: string, body: unknown) => {
    const answer = await send(server.adminUrl, path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect([path, answer.status < 300 ? '' : answer.text]).toEqual([path, '']);
    return answer.json;
  };
  const segment = `${staging}/segments/drafted`;
  await act(ownerToken, 'PUT', segment, { when: {} });
  await act(ownerToken, 'PUT', segment, { when: { level: { $gte: 2 } }, publish: false });
  const people = { author: 'editor', reviewer: 'owner' };
  const tokens: Record<string, string> = {};
  for (const [name, role] of Object.entries(people)) {
    tokens[name] = (await act(ownerToken, 'POST', '/admin/v1/users', { name, role })).token;
  }
  const { author = '', reviewer = '' } = tokens;
  const guards = [{ path: '', max: 1_000, severity: 'warn' }];
  await act(ownerToken, 'PUT', `${production}/contents/ramped`, { text: '1', guards });
  await act(ownerToken, 'PATCH', production, { review: 1 });
  await act(ownerToken, 'PATCH', staging, { confirm: true, traffic: 'contexts' });
  await act(ownerToken, 'PUT', `${staging}/layers`, { layers: [{ name: 'shop' }], holdout: null });
  await act(ownerToken, 'POST', `${staging}/keys`, { purpose: 'events' });
  await act(author, 'PUT', `${production}/contents/ramped`, { text: '100', publish: false });
  const steps = [{ percent: 1, holdMinutes: 60 }];
  const release = { title: 'Paused', changes: [{ kind: 'content', id: 'ramped' }], steps };
  const made = await act(author, 'POST', `${production}/releases`, release);
  const path = `${production}/releases/${made.release}`;
  const { review } = await act(author, 'POST', `${path}/submit`, {});
  await act(reviewer, 'POST', `${path}/approve`, { digest: review.digest });
  await act(reviewer, 'POST', `${path}/start`, {});
  await act(reviewer, 'POST', `${path}/pause`, {});
}

/** As batches of receipts, counts of running experiments, and reports of requests do it. */
function countUser(folder: string): void {
  const store = new BetterSqlite3(join(folder, 'store.db'));
  store.exec(`
    INSERT INTO release_users (environment, release, run, step, user_hash, slice, network, first_at)
    SELECT environment, release, 1, 0, '0123456789abcdef', 'control', 'n', 1 FROM releases;
    INSERT OR IGNORE INTO assigned_counts (environment, experiment, phase, day, node, process, number, users)
    SELECT environment, id, 1, '2026-01-01', 'node', 'process', 1, x'00' FROM experiments;
    INSERT INTO user_identities (user_id, issuer, subject, token_id)
    SELECT user_id, 'https://sso.example.com', id, id FROM tokens WHERE source = 'made' LIMIT 1;
    INSERT INTO spent_sign_ins (hash, expires_at) VALUES ('0123456789abcdef', 1767225600000);
    INSERT INTO seen_values (environment, name, looked, counts, last_seen)
    VALUES ('staging', 'country', 100, '[["\\"DE\\"",40]]', 1767225600000)`);
  store.close();
}

function idsIn(list: { readonly contents: readonly { readonly id: string }[] }): string[] {
  return list.contents.map(({ id }) => id);
}

async function signIn(server: LoadoutServer): Promise<string> {
  const answer = await send(server.adminUrl, '/admin/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-loadout-console': '1' },
    body: JSON.stringify({ token: ownerToken }),
  });
  expect(answer.status).toBe(201);
  return answer.header('set-cookie').split(';')[0] ?? '';
}

const callers = [
  {},
  { u: 'player-1', p: { country: 'DE', level: 3 }, v: '2.0.0' },
  { u: 'player-2', p: { country: 'JP', level: 40, spender: true }, v: '9.0.0' },
];

/** Every live content as different players get it, with both keys, and both catalogs. */
async function askAll(
  server: LoadoutServer,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const key of [game.productionKey, game.stagingKey]) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const catalog = await send(server.deliveryUrl, '/api/v1/env/catalog', { headers });
    answers[`${key} catalog`] = `${catalog.status} ${catalog.bytes.toString('base64')}`;
    for (const [index, caller] of callers.entries()) {
      for (const id of ids) {
        const path = `/api/v1/config/${id}/dynamic`;
        const body = JSON.stringify(caller);
        const answer = await send(server.deliveryUrl, path, { method: 'POST', headers, body });
        answers[`${key} ${id} ${index}`] = `${answer.status} ${answer.bytes.toString('base64')}`;
      }
    }
  }
  return answers;
}

/** Serves from `flags` with nothing but what was moved, and expects of it what the old server did. */
async function expectSameService(data: string, flags: readonly string[]): Promise<void> {
  const server = await startServer({ data, listeners: 1, flags });
  try {
    const ids = idsIn((await server.admin('GET', `${production}/contents`)).json);
    expect(await askAll(server, ids)).toEqual(answered);
    const last = await send(server.deliveryUrl, '/api/v1/config/last', {
      method: 'POST',
      headers: {
        'x-api-key': game.stagingKey,
        'content-type': 'application/json',
        'x-min-sequence': String(sequence),
      },
      body: '{}',
    });
    expect(last).toMatchObject({ status: 200, text: '"last"' });
    const session = { headers: { cookie, 'x-loadout-console': '1' } };
    expect((await send(server.adminUrl, '/admin/v1/environments', session)).status).toBe(200);
    const edit = await server.admin('PUT', `${staging}/contents/last`, { text: '"edited"' });
    expect(edit.json.sequence).toBeGreaterThan(sequence);
  } finally {
    await server.stop();
  }
}

/** A copy of `full`, to be changed. */
function copyOfFull(): string {
  const folder = makeDataFolder();
  cpSync(full, folder, { recursive: true });
  return folder;
}

function migrate(from: string, to: string, ...more: string[]): Promise<Ran> {
  return runLoadout(['migrate', '--from', from, '--to', to, ...more]);
}

async function expectMigrated(from: string, to: string): Promise<void> {
  const ran = await migrate(from, to);
  if (ran.code !== 0) throw new Error(ran.stderr);
}

/** A target in which there is nothing; what makes it hold a store gives a reason to find. */
async function expectRefused(ran: Ran, reason: RegExp): Promise<void> {
  expect(ran.stderr).toMatch(reason);
  expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
}

describe.skipIf(!hasPostgres)('loadout migrate', () => {
  it('takes everything into PostgreSQL and back, equal row by row, and leaves what it came from as it was', async () => {
    for (const { name } of copiedTables) expect(fullDump[name], name).not.toEqual([]);
    const url = await postgres.createDatabase();
    const there = await migrate(full, url);
    expect(there.stderr).toContain('is as it was');
    expect(there.stdout).toMatch(
      /^Moved \S+ to 127\.0\.0\.1:\d+\/\S+: 2 environments, \d+ contents, .* of texts in all, sequence \d+\.\n$/,
    );
    expect(await dumpStore(url)).toEqual(fullDump);

    const back = join(makeDataFolder(), 'back');
    const ran = await migrate(url, back, '--json');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      to: back,
      sequence,
      rows: { contents: fullDump['contents']?.length, audit: fullDump['audit']?.length },
    });
    expect(await dumpStore(back)).toEqual(fullDump);
    expect(await dumpStore(url)).toEqual(fullDump);
    expect(await dumpStore(full)).toEqual(fullDump);
    expect(readdirSync(back).sort()).toEqual(['lock.db', 'store.db']);
    expect(statSync(join(back, 'store.db')).mode & 0o777).toBe(0o600);

    const again = await postgres.createDatabase();
    await expectMigrated(url, again);
    expect(await dumpStore(again)).toEqual(fullDump);
  });

  it('gives servers on both sides the same answers, keys, sessions and numbers', async () => {
    const url = await postgres.createDatabase();
    await expectMigrated(full, url);
    const back = join(makeDataFolder(), 'back');
    await expectMigrated(url, back);
    await expectSameService(back, []);
    // What the folder has published is still good: it is the same store.
    await expectSameService(copyOfFull(), ['--database', url]);
  });

  it('takes what a killed server had not yet written into its file', async () => {
    const folder = copyOfFull();
    const server = await startServer({ data: folder, listeners: 1 });
    const put = await server.admin('PUT', `${staging}/contents/last`, { text: '"after"' });
    server.signal('SIGKILL');
    await server.exit;
    const url = await postgres.createDatabase();
    await expectMigrated(folder, url);
    const [row] = await postgres.query(
      'SELECT sequence::int FROM store_state',
      [],
      databaseOf(url),
    );
    expect(row?.['sequence']).toBe(put.json.sequence);
  });

  it('upgrades a copy of an older store, and leaves that as it is', async () => {
    const folder = copyOfFull();
    const file = new BetterSqlite3(join(folder, 'store.db'));
    file.exec(`
      ${backToStep4.join(';')};
      DELETE FROM schema_version WHERE version > 3;
      DROP TABLE sequences; DROP TABLE staged_texts; DROP TABLE nodes;
      ALTER TABLE store_state DROP COLUMN written_at; ALTER TABLE store_state DROP COLUMN writer;
    `);
    file.close();
    const url = await postgres.createDatabase();
    await expectMigrated(folder, url);
    expect((await dumpStore(url))['audit']).toEqual(fullDump['audit']);
    const after = new BetterSqlite3(join(folder, 'store.db'));
    expect(after.prepare('SELECT max(version) FROM schema_version').pluck().get()).toBe(3);
    after.close();
    expect(readdirSync(folder).filter((name) => name.includes('scratch'))).toEqual([]);
  });
});

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

describe.skipIf(!hasPostgres)('loadout migrate refuses, and changes nothing', () => {
  it('a folder that a server uses, or without a store', async () => {
    const url = await postgres.createDatabase();
    const server = await startServer({ listeners: 1 });
    await expectRefused(await migrate(server.data, url), /A server runs on .*: stop it first/);
    await server.stop();
    const missing = join(makeDataFolder(), 'none');
    await expectRefused(await migrate(missing, url), /There is no store in .*none\./);
    expect(existsSync(missing)).toBe(false);
  });

  it('two folders, and what is no database', async () => {
    const to = join(makeDataFolder(), 'to');
    await expectRefused(await migrate(full, to), /`loadout backup` and `loadout restore`/);
    await expectRefused(
      await migrate(full, 'postgres://loadout:secret@127.0.0.1:1/name'),
      /^error: The database 127\.0\.0\.1:1\/name cannot be used: connect ECONNREFUSED/,
    );
    const ran = await migrate(full, 'postgres://secret@host:port/name');
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('secret');
  });

  it('a database without a store, or that holds one', async () => {
    const url = await postgres.createDatabase();
    const folder = join(makeDataFolder(), 'to');
    await expectRefused(await migrate(url, folder), /There is no store in 127\.0\.0\.1:\d+\//);
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
    await expectMigrated(full, url);
    await expectRefused(
      await migrate(full, url),
      /There is a store in it already: environments \(2\), .* It must be empty\./,
    );
    expect(await dumpStore(url)).toEqual(fullDump);
  });

  it('a folder that is not empty', async () => {
    const url = await postgres.createDatabase();
    await expectMigrated(full, url);
    const folder = makeDataFolder();
    mkdirSync(join(folder, 'sub'));
    await expectRefused(await migrate(url, folder), /is not empty/);
    expect(readdirSync(folder).filter((name) => name !== 'lock.db')).toEqual(['sub']);
  });

  it('a database that servers use, unless it is told that they may go on', async () => {
    const url = await postgres.createDatabase();
    await expectMigrated(full, url);
    const db = dialectOf(url).connect('write');
    await reportNode(db, {
      id: 'node-1',
      name: 'west-1',
      address: 'http://west-1',
      version: '0',
      schema: 0,
      sequence: 1,
      mark: null,
      serving: 1,
      upMs: 1,
    });
    await db.destroy();
    const folder = join(makeDataFolder(), 'to');
    await expectRefused(await migrate(url, folder), /Servers use .*: "west-1".*--while-serving/);
    expect(await migrate(url, folder, '--while-serving')).toMatchObject({ code: 0 });
    expect(await dumpStore(folder)).toEqual(fullDump);
  });

  it('a text that PostgreSQL cannot hold, saying where it is', async () => {
    const folder = copyOfFull();
    const file = new BetterSqlite3(join(folder, 'store.db'));
    file
      .prepare(
        "UPDATE contents SET description = 'a' || char(0) || 'b' WHERE environment = 'staging' AND id_lower = 'last'",
      )
      .run();
    file.close();
    const url = await postgres.createDatabase();
    await expectRefused(
      await migrate(folder, url),
      /contents has a character U\+0000, .* in description of \{"environment":"staging","idLower":"last"\}/,
    );
    expect(await countStoreRows(url)).toBe(rowsOfEmpty);
    await expectMigrated(full, url);
  });

  it('a text that is not what was saved, and a damaged file', async () => {
    const folder = copyOfFull();
    const file = new BetterSqlite3(join(folder, 'store.db'));
    const digest = file.prepare('SELECT max(digest) FROM texts').pluck().get() as string;
    file.prepare("UPDATE texts SET bytes = x'00' WHERE digest = ?").run(digest);
    file.close();
    const url = await postgres.createDatabase();
    await expectRefused(
      await migrate(folder, url),
      new RegExp(`The text ${digest} is damaged: its bytes are not those that were saved`),
    );
    expect(await countStoreRows(url)).toBe(rowsOfEmpty);
    writeFileSync(join(folder, 'store.db'), 'no store');
    await expectRefused(await migrate(folder, url), /is no store of Loadout/);
  });
});

/** Holds a table of a database, so that all others wait for it: the middle of a migration, for as long as a test needs. */
async function hold(url: string, table: string, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  } finally {
    await client.end();
  }
}

async function killWhenItWaits(url: string, from: string, to: string): Promise<void> {
  const child: ChildProcess = spawn(
    process.execPath,
    [loadoutProgram, 'migrate', '--from', from, '--to', to],
    { stdio: 'ignore' },
  );
  const closed = once(child, 'close');
  try {
    await eventually('the migration to be in the middle', 20_000, async () => {
      if (child.exitCode !== null) throw new Error('it has ended');
      return waiting(url);
    });
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

async function waiting(url: string): Promise<boolean> {
  const rows = await postgres.query(
    `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = $1`,
    [databaseOf(url)],
  );
  return rows.length > 0;
}

describe.skipIf(!hasPostgres)('loadout migrate that is killed in the middle', () => {
  it('leaves a database empty, and can be done again', async () => {
    const url = await postgres.createDatabase();
    const made = await runLoadout(['database', 'prepare', '--database', url]);
    expect(made).toMatchObject({ code: 0 });
    await hold(url, 'audit', async () => killWhenItWaits(url, full, url));
    await eventually('the database to notice', 20_000, async () => !(await waiting(url)));
    expect(await countStoreRows(url)).toBe(rowsOfEmpty);
    await expectMigrated(full, url);
    expect(await dumpStore(url)).toEqual(fullDump);
  });

  it('says so when it is the database that ends it, and has kept nothing', async () => {
    const url = await postgres.createDatabase();
    await runLoadout(['database', 'prepare', '--database', url]);
    await hold(url, 'audit', async () => {
      const ran = migrate(full, url);
      await eventually('the migration to be in the middle', 20_000, () => waiting(url));
      await postgres.query(
        'SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = $1',
        [databaseOf(url)],
      );
      await expectRefused(await ran, /is not copied to .* The database was lost in the middle/);
    });
    expect(await countStoreRows(url)).toBe(rowsOfEmpty);
  });

  it('leaves a folder without a store, and can be done again', async () => {
    const url = await postgres.createDatabase();
    await expectMigrated(full, url);
    const folder = join(makeDataFolder(), 'to');
    await hold(url, 'revisions', async () => killWhenItWaits(url, url, folder));
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
    expect(readdirSync(folder).some((name) => name.includes('scratch'))).toBe(true);
    await expectMigrated(url, folder);
    expect(await dumpStore(folder)).toEqual(fullDump);
    expect(readdirSync(folder).sort()).toEqual(['lock.db', 'store.db']);
  });
});
