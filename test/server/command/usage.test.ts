/** What needs no server: help, versions, wrong usage and an address where nothing listens. Exit codes are the promise. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadoutProgram, spawnLoadout } from '../../support/server/run-loadout.js';

const folder = mkdtempSync(join(tmpdir(), 'loadout-usage-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('help', () => {
  it('lists the commands and ends with 0', async () => {
    const { code, stdout } = await spawnLoadout(['--help']);
    expect(code).toBe(0);
    for (const name of ['serve', 'demo', 'env', 'key', 'content', 'segment', 'sync', 'evaluate']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
  });

  it('names the environment variable of every option of serve', async () => {
    const { stdout } = await spawnLoadout(['serve', '--help']);
    const flags = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1] ?? '');
    // That one is what the command does instead of serving.
    const options = flags.filter((flag) => flag !== 'check');
    expect(options.length).toBeGreaterThan(12);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    for (const option of options) {
      expect(flat).toContain(`env: LOADOUT_${option.toUpperCase().replaceAll('-', '_')}`);
    }
  });

  it('ends well when the reader of its output has gone', () => {
    const command = `{ "$NODE" "$LOADOUT" --help; echo "code $?" >&2; } | true`;
    const env = { ...process.env, NODE: process.execPath, LOADOUT: loadoutProgram };
    const { stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
    expect(stderr).toBe('code 0\n');
  });

  it('knows its version', async () => {
    expect(await spawnLoadout(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  });
});

describe('wrong usage ends with 2 and says what is wrong', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['no command', [], /Usage: loadout/],
    ['a noun without a verb', ['content'], /Usage: loadout content/],
    ['an unknown command', ['contents'], /unknown command 'contents'.*\n.*content/],
    ['an unknown option', ['env', 'list', '--yaml'], /unknown option '--yaml'/],
    ['a missing argument', ['content', 'get', '--env', 'a'], /missing required argument 'content'/],
    ['too many arguments', ['env', 'get', 'a', 'b'], /too many arguments/],
    [
      'no environment',
      ['content', 'list'],
      /^error: Name the environment with --env \(or LOADOUT_ENV\)/,
    ],
    ['a port that is none', ['serve', '--port', '80a'], /whole number from 0 to 65535/],
    ['one port for two', ['serve', '--port', '9', '--admin-port', '9'], /must differ/],
    ['half of TLS', ['serve', '--tls-cert', 'cert.pem'], /belong together/],
    ['a level that is none', ['serve', '--log-level', 'loud'], /Allowed choices are trace/],
    [
      'a version of two parts',
      ['content', 'get', 'a', '--env', 'e', '--app-version', '1.2'],
      /X\.Y\.Z/,
    ],
    [
      'a time that is none',
      ['key', 'create', '--env', 'e', '--expires', 'soon'],
      /from now such as 15m, 2h, 3d/,
    ],
    ['a path for a name', ['content', 'delete', '..', '--env', 'e'], /"\.\." is not a name/],
    [
      'nothing to change',
      ['env', 'update', 'e'],
      /give --name, --protected, --review, --confirm or --traffic/,
    ],
    ['sync from itself', ['sync', 'a', 'a'], /must differ/],
    ['an address that is none', ['env', 'list', '--url', 'localhost:8081'], /an address such as/],
  ])('%s', async (_name, args, message) => {
    const ran = await spawnLoadout(args);
    expect(ran.stderr).toMatch(message);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
  });

  it('also from the environment, naming the variable', async () => {
    const ran = await spawnLoadout(['serve'], { env: { LOADOUT_ADMIN_PORT: 'many' } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("from env 'LOADOUT_ADMIN_PORT' is invalid");
  });

  it('and never takes the owner token as a flag', async () => {
    const ran = await spawnLoadout(['serve', '--admin-token', 'secret']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("unknown option '--admin-token'");
  });

  it('refuses to fill a folder that holds something', async () => {
    writeFileSync(join(folder, 'keep.txt'), 'mine');
    const ran = await spawnLoadout(['demo', '--data', folder]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is not empty');
  });
});

describe('failures end with 1', () => {
  it('says which address does not answer, and what to do', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const ran = await spawnLoadout(['env', 'list'], { env: { LOADOUT_URL: url } });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`Nothing listens at ${url}. Start \`loadout serve\``);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a file that is not there or not UTF-8, before it asks a server', async () => {
    const put = ['content', 'put', 'shop', '--env', 'staging'];
    const missing = await spawnLoadout([...put, join(folder, 'none.jsonc')]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('there is no such file');
    const latin = join(folder, 'latin.jsonc');
    writeFileSync(latin, Buffer.from([0x22, 0xfc, 0x22]));
    const wrong = await spawnLoadout([...put, latin]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('is not UTF-8 (line 1). Save it as UTF-8.');
  });

  it('refuses a mapping file that is not JSON, with its line and column', async () => {
    const mapping = join(folder, 'mapping.jsonc');
    writeFileSync(mapping, '[\n  { "segment": "a", "when": {} // fine\n  oops\n]');
    const args = ['content', 'put', 'shop', '--env', 'staging', '--mapping', mapping];
    const ran = await spawnLoadout(args);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/mapping\.jsonc is not JSON: .*\(line 3, column 3\)/);
  });
});
