/** `loadout database prepare`: servers with a role that may not change tables, on a database that its owner got ready. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { makeEnvironment } from '../support/server/environment.js';
import { type Ran, runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, serveUntilExit, startServer } from '../support/server/server.js';

vi.setConfig({ testTimeout: 120_000 });

let postgres: PostgresCluster;

if (hasPostgres) {
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query('CREATE ROLE "serving Role" LOGIN');
    await postgres.query('CREATE ROLE other LOGIN');
  });
}

const servingRole = 'serving Role';

/** The same database for a role that does not own it. */
function as(role: string, url: string): string {
  const other = new URL(url);
  other.username = encodeURIComponent(role);
  return other.href;
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

function prepare(url: string, ...more: string[]): Promise<Ran> {
  return runLoadout(['database', 'prepare', '--database', url, ...more]);
}

/** What a role may do with each table, as PostgreSQL sees it. */
async function rightsOf(role: string, url: string): Promise<Record<string, string>> {
  const rows = await postgres.query<{ name: string; rights: string }>(
    `SELECT relname AS name, (SELECT string_agg(right_, ' ' ORDER BY right_) FROM unnest(ARRAY['SELECT', 'INSERT',
       'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS right_ WHERE has_table_privilege($1, oid, right_)) AS rights
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    [role],
    databaseOf(url),
  );
  return Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
}

describe.skipIf(!hasPostgres)('loadout database prepare', () => {
  it('lets a role serve and edit that may do nothing beyond, and may be said again', async () => {
    const url = await postgres.createDatabase();
    const first = await prepare(url, '--grant-to', servingRole);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/: the tables are made \(schema \d+\); "serving Role" may serve/);
    const again = await prepare(url, '--grant-to', servingRole, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      database: expect.stringMatching(/^127\.0\.0\.1:\d+\/loadout_/),
      grantedTo: servingRole,
    });

    const {
      schema_version: version,
      store_state: state,
      ...tables
    } = await rightsOf(servingRole, url);
    expect([version, state]).toEqual(['SELECT', 'SELECT UPDATE']);
    expect(new Set(Object.values(tables))).toEqual(new Set(['DELETE INSERT SELECT UPDATE']));
    expect(Object.keys(tables).length).toBeGreaterThan(15);
    const [may] = await postgres.query(
      `SELECT has_schema_privilege($1, 'public', 'CREATE') AS make`,
      [servingRole],
      databaseOf(url),
    );
    expect(may).toEqual({ make: false });

    const database = ['--database', as(servingRole, url)];
    const server = await startServer({ listeners: 1, flags: database });
    const game = await makeEnvironment(server, 'dev');
    await game.put('shop', '{"gems":1}');
    await game.put('shop', '{"gems":2}');
    expect((await game.plain('shop')).text).toBe('{"gems":2}');
    expect((await server.admin('DELETE', `${game.path}/contents/shop`)).status).toBeLessThan(300);
    expect((await server.stop()).code).toBe(0);
  });

  it('finds the tables in the schema that the role looks in first, whatever it is called', async () => {
    const url = await postgres.createDatabase();
    const name = databaseOf(url);
    await postgres.query(
      `CREATE SCHEMA "My Game" AUTHORIZATION loadout;
       ALTER ROLE loadout IN DATABASE ${name} SET search_path TO "My Game";
       ALTER ROLE other IN DATABASE ${name} SET search_path TO "My Game"`,
      [],
      name,
    );
    expect(await prepare(url, '--grant-to', 'other')).toMatchObject({ code: 0, stderr: '' });
    const database = ['--database', as('other', url)];
    const server = await startServer({ listeners: 1, flags: database });
    await makeEnvironment(server, 'dev');
    await server.stop();
    const rows = await postgres.query('SELECT id FROM "My Game".environments', [], name);
    expect(rows).toEqual([{ id: 'dev' }]);
  });

  it('gives the role what a later version adds', async () => {
    const url = await postgres.createDatabase();
    await prepare(url, '--grant-to', servingRole);
    await postgres.query(
      'SET ROLE loadout; CREATE TABLE of_a_later_version (id integer)',
      [],
      databaseOf(url),
    );
    expect((await rightsOf(servingRole, url))['of_a_later_version']).toBe(
      'DELETE INSERT SELECT UPDATE',
    );
    // What servers made in older versions is given with the next call.
    await postgres.query(`REVOKE ALL ON users FROM "${servingRole}"`, [], databaseOf(url));
    await prepare(url, '--grant-to', servingRole);
    expect((await rightsOf(servingRole, url))['users']).toBe('DELETE INSERT SELECT UPDATE');
  });

  it('is what a server asks for that may not upgrade the schema itself, and leaves things as they are', async () => {
    const url = await postgres.createDatabase();
    await prepare(url, '--grant-to', servingRole);
    // As an older version left it.
    await postgres.query(
      'DROP TABLE sequences; DELETE FROM schema_version WHERE version > 3',
      [],
      databaseOf(url),
    );
    const database = ['--database', as(servingRole, url)];
    const exit = await serveUntilExit({ data: makeDataFolder(), flags: database });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('Run "loadout database prepare"');
    expect(exit.stdout).not.toContain('ready');
  });

  it('is what a server asks for on a database that was not got ready', async () => {
    const url = await postgres.createDatabase();
    const database = ['--database', as('other', url)];
    const nothing = await serveUntilExit({ data: makeDataFolder(), flags: database });
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain('Run "loadout database prepare"');
    // Ready, but not for this role.
    await prepare(url);
    const foreign = await serveUntilExit({ data: makeDataFolder(), flags: database });
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain('loadout database prepare');
  });

  it('says what is in the way: no such role, no right to grant, no way in', async () => {
    const url = await postgres.createDatabase();
    const away = await prepare('postgres://loadout:secret@127.0.0.1:1/name');
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toBe(
      'error: The database 127.0.0.1:1/name cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n',
    );
    const nobody = await prepare(url, '--grant-to', 'nobody');
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain('There is no role "nobody"');
    const foreign = await prepare(as('other', url), '--grant-to', servingRole);
    expect(foreign.code).toBe(1);
    await postgres.query(
      `REVOKE CONNECT ON DATABASE ${databaseOf(url)} FROM PUBLIC`,
      [],
      databaseOf(url),
    );
    const closed = await prepare(url, '--grant-to', servingRole);
    expect(closed.code).toBe(1);
    expect(closed.stderr).toContain(`GRANT CONNECT ON DATABASE ${databaseOf(url)} TO`);
    const usage = await runLoadout(['database', 'prepare']);
    expect(usage).toMatchObject({ code: 2, stdout: '' });
  });
});
