/** `login`, `logout`, `profile`, `whoami`, `status`, `api` and `open` against a real server. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  CommandLine,
  type Ran,
  runLoadout,
  spawnLoadout,
} from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let home: string;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  const owner = new CommandLine(server);
  await owner.run(['env', 'create', 'dev']);
  await owner.run(['content', 'put', 'shop', '-', '--env', 'dev'], { stdin: '{"price":1.10}' });
});
beforeEach(() => {
  home = makeDataFolder();
});

const configPath = () => join(home, 'loadout', 'config.json');

function loadout(
  args: readonly string[],
  more: Parameters<typeof runLoadout>[1] = {},
): Promise<Ran> {
  return runLoadout(args, { ...more, env: { XDG_CONFIG_HOME: home, ...more.env } });
}

async function logIn(...more: string[]): Promise<void> {
  const ran = await loadout(['login', '--url', server.adminUrl, ...more], { stdin: ownerToken });
  expect(ran).toMatchObject({ code: 0 });
}

describe('loadout login', () => {
  it('asks for the address and the token at a terminal, and shows no token', async () => {
    const typed = `${server.adminUrl}/\n${ownerToken}`;
    const ran = await loadout(['login'], { typed });
    expect(ran).toMatchObject({
      code: 0,
      stdout: `Logged in to ${server.adminUrl} as owner (owner).\n`,
    });
    expect(ran.stderr).toContain('Token (not shown): \n');
    expect(ran.stderr).not.toContain(ownerToken);
    expect(statSync(configPath()).mode & 0o777).toBe(0o600);
    const list = await loadout(['env', 'list']);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('dev') });
  });

  it('takes the token from a file or from standard input', async () => {
    const tokenFile = join(home, 'token');
    writeFileSync(tokenFile, `${ownerToken}\n`);
    const args = ['login', '--url', server.adminUrl, '--profile', 'ci', '--token-file', tokenFile];
    expect(await loadout(args)).toMatchObject({ code: 0 });
    await logIn();
    const { stdout } = await loadout(['profile', 'list', '--json']);
    expect(JSON.parse(stdout).profiles).toEqual([
      { name: 'ci', url: server.adminUrl, current: false },
      { name: 'default', url: server.adminUrl, current: true },
    ]);
    expect(stdout).not.toContain(ownerToken);
  });

  it('takes no token as an argument, and does not repeat it', async () => {
    const ran = await loadout(['login', 'lot_seen-by-others']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('--token-file');
    expect(ran.stderr).not.toContain('lot_seen-by-others');
  });

  it('stores nothing that the server does not know', async () => {
    const ran = await loadout(['login', '--url', server.adminUrl], { stdin: 'lot_unknown' });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(
      `error: The token is not known at ${server.adminUrl}. Nothing was stored.\n`,
    );
    expect(() => statSync(configPath())).toThrow('ENOENT');
  });

  it('does not replace the profile of another server unasked', async () => {
    await logIn();
    const before = readFileSync(configPath(), 'utf8');
    const args = ['login', '--url', 'http://127.0.0.1:1'];
    const ran = await loadout(args, { stdin: ownerToken });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`The profile default is of ${server.adminUrl}.`);
    expect(readFileSync(configPath(), 'utf8')).toBe(before);
  });

  it('is undone by logout, after which commands have no token', async () => {
    await logIn();
    expect(await loadout(['logout'])).toMatchObject({ code: 0 });
    expect(readFileSync(configPath(), 'utf8')).not.toContain(ownerToken);
    const list = await loadout(['env', 'list', '--url', server.adminUrl]);
    expect(list).toMatchObject({ code: 1, stderr: expect.stringContaining('`loadout login`') });
    expect(await loadout(['logout'])).toMatchObject({ code: 1 });
  });
});

describe('a profile', () => {
  it('is named by the message when its token was revoked', async () => {
    await logIn('--profile', 'old');
    const stored = readFileSync(configPath(), 'utf8').replace(ownerToken, 'lot_revoked');
    writeFileSync(configPath(), stored);
    const ran = await loadout(['env', 'list']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('The token of profile old is not known at');
    expect(ran.stderr).not.toContain('lot_revoked');
  });

  it('can be changed, for one command or from now on', async () => {
    await logIn();
    await logIn('--profile', 'other');
    const whoami = async (...more: string[]) => (await loadout(['whoami', ...more])).stdout;
    expect(await whoami()).toMatch(/^profile +other$/m);
    expect(await whoami('--profile', 'default')).toMatch(/^profile +default$/m);
    expect(await loadout(['profiles', 'use', 'default'])).toMatchObject({ code: 0 });
    expect(await whoami()).toMatch(/^user +owner\nrole +owner\nenvironments +all$/m);
    const both = await loadout(['whoami', '--profile', 'other', '--url', server.adminUrl]);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
    await loadout(['profile', 'remove', 'default']);
    expect((await loadout(['profile', 'list'])).stdout).not.toMatch(/^default|yes/m);
  });

  it('is not read while others may read it', async () => {
    await logIn();
    chmodSync(configPath(), 0o644);
    const ran = await loadout(['env', 'list']);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') });
  });
});

describe('loadout status', () => {
  it('shows the server, its nodes and its environments, in colours on request only', async () => {
    await logIn();
    const plain = await loadout(['status']);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toMatch(
      /^Loadout 0\.1\.0 at http.* \(profile default\): healthy, sequence \d+\n/,
    );
    expect(plain.stdout).toMatch(/^dev +no +1 of 1 +0 +0 +0$/m);
    const coloured = await loadout(['status'], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\u001b[32mhealthy\u001b[39m');
    const without = await loadout(['status'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(without.stdout).not.toContain('\u001b');
    const { stdout } = await loadout(['status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: '0.1.0',
      state: 'healthy',
      nodes: [{ self: true }],
      environments: [{ id: 'dev', contents: { live: 1 }, releases: [] }],
    });
  });
});

describe('loadout api', () => {
  it('prints the body as it is', async () => {
    await logIn();
    const path = 'environments/dev/contents/shop';
    expect((await loadout(['api', 'get', path])).stdout).toContain('{\\"price\\":1.10}');
    const limited = await loadout([
      'api',
      'GET',
      'environments/dev/contents',
      '--field',
      'limit=1',
    ]);
    expect(JSON.parse(limited.stdout).contents).toHaveLength(1);
    const ready = await loadout(['api', 'GET', '/readyz']);
    expect(JSON.parse(ready.stdout)).toMatchObject({ ready: true });
    expect((await loadout(['api', path])).stdout).toContain('{\\"price\\":1.10}');
    for (const words of [['GET'], ['fetch', path]]) {
      expect(await loadout(['api', ...words])).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('sends fields, a file or standard input', async () => {
    await logIn();
    const made = await loadout([
      'api',
      'post',
      'environments',
      '--field',
      'id=raw',
      '--field',
      'protected=true',
      '--field',
      'name="7"',
    ]);
    expect(JSON.parse(made.stdout)).toMatchObject({ id: 'raw', protected: true, name: '7' });
    const edit = ['api', 'PATCH', 'environments/raw', '--body', '-'];
    const edited = await loadout(edit, { stdin: '{"protected":false, // for now\n}' });
    expect(JSON.parse(edited.stdout)).toMatchObject({ protected: false });
    expect(await loadout(['api', 'delete', 'environments/raw'])).toMatchObject({ code: 0 });
  });

  it('ends with 1 and says the problem on stderr', async () => {
    await logIn();
    const ran = await loadout(['api', 'GET', 'environments/none']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(
      'error: Not Found: There is no environment "none".\n  `loadout env list` lists those that there are.\n',
    );
  });

  it('sends the token nowhere else', async () => {
    const asked: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(307, { location: `${server.adminUrl}/admin/v1/me` }).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await logIn();
    for (const path of [`${url}/admin/v1/me`, 'http://[', `${server.adminUrl}.example/`]) {
      const ran = await loadout(['api', 'GET', path]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
    }
    expect(asked).toEqual([]);
    const redirected = await loadout(['api', 'GET', 'me', '--url', url]);
    expect(redirected).toMatchObject({ code: 1, stdout: '' });
    expect(redirected.stderr).toContain('(307): that is not followed');
    expect(asked).toEqual([undefined]);
  });
});

describe('loadout open', () => {
  it.each<[string[], string]>([
    [[], '/'],
    [['--env', 'dev'], '/env/dev'],
    [['shop', '--env', 'dev'], '/env/dev/contents/shop'],
    [['--env', 'dev', '--segment', 'big spenders'], '/env/dev/segments/big%20spenders'],
    [['--env', 'dev', '--release', '3'], '/env/dev/releases/3'],
  ])('with %j prints the address', async (args, path) => {
    await logIn();
    const ran = await loadout(['open', ...args]);
    expect(ran).toEqual({ code: 0, stdout: `${server.adminUrl}${path}\n`, stderr: '' });
  });

  it('is wrong usage without the environment of a content, or with two things to show', async () => {
    expect(await loadout(['open', 'shop'])).toMatchObject({ code: 2 });
    expect(await loadout(['open', 'shop', '--release', '1', '--env', 'dev'])).toMatchObject({
      code: 2,
    });
  });
});

it('says so when the address is that of the delivery port', async () => {
  const env = { LOADOUT_URL: server.deliveryUrl, LOADOUT_TOKEN: ownerToken };
  const ran = await spawnLoadout(['content', 'list', '--env', 'dev'], { env });
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('is the delivery port');
  expect(ran.stderr).toContain('http://127.0.0.1:8081');
});
