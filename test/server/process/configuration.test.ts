/**
 * Goal: a server takes its options from flags, variables, files of secrets and a configuration file, in this order, and
 * `serve --check` says whether it could start without starting anything. Method: the real program.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../../support/eventually.js';
import { loadoutProgram, type Ran, runLoadout } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';

function written(name: string, text: string): string {
  const path = join(makeDataFolder(), name);
  writeFileSync(path, text);
  return path;
}

const configured = (text: string): string => written('loadout.jsonc', text);

/** What `serve --check` says with that configuration, on ports that are free. */
function check(
  config: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const free = ['--port', '0', '--admin-port', '0'];
  return runLoadout(['serve', '--check', '--config', config, ...free, ...flags], { env });
}

describe('a configuration file', () => {
  it('gives options, below variables and flags; secrets come from files of their own', async () => {
    const data = makeDataFolder();
    const token = 'a-token-from-a-file-0123456789';
    const config = configured(`{
      // As the flags are called.
      "data": ${JSON.stringify(data)},
      "host": "127.0.0.1", "port": 0, "admin-port": 0, "processes": 1,
      "ids-max": 7, "body-bytes-max": 2048, "log-level": "error",
      "cors-origins": ["https://a.example", "https://b.example"],
      "lenient-catalog": true,
    }`);
    const env = {
      ...{ PATH: process.env['PATH'], LOADOUT_CONFIG: config, LOADOUT_BODY_BYTES_MAX: '4096' },
      LOADOUT_ADMIN_TOKEN_FILE: written('token', `${token}\n`),
    };
    const child = spawn(process.execPath, [loadoutProgram, 'serve', '--ids-max', '8'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece;
    });
    await eventually('it is ready', 30_000, () => /^ready$/m.test(stdout));
    const urlOf = (label: string): string =>
      new URL(new RegExp(`^${label}\\s+(\\S+)`, 'm').exec(stdout)?.[1] ?? '').origin;
    const headers = { authorization: `Bearer ${token}` };
    expect((await send(urlOf('console'), '/admin/v1/me', { headers })).status).toBe(200);
    const made = await send(urlOf('console'), '/admin/v1/environments', {
      ...{ method: 'POST', body: '{"id":"game"}' },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(made.status).toBe(201);
    const keys = await send(urlOf('console'), '/admin/v1/environments/game/keys', {
      ...{ method: 'POST', body: '{}' },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const ask = (ids: readonly string[], more = {}) =>
      send(urlOf('delivery'), `/api/v1/combine/?c=${encodeURIComponent(JSON.stringify(ids))}`, {
        ...{ method: 'POST', body: JSON.stringify({ p: more }) },
        headers: {
          'x-api-key': keys.json.key,
          'content-type': 'application/json',
          origin: 'https://b.example',
        },
      });
    const ids = Array.from({ length: 9 }, (_, at) => `item-${at}`);
    // The flag counts before the file; the variable before it as well.
    expect((await ask(ids)).status).toBe(400);
    expect((await ask(ids.slice(0, 8))).status).not.toBe(400);
    expect((await ask(['a'], { long: 'x'.repeat(3_000) })).status).not.toBe(413);
    expect((await ask(['a'], { long: 'x'.repeat(5_000) })).status).toBe(413);
    expect((await ask(['a'])).headers['access-control-allow-origin']).toBe('https://b.example');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it.each([
    ['{"prot": 1}', /loadout\.jsonc:1:2: "prot" is no option; "loadout serve --help" lists/],
    ['{\n  "adminPort": 1\n}', /loadout\.jsonc:2:3: .* write it "admin-port"/],
    ['{"LOADOUT_ADMIN_PORT": 1}', /write it "admin-port"/],
    ['{"log-level": "loud"}', /loadout\.jsonc:1:2: "log-level" is invalid\. Allowed choices/],
    ['{"processes": 0}', /"processes" is invalid\. It must be a whole number/],
    ['{"processes": {}}', /"processes" is text, a number, true, false or a list of texts/],
    ['{"processes": 1, "processes": 2}', /"processes" is given twice/],
    ['{"config": "x"}', /"config" is no option/],
    ['{"port": 1,, }', /loadout\.jsonc:1:12: /],
    ['[]', /a configuration is an object/],
    ['{"database-file": "/nowhere/at/all"}', /"database-file": \/nowhere\/at\/all cannot be read/],
  ])('is rejected with its place and the reason: %s', async (text, reason) => {
    const { code, stderr } = await check(configured(text));
    expect(stderr).toMatch(reason);
    expect(code === 2 || text.includes('nowhere')).toBe(true);
  });

  it('is rejected where it cannot be read, or is another file', async () => {
    const missing = await check('/nowhere/loadout.jsonc');
    expect([missing.code, missing.stderr]).toEqual([
      ...[
        1,
        expect.stringContaining('/nowhere/loadout.jsonc cannot be read: there is no such file'),
      ],
    ]);
    const large = await check(configured(' '.repeat(300 * 1024)));
    expect([large.code, large.stderr]).toEqual([1, expect.stringContaining('larger than 256 KiB')]);
  });
});

describe('a secret in a file', () => {
  it('is given in one place only, and no message has it', async () => {
    const url = 'postgres://user:very-secret@127.0.0.1:1/none?sslmode=whatever';
    const config = configured('{}');
    const file = written('database', url);
    const both = { LOADOUT_DATABASE: url, LOADOUT_DATABASE_FILE: file };
    const twice = await check(config, [], both);
    expect([twice.code, twice.stderr]).toEqual([
      ...[2, expect.stringContaining('LOADOUT_DATABASE and LOADOUT_DATABASE_FILE both give')],
    ]);
    const wrong = await check(config, [], { LOADOUT_DATABASE_FILE: file });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/^failed {2}database /m);
    for (const ran of [twice, wrong]) expect(ran.stdout + ran.stderr).not.toContain('very-secret');
    const empty = await check(config, [], { LOADOUT_DATABASE_FILE: written('empty', ' \n') });
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('is empty')]);
  });

  it('may be the token of a command', async () => {
    const env = { LOADOUT_URL: 'http://127.0.0.1:1', LOADOUT_TOKEN_FILE: '/nowhere/token' };
    const { code, stderr } = await runLoadout(['env', 'list'], { env });
    expect([code, stderr]).toEqual([
      ...[1, expect.stringContaining('LOADOUT_TOKEN_FILE: /nowhere/token cannot be read')],
    ]);
  });
});

describe('serve --check', () => {
  it('says what a start would find, and leaves nothing behind', async () => {
    const data = join(makeDataFolder(), 'new');
    const { code, stdout } = await check(configured('{"processes": 3}'), ['--data', data]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {6}processes {7}3 delivery processes, \d+ cores?$/m);
    expect(stdout).toContain(`${data} will be made`);
    expect(stdout).toMatch(/The server can start\.\n$/);
    expect(existsSync(data)).toBe(false);
  });

  it('runs beside a server that uses the folder', async () => {
    const server = await startServer();
    const before = readdirSync(server.data).sort();
    const flags = ['--data', server.data, '--port', String(server.deliveryPort)];
    const { code, stdout } = await check(configured('{}'), flags);
    expect([code, stdout]).toEqual([0, expect.stringContaining('which a running server uses')]);
    expect(stdout).toContain('is served, perhaps by the running server');
    expect(readdirSync(server.data).sort()).toEqual(before);
    await server.stop();
  });

  it('names everything that would keep a server from starting', async () => {
    const data = makeDataFolder();
    const newer = new BetterSqlite3(join(data, 'store.db'));
    newer.exec(
      'CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (999)',
    );
    newer.close();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const flags = [
      ...['--data', data, '--host', '127.0.0.1', '--metrics-port', String(port)],
      ...['--tls-cert', '/nowhere/cert.pem', '--tls-key', '/nowhere/key.pem'],
      ...['--prometheus-url', 'http://127.0.0.1:1', '--prometheus-token-file', '/nowhere/token'],
    ];
    const { code, stdout } = await check(configured('{}'), flags);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {2}certificate .*\/nowhere\/cert\.pem/m);
    expect(stdout).toMatch(/^failed {2}store .*newer version of Loadout \(schema 999/m);
    expect(stdout).toMatch(/^failed {2}prometheus .*\/nowhere\/token cannot be read/m);
    expect(stdout).toMatch(new RegExp(`^failed {2}metrics port .*${port}.* another process`, 'm'));
    expect(stdout).toMatch(/The server cannot start\.\n$/);
  });
});
