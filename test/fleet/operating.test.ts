/*
 * Goal: what the operators' page shows is what happens. Method: its SQL and its examples are run in order, against a
 * PostgreSQL that speaks TLS and asks for passwords; only the host, the certificate and the ports are those of the test.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { type Ran, spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { makeCertificate } from '../support/wire/certificate.js';

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/operating.md`, 'utf8');
const settings = readFileSync(`${root}src/systemd/loadout.env`, 'utf8');
const unit = readFileSync(`${root}src/systemd/loadout.service`, 'utf8');

describe.skipIf(!hasPostgres)("the operators' page", () => {
  let postgres: PostgresCluster;
  let folder: string;
  let prepared: Ran;
  let server: LoadoutServer;

  beforeAll(async () => {
    folder = makeDataFolder();
    // PostgreSQL runs as another user, who must reach the certificate.
    chmodSync(folder, 0o711);
    postgres = await startPostgres({ settings: guarded(folder) });
    // The tests' own role is not what the page makes.
    await postgres.query('DROP ROLE loadout');
    for (const statement of statements('roles')) await postgres.query(statement);
    prepared = await runExample('prepare');
    server = await startServer({
      listeners: 1,
      flags: ['--node-name', 'shop-1', '--database', withPassword(urlOf(example('serve').script))],
    });
  });

  afterAll(async () => {
    await server?.stop();
  });

  it('gets a database ready, as it says it does', () => {
    const { output } = example('prepare');
    expect(prepared.stderr).toBe('');
    expect(prepared.stdout.trim()).toBe(localised(output ?? '').trim());
  });

  it('starts a server with a role that has the least rights, over a connection that is checked', async () => {
    const sessions = await postgres.query<{ ssl: boolean; usename: string }>(
      `SELECT DISTINCT ssl, usename FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name = 'loadout'`,
    );
    expect(sessions).toEqual([{ ssl: true, usename: 'loadout' }]);
    const created = await server.admin('POST', '/admin/v1/environments', { id: 'dev' });
    expect(created.status).toBe(201);
  });

  it('shows what `loadout nodes` prints', async () => {
    const titles = (text: string): string => text.split('\n', 1)[0]?.replaceAll(/ +/g, ' ') ?? '';
    const ran = await eventually('the node is listed', 10_000, async () => {
      const listed = await runExample('nodes', connection(server));
      return listed.stdout.includes('shop-1') ? listed : null;
    });
    expect(titles(ran.stdout)).toBe(titles(example('nodes').output ?? ''));
    expect(ran.stdout).toMatch(/^shop-1 .* live \(asked\)$/m);
  });

  it.each([
    ['a certificate of an unknown authority', '?sslmode=require', /sslrootcert=FILE/],
    ['one of another name', null, /for another name than the address has/],
  ])('says what is wrong with %s', async (_, query, remedy) => {
    const right = withPassword(urlOf(example('serve').script));
    const url =
      query === null ? right.replaceAll('localhost', '127.0.0.1') : right.replace(/\?.*/, query);
    const own = ['--data', makeDataFolder(), '--port', '0', '--admin-port', '0', '--database', url];
    for (const args of [
      ['serve', ...own],
      ['serve', '--check', ...own],
      ['database', 'prepare', '--grant-to', 'loadout', '--database', url],
    ]) {
      const { code, stdout, stderr } = await spawnLoadout(args);
      expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(remedy)]);
      expect(stdout + stderr).not.toMatch(/Warning|server-secret/);
    }
  });

  it('refuses the server role everything that it does not need', async () => {
    // The driver itself knows one host.
    const url = urlOf(example('prepare').script).replace('loadout_owner@', 'loadout@');
    const client = new Client({ connectionString: withPassword(url) });
    await client.connect();
    for (const statement of [
      'CREATE TABLE mine (number integer)',
      'CREATE TEMPORARY TABLE mine (number integer)',
      'TRUNCATE audit',
      'DROP TABLE audit',
      'ALTER TABLE audit ADD mine integer',
      'INSERT INTO schema_version VALUES (99, 0)',
      'DELETE FROM store_state',
      'CREATE SCHEMA mine',
      'CREATE DATABASE mine',
    ]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
    await client.end();
  });

  it('makes one file of a database that servers use', async () => {
    const lines = example('snapshot').script.trim().split('\n');
    for (const line of lines) await runLine(line, connection(server));
    expect(existsSync(join(folder, 'shop.db'))).toBe(true);
  });

  it('swaps a restored database in, under a server that goes on', async () => {
    const [make = '', revoke = '', grant = '', ...swap] = statements('swap');
    for (const statement of [make, revoke, grant]) await postgres.query(statement);
    const owner = urlOf(example('prepare').script).replace('/loadout?', '/loadout_restored?');
    const env = { PGPASSWORD: 'owner-secret' };
    await runLine(`loadout migrate --from ./snapshot --to '${owner}'`, env);
    await runLine(`loadout database prepare --grant-to loadout --database '${owner}'`, env);
    for (const statement of swap) await postgres.query(statement);
    await eventually('the server finds the database again', 20_000, async () => {
      const { status } = await server.admin('GET', '/admin/v1/environments/dev');
      return status === 200;
    });
  });

  /** A marked `sh` block, and the `text` block behind it if there is one. */
  function example(name: string): { script: string; output: string | null } {
    const pattern = new RegExp(
      `<!-- example: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\`\\n(?:\`\`\`text\\n([\\s\\S]*?)\`\`\`)?`,
    );
    const found = pattern.exec(page);
    if (found === null) throw new Error(`The page has no example ${name}.`);
    return { script: found[1] ?? '', output: found[2] ?? null };
  }

  /** Of an example that is variables and one command; `env` comes on top. */
  function runExample(name: string, env: Record<string, string> = {}): Promise<Ran> {
    const { script } = example(name);
    const set = [...script.matchAll(/^export (\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]);
    const command = script.replaceAll(/^export .*\n/gm, '').replaceAll('\\\n', ' ');
    return spawnLoadout(wordsOf(command), { env: { ...Object.fromEntries(set), ...env } });
  }

  async function runLine(line: string, env: Record<string, string>): Promise<void> {
    const words = wordsOf(line.replaceAll('"$LOADOUT_DATABASE"', `'${env['LOADOUT_DATABASE']}'`));
    const ran = await spawnLoadout(words, { env, cwd: folder });
    if (ran.code !== 0) throw new Error(`${line}: code ${ran.code}\n${ran.stderr}`);
  }

  /** The words behind `loadout`. None has a space in it. */
  function wordsOf(command: string): string[] {
    const [first, ...words] = localised(command).replaceAll("'", '').trim().split(/\s+/);
    expect(first).toBe('loadout');
    return words;
  }

  function urlOf(script: string): string {
    return localised(/postgres:\/\/[^'\s]+/.exec(script)?.[0] ?? '');
  }

  function localised(text: string): string {
    return text
      .replaceAll(/db\d\.internal:5432/g, `localhost:${postgres.port}`)
      .replaceAll('/etc/loadout/database-ca.pem', join(folder, 'server.crt'));
  }
});

describe('the unit', () => {
  it('has settings that `loadout serve` knows, and shows all that a node of a fleet needs', async () => {
    const help = (await spawnLoadout(['serve', '--help'])).stdout;
    const named = [...settings.matchAll(/^#?((?:LOADOUT|PG)\w+)=/gm)].map(([, name]) => name ?? '');
    const own = named.filter((name) => name.startsWith('LOADOUT_'));
    expect(own.filter((name) => !help.includes(name))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['LOADOUT_DATABASE', 'PGPASSWORD']));
  });

  it('leaves a server longer to end than it may take', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(seconds).toBeGreaterThan(30);
  });

  it('is what systemd understands, where there is systemd to ask', () => {
    const folder = makeDataFolder();
    const file = join(folder, 'loadout.service');
    writeFileSync(file, unit.replace('ExecStart=loadout', `ExecStart=${process.execPath}`));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true, force: true });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

/** As a test gives it to a program whose environment it does not choose. */
function withPassword(url: string): string {
  return url.replace('loadout@', 'loadout:server-secret@');
}

function connection(server: LoadoutServer): Record<string, string> {
  return { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
}

/** The statements of a marked `sql` block, without comments. */
function statements(name: string): string[] {
  const block = new RegExp(`<!-- sql: ${name} -->\\n\`\`\`sql\\n([\\s\\S]*?)\`\`\``).exec(page);
  const text = (block?.[1] ?? '').replaceAll(/^--.*\n/gm, '');
  const found = text.split(/;\n/).filter((statement) => statement.trim() !== '');
  if (found.length === 0) throw new Error(`The page has no SQL ${name}.`);
  return found;
}

/** Settings of a PostgreSQL that lets nobody but the tests in without TLS and a password; its files are in `folder`. */
function guarded(folder: string): Record<string, string> {
  const file = (name: string): string => join(folder, name);
  const [cert, key, rules] = [file('server.crt'), file('server.key'), file('pg_hba.conf')];
  makeCertificate(cert, key, ['DNS:localhost']);
  const rule = /^hostssl .*$/m.exec(page)?.[0].replace('10.0.0.0/16', '127.0.0.1/32');
  writeFileSync(rules, `host all postgres 127.0.0.1/32 trust\n${rule}\n`);
  for (const path of [cert, rules]) chmodSync(path, 0o644);
  // It runs as another user where the tests are root's; a key of root's may be read by a group.
  if (process.getuid?.() === 0) {
    execFileSync('chgrp', ['postgres', key]);
    chmodSync(key, 0o640);
  }
  return { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key, hba_file: rules };
}
