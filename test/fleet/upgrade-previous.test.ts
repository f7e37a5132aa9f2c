/** A database that the version before this one wrote (test/fixtures), served and upgraded by this one. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Field, rowSum } from '../../src/published/row-sum.js';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { eventually } from '../support/eventually.js';
import { ready, startNode } from '../support/fleet/fleet.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, serveUntilExit } from '../support/server/server.js';
import {
  environmentOf,
  expectAsBefore,
  expectEditable,
  expectUpgraded,
  type FixtureFormat,
  factsOf,
  finished,
  keepsAll,
  publishedState,
  restoreDump,
  unpackInto,
} from '../support/server/upgrade-fixture.js';

const facts = hasPostgres ? factsOf('postgres') : null;

describe.skipIf(facts === null)('a database of the version before this one', () => {
  let postgres: PostgresCluster;
  let url: string;
  let database: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query('CREATE ROLE serving LOGIN');
  });

  async function restored(format?: FixtureFormat): Promise<void> {
    url = await postgres.createDatabase();
    database = new URL(url).pathname.slice(1);
    await restoreDump(url, format);
  }

  async function expectPublicationsSeeded(): Promise<void> {
    const recorded = await postgres.query(
      'SELECT environment, id_lower, number AS live FROM publications ORDER BY 1, 2',
      [],
      database,
    );
    const live = await postgres.query(
      'SELECT environment, id_lower, live FROM contents ORDER BY 1, 2',
      [],
      database,
    );
    expect(recorded).toEqual(live);
    expect(recorded.length).toBeGreaterThan(10);
  }

  it('is upgraded: all is there, and mapped contents change their hash once', async () => {
    await restored();
    const server = await startNode({ name: 'new', url, flags: keepsAll });
    await finished(server, of(facts));
    await expectUpgraded(server, of(facts));
    await expectPublicationsSeeded();
    await expectEditable(server, of(facts));
  });

  it('is served from the data folder of that version while the database is stopped, then upgraded', async () => {
    await restored();
    const data = makeDataFolder();
    unpackInto(data, 'postgres');
    await postgres.stop();
    const server = await startNode({ name: 'new', url, data, flags: keepsAll });
    try {
      await expectAsBefore(server, of(facts));
      expect(await ready(server)).toMatchObject({ ready: true, store: 'unavailable' });
      const path = '/admin/v1/environments/dev/contents/plain';
      const refused = await server.admin('PUT', path, { text: '1' });
      expect(refused.json).toMatchObject({ status: 503, code: 'store_unavailable' });
    } finally {
      await postgres.start();
    }
    await finished(server, of(facts));
    await expectUpgraded(server, of(facts));
    await expectPublicationsSeeded();
    await expectEditable(server, of(facts));
  });

  it('of schema step 6 is served while the database is stopped, then read again with its flags', async () => {
    await restored('schema-6');
    const known = factsOf('postgres', 'schema-6');
    const data = makeDataFolder();
    unpackInto(data, 'postgres', 'schema-6');
    // Another server was upgraded first, and saved flags that this one's published.db of format 3 could not hold.
    const first = await startNode({ name: 'first', url, flags: keepsAll });
    const dev = environmentOf(first, known, 'dev');
    const saved = await first.admin('PUT', `${dev.path}/contents/plain`, { flags: ['/motd'] });
    expect(saved.status).toBe(200);
    await first.stop();
    takeSequence(data, saved.json.sequence, await markOf(saved.json.sequence));
    await postgres.stop();
    const server = await startNode({ name: 'new', url, data, flags: keepsAll });
    try {
      await expectAsBefore(server, known);
      expect(publishedState(data)).toMatchObject({ format: 6, streamKey: '' });
    } finally {
      await postgres.start();
    }
    const flags = async (): Promise<boolean> => publishedState(data).streamKey !== '';
    await eventually('published.db was made again', 30_000, flags);
    await expectAsBefore(server, known);
    const keys = await postgres.query('SELECT stream_key FROM store_state', [], database);
    const { streamKey, flags: published } = publishedState(data);
    expect(keys).toEqual([{ stream_key: streamKey }]);
    expect(published['dev/plain']).toEqual(['/motd']);
  });

  /** Starts on data of an older step while the database is stopped, and waits until that is read. */
  async function startedWithout(fixture: FixtureFormat) {
    await restored(fixture);
    const known = factsOf('postgres', fixture);
    const data = makeDataFolder();
    unpackInto(data, 'postgres', fixture);
    const before = publishedState(data);
    await postgres.stop();
    const server = await startNode({ name: 'new', url, data, flags: keepsAll });
    try {
      await expectAsBefore(server, known);
    } finally {
      await postgres.start();
    }
    await eventually('the store is read', 30_000, async () => {
      return (await ready(server)).store === 'available';
    });
    await expectAsBefore(server, known);
    expect(publishedState(data)).toEqual({ ...before, format: 6 });
    return { server, known };
  }

  it('of schema step 7 is served while the database is stopped, with the key of streams that it has', async () => {
    await startedWithout('schema-7');
  });

  it('of schema step 9 is served while the database is stopped, and holds experiments from then on', async () => {
    const { server, known } = await startedWithout('schema-9');
    const { path } = environmentOf(server, known, 'dev');
    const record = { id: 'bundle', content: 'bundle', segment: 'test', control: 'control' };
    expect((await server.admin('POST', `${path}/experiments`, record)).status).toBe(201);
    const started = await server.admin('POST', `${path}/experiments/bundle/start`, {});
    expect(started.json).toMatchObject({ state: 'running', phase: 1 });
  });

  async function markOf(sequence: number): Promise<string> {
    const sql = 'SELECT mark FROM sequences WHERE sequence = $1';
    const [row] = await postgres.query<{ mark: string }>(sql, [sequence], database);
    return row?.mark ?? '';
  }

  it('starts several servers at once, which agree on one key of streams', async () => {
    await restored('schema-6');
    const folders = [makeDataFolder(), makeDataFolder(), makeDataFolder()];
    const servers = await Promise.all(
      folders.map((data, at) => startNode({ name: `new-${at}`, url, data, flags: keepsAll })),
    );
    const [row] = await postgres.query('SELECT stream_key FROM store_state', [], database);
    for (const data of folders) {
      expect(publishedState(data).streamKey).toBe(row?.['stream_key']);
    }
    for (const server of servers) {
      await expectAsBefore(server, factsOf('postgres', 'schema-6'));
    }
  });

  it('takes a data folder of that version in, which is upgraded on its way', async () => {
    const folder = makeDataFolder();
    unpackInto(folder, 'sqlite');
    url = await postgres.createDatabase();
    database = new URL(url).pathname.slice(1);
    const moved = await runLoadout(['migrate', '--from', folder, '--to', url]);
    expect(moved.code, moved.stderr).toBe(0);
    const embedded = factsOf('sqlite');
    const server = await startNode({ name: 'new', url, flags: keepsAll });
    await finished(server, embedded);
    await expectUpgraded(server, embedded);
    await expectPublicationsSeeded();
    await expectEditable(server, embedded);
  });

  it('keeps its hashes while a server of that version lives', async () => {
    await restored();
    // The schema is brought up to date; then a server reports itself that does not know of it.
    expect(await prepare()).toMatchObject({ code: 0 });
    const never = Number.MAX_SAFE_INTEGER;
    await postgres.query(
      `INSERT INTO nodes (id, name, address, version, sequence, serving, started_at, seen_at)
       VALUES ('old', 'old-1', '', '0', 0, 1, 0, ${never})`,
      [],
      database,
    );
    const server = await startNode({ name: 'new', url, flags: keepsAll });
    await eventually('the log names the server that is waited for', 20_000, () =>
      server.stderr.includes('"nodes":["old-1"]'),
    );
    await expectAsBefore(server, of(facts));
    const dev = environmentOf(server, of(facts), 'dev');
    const { catalog } = (await dev.catalog()).json;
    await dev.putSegment('whales', { level: { $gte: 41 } });
    await dev.putSegment('whales', { level: { $gte: 40 } });
    expect((await dev.catalog()).json).toEqual({ catalog });
    await postgres.query("DELETE FROM nodes WHERE id = 'old'", [], database);
    await finished(server, of(facts));
    const segment = '/admin/v1/environments/dev/segments/whales';
    const { revisions } = (await server.admin('GET', `${segment}/revisions`)).json;
    expect(revisions).toMatchObject([{ revision: 3 }, { revision: 2 }, { revision: 1 }]);
    await expectEditable(server, of(facts));
  });

  it('is upgraded by its owner for a role that may not make tables', async () => {
    await restored();
    const serving = new URL(url);
    serving.username = 'serving';
    const refused = await serveUntilExit({
      ...{ data: makeDataFolder(), listeners: 1 },
      flags: ['--database', serving.href],
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('loadout database prepare');
    const prepared = await prepare('--grant-to', 'serving');
    expect(prepared).toMatchObject({ code: 0, stderr: '' });
    expect(prepared.stdout).toMatch(/brought from schema 4 to \d+; "serving" may serve/);
    const server = await startNode({ name: 'new', url: serving.href, flags: keepsAll });
    await finished(server, of(facts));
    await expectUpgraded(server, of(facts));
    await expectPublicationsSeeded();
    await expectEditable(server, of(facts));
  });

  function prepare(...more: string[]): ReturnType<typeof runLoadout> {
    return runLoadout(['database', 'prepare', '--database', url, ...more]);
  }
});

/** What a server of format 3 does with a change that it follows: it publishes what it knows of, under the same number. */
function takeSequence(data: string, sequence: number, mark: string): void {
  const db = new BetterSqlite3(join(data, 'published.db'));
  const columns = 'id, format, store_id, sequence, changes_after, mark, refused';
  db.prepare('UPDATE state SET sequence = ?, mark = ?').run(sequence, mark);
  const row = db.prepare<[], Field[]>(`SELECT ${columns} FROM state`).raw().get() ?? [];
  db.prepare('UPDATE state SET sum = ?').run(rowSum('state', row));
  db.close();
}

function of<T>(found: T | null): T {
  if (found === null) throw new Error('there is no PostgreSQL');
  return found;
}
