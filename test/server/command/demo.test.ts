/** `loadout demo`: a newcomer's first minute. Every line it prints to paste is pasted here. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { loadoutProgram, spawnLoadout } from '../../support/server/run-loadout.js';
import { type Answer, send } from '../../support/wire/exchange.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The folder for temporary files, so that what the demo leaves behind can be seen. */
const folder = mkdtempSync(join(tmpdir(), 'loadout-demo-test-'));

/** Some four seconds, where the machine has nothing else to do. */
const startMsMax = 90_000;

const anyPorts = ['--port', '0', '--admin-port', '0', '--game-port', '0'];

let demo: ChildProcess;
let stdout = '';
let stderr = '';
let stderrWhenReady = '';

beforeAll(async () => {
  const flags = [...anyPorts, '--listeners', '1'];
  demo = spawn(process.execPath, [loadoutProgram, 'demo', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: folder },
  });
  demo.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  demo.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  await eventually('the demo to be ready', startMsMax, () => {
    if (demo.exitCode !== null) throw new Error(`the demo ended\n${stdout}\n${stderr}`);
    return /^ready$/m.test(stdout);
  });
  stderrWhenReady = stderr;
}, startMsMax + 5_000);
afterAll(() => {
  demo.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function printed(label: string): string[] {
  return [...stdout.matchAll(new RegExp(`^${label} +(\\S+)`, 'gm'))].map((match) => match[1] ?? '');
}

/** The curl line under the remark that begins with `shows`. */
function lineFor(shows: string): string {
  const lines = stdout.split('\n');
  const line = lines[lines.findIndex((other) => other.startsWith(`# ${shows}`)) + 1];
  if (line === undefined || !line.startsWith('curl ')) throw new Error(`no line shows: ${shows}`);
  return line;
}

async function paste(line: string): Promise<string> {
  if (hasCurl) {
    const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
    });
    const [code] = await once(shell, 'close');
    expect(code).toBe(0);
    return output;
  }
  return (await sendLine(line)).text;
}

/** What curl would send, for machines without it. */
function sendLine(line: string): Promise<Answer> {
  const [url = '', ...rest] = [...line.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
  const pairs = rest.filter((text) => /^[\w-]+: /.test(text)).map((text) => text.split(': '));
  const body = / -d '([^']*)'/.exec(line)?.[1];
  const { origin } = new URL(url);
  return send(origin, url.slice(origin.length), {
    method: line.includes('-X POST') ? 'POST' : 'GET',
    headers: Object.fromEntries(pairs),
    ...(body === undefined ? {} : { body }),
  });
}

/** In a file: the demo's standard output is no terminal. */
function ownerToken(): string {
  const [, file = ''] = /^token +in (.+): read it, then delete the file$/m.exec(stdout) ?? [];
  return readFileSync(file, 'utf8').trim();
}

function adminUrl(): string {
  return (printed('console')[0] ?? '').replace(/\/$/, '');
}

async function adminText(path: string, token = ownerToken()): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(adminUrl() + path, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
async function admin(path: string, token?: string): Promise<any> {
  return JSON.parse(await adminText(`/admin/v1/${path}`, token));
}

async function requestsAnswered(): Promise<number> {
  const text = await adminText('/metrics');
  const counts = text.matchAll(/^loadout_requests_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('what the demo opens on', () => {
  it('has contents that several people worked on, drafts and a deleted one', async () => {
    const { contents } = await admin('environments/staging/contents');
    const authors = new Set(contents.map(({ author }: { author: string }) => author));
    expect(authors.size).toBeGreaterThanOrEqual(3);
    const found = (id: string) => contents.find((content: { id: string }) => content.id === id);
    expect(found('economy')).toMatchObject({ live: 6, newest: 7, author: 'Mei Tanaka' });
    expect(found('arena')).toMatchObject({ live: null, newest: 1 });
    const gone = await admin('environments/staging/contents?deleted=true');
    expect(gone.contents).toMatchObject([{ id: 'winter-sale', deletedBy: 'Tomás Ferreira' }]);
    const { revisions } = await admin('environments/staging/contents/economy/revisions');
    expect(revisions.map(({ note }: { note: string }) => note)).toContain(
      'Rolled back to revision 3.',
    );
    const days = (Date.now() - Date.parse(revisions.at(-1).createdAt)) / 86_400_000;
    expect(days).toBeGreaterThan(20);
    expect((await admin('environments/staging/contents/shop')).schema).toMatchObject({
      type: 'object',
    });
  });

  it('has a protected production that staging is ahead of, and an edit there that a sync would cover', async () => {
    expect(await admin('environments/production')).toMatchObject({ protected: true });
    const headers = {
      authorization: `Bearer ${ownerToken()}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ from: 'staging', dryRun: true });
    const path = '/admin/v1/environments/production/sync';
    const response = await fetch(adminUrl() + path, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
    const report = (await response.json()) as any;
    expect(report.added).toMatchObject([{ id: 'guilds' }]);
    expect(report.changed.length).toBeGreaterThanOrEqual(3);
    expect(report.changed).toContainEqual(
      expect.objectContaining({ id: 'matchmaking', conflict: true }),
    );
    const { events } = await admin('audit?action=environment.sync');
    expect(events).toHaveLength(5);
  });

  it('has webhooks that work, that fail and that are off', async () => {
    const { webhooks } = await admin('webhooks');
    expect(webhooks).toHaveLength(4);
    expect(webhooks.map(({ failures }: { failures: number }) => failures > 0)).toContain(true);
    expect(JSON.stringify(webhooks)).toContain('410 Gone');
    const statuses = new Set<string>();
    for (const { id } of webhooks) {
      for (const { status, attempts } of (await admin(`webhooks/${id}/deliveries`)).deliveries) {
        statuses.add(`${status}${status === 'delivered' && attempts > 1 ? ' later' : ''}`);
      }
    }
    expect([...statuses].sort()).toEqual(['delivered', 'delivered later', 'failed', 'pending']);
  });

  it('has keys of every state, segments in use and not, tests, sample users', async () => {
    const { keys } = await admin('environments/production/keys');
    const now = new Date().toISOString();
    expect(keys.some(({ revokedAt }: { revokedAt: string | null }) => revokedAt !== null)).toBe(
      true,
    );
    const expiries = keys.flatMap(({ expiresAt }: { expiresAt: string | null }) => expiresAt ?? []);
    expect(expiries.some((at: string) => at < now)).toBe(true);
    expect(expiries.some((at: string) => at > now)).toBe(true);
    const { segments } = await admin('environments/staging/segments');
    const uses = segments.map(({ usedBy }: { usedBy: string[] }) => usedBy.length);
    expect([Math.min(...uses), Math.max(...uses) > 1]).toEqual([0, true]);
    const { tests } = await admin('environments/production/tests');
    expect(tests.filter(({ salt }: { salt: string | null }) => salt === null)).toHaveLength(2);
    for (const env of ['staging', 'production']) {
      const { sampleUsers } = await admin(`environments/${env}/sample-users`);
      expect(sampleUsers.length).toBeGreaterThanOrEqual(5);
    }
  });

  it('has an experiment that wins, one without a decision and one whose split is broken', async () => {
    const resultsOf = async (id: string) => {
      const results = await admin(`environments/production/experiments/${id}/results`);
      const [{ comparisons }] = results.metrics;
      const verdicts = comparisons.map(({ verdict }: { verdict: string }) => verdict);
      return { phase: results.phase, health: results.health.status, verdicts };
    };
    expect(await resultsOf('level-12-moves')).toEqual({
      ...{ phase: 1, health: 'ok', verdicts: ['better', 'no_decision'] },
    });
    expect(await resultsOf('navigator-price')).toEqual({
      // Its metric is revenue, which any client can report.
      ...{ phase: 1, health: 'warning', verdicts: ['no_decision', 'no_decision'] },
    });
    expect(await resultsOf('push-hour')).toMatchObject({ phase: 1, health: 'broken' });
    const path = 'environments/production/experiments/level-12-moves/results?segment=country';
    const countries = (await admin(path)).segments.map(({ value }: { value: string }) => value);
    expect(countries).toContain('US');
    const { experiments } = await admin('environments/production/experiments?state=draft');
    expect(experiments).toMatchObject([{ id: 'hero-first' }]);
  });

  it('lets somebody sign in as an editor or a viewer, too', async () => {
    expect(await admin('me', printed('editor')[0])).toMatchObject({ role: 'editor' });
    expect(await admin('me', printed('viewer')[0])).toMatchObject({ role: 'viewer' });
  });
});

describe('loadout demo', () => {
  it('logs no warning before it is ready', () => {
    expect(stderrWhenReady).not.toMatch(/^\{/m);
  });

  it("prints addresses, where the owner's token is, and a key for each environment", () => {
    expect(printed('delivery')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
    expect(printed('console')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
    expect(printed('game')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
    expect(printed('token')).toHaveLength(1);
    expect(stdout).not.toContain(ownerToken());
    expect(new Set([...printed('editor'), ...printed('viewer')]).size).toBe(2);
    expect(new Set(printed('key')).size).toBe(2);
    expect(stdout).toMatch(/\nready\n$/);
  });

  it('prints only lines that work', async () => {
    const lines = stdout.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      const answer = JSON.parse(await paste(line));
      expect(answer).not.toHaveProperty('status');
      expect(Object.keys(answer).length).toBeGreaterThan(0);
    }
  });

  it('shows a content as it is, without its comments and with its numbers', async () => {
    const text = await paste(lineFor('One content'));
    expect(text).toContain('"buildChannelId":9007199254740993');
    expect(text).toContain('"sampleRate":0.10');
    expect(text).not.toContain('Read once at start-up');
  });

  it('shows two players whose shops differ, in the same revision', async () => {
    const one = JSON.parse(await paste(lineFor('The shop of a new player')));
    const other = JSON.parse(await paste(lineFor('The same shop')));
    expect(one.hash).toBe(other.hash);
    expect(one.data).not.toEqual(other.data);
    const names = (answer: typeof one) => answer.meta.seg.map((seg: { n: string }) => seg.n);
    expect(names(one)).toEqual(['new-players', 'eu-players', 'navigator-price']);
    expect(names(other)).toEqual(['whales', 'navigator-price']);
  });

  it('shows the older line to an older client', async () => {
    const { data } = JSON.parse(await paste(lineFor('An older client')));
    expect(data.regions).toEqual(['us', 'eu', 'asia']);
  });

  it('shows several contents in one call, a missing one among them, and an open window', async () => {
    const answer = JSON.parse(await paste(lineFor('Several contents')));
    expect(Object.keys(answer)).toEqual(['features', 'events', 'no-such-content']);
    expect(answer.events.data.limited.id).toBe('lantern-festival');
    expect(answer['no-such-content']).toMatch(/^Error 404, /);
  });

  it('shows a catalog of at least eight contents', async () => {
    const { catalog } = JSON.parse(await paste(lineFor('What there is')));
    expect(Object.keys(catalog).length).toBeGreaterThanOrEqual(8);
    expect(catalog.levels).toEqual({ h: expect.stringMatching(/^[0-9a-f]{16}$/), d: true });
  });

  it('keeps up a load of made-up players', async () => {
    const before = await requestsAnswered();
    await eventually('players', 10_000, async () => (await requestsAnswered()) > before + 50);
  });

  it('has players who report what they see and do, and nothing that the server refuses', async () => {
    const reported = async (): Promise<string[]> => {
      const text = await adminText('/metrics');
      return [
        ...text.matchAll(/^loadout_requests_total\{.*endpoint="events",status="(\d+)"/gm),
      ].map(([, status]) => status ?? '');
    };
    await eventually('a report', 30_000, async () => (await reported()).length > 0);
    expect(await reported()).toEqual(['202']);
  });

  it('can be edited at once with the commands', async () => {
    const env = { LOADOUT_URL: adminUrl(), LOADOUT_TOKEN: ownerToken() };
    const put = ['content', 'put', 'features', '-', '--env', 'production', '--no-mapping'];
    const ran = await spawnLoadout(put, { env, stdin: '{"edited":true}' });
    expect(ran).toMatchObject({ code: 0 });
    expect(await paste(lineFor('One content'))).toBe('{"edited":true}');
    const sync = ['sync', 'production', 'staging', 'features', '--yes', '--json'];
    expect(JSON.parse((await spawnLoadout(sync, { env })).stdout).changed).toHaveLength(1);
  });

  describe('serves a browser game', () => {
    const gameOrigin = (): string => (printed('game')[0] ?? '').replace(/\/$/, '');

    it('with its own scripts, the kit and a connection to the delivery port, and no more', async () => {
      const page = await send(gameOrigin(), '/', {});
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self' ${printed('delivery')[0]}`,
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      const kit = await send(gameOrigin(), '/loadout-client.js', {});
      expect(kit.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(kit.text).toContain('createClient');
    });

    it('with the key of staging, and nothing secret', async () => {
      const settings = await send(gameOrigin(), '/settings.json', {});
      expect(JSON.parse(settings.text)).toEqual({
        url: printed('delivery')[0],
        key: printed('key')[1],
        environment: 'staging',
      });
    });

    it.each([
      ['GET', '/no-such-file.js', 404],
      ['GET', '/../loadout.js', 404],
      ['GET', '/..%2floadout.js', 404],
      ['GET', '//etc/passwd', 404],
      ['GET', '/index.html/..', 404],
      ['POST', '/', 405],
    ])('and answers %s %s with %d', async (method, path, status) => {
      const answer = await send(gameOrigin(), path, { method });
      expect([answer.status, answer.text]).toEqual([status, '']);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    });

    it('and gives heads without bodies', async () => {
      const head = await send(gameOrigin(), '/game.js', { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
    });
  });

  it('ends with 0 on SIGTERM and leaves nothing behind', async () => {
    expect(readdirSync(folder).filter((name) => name.startsWith('loadout-demo-'))).toHaveLength(1);
    demo.kill('SIGTERM');
    const [code] = demo.exitCode === null ? await once(demo, 'close') : [demo.exitCode];
    expect(code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('loadout-demo-'))).toEqual([]);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('a demo on every address', () => {
  it(
    'leads its game to the delivery port by the name that led to the game',
    async () => {
      const flags = [...anyPorts, '--listeners', '1', '--no-players', '--host', '0.0.0.0'];
      const child = spawn(process.execPath, [loadoutProgram, 'demo', ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], TMPDIR: folder },
        timeout: startMsMax,
        killSignal: 'SIGKILL',
      });
      let said = '';
      for await (const piece of child.stdout.setEncoding('utf8')) {
        said += piece;
        if (/^ready$/m.test(said)) break;
      }
      const game = /^game +(\S+)\/$/m.exec(said)?.[1] ?? '';
      const port = /^delivery +\S+:(\d+)$/m.exec(said)?.[1];
      for (const [host, url] of [
        ['tablet.example:8082', `http://tablet.example:${port}`],
        ['x;script-src *:8082', `http://127.0.0.1:${port}`],
      ] as const) {
        const settings = await send(game, '/settings.json', { headers: { host } });
        expect(JSON.parse(settings.text).url).toBe(url);
        expect(settings.headers['content-security-policy']).toMatch(
          new RegExp(`; connect-src 'self' ${url}$`),
        );
      }
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([0, null]);
    },
    startMsMax + 5_000,
  );
});

describe('a demo that does not come to be', () => {
  it('says which ports must differ', async () => {
    const data = join(folder, 'same-ports');
    for (const flags of [
      ['--port', '8083', '--game-port', '8083'],
      ['--admin-port', '8083', '--game-port', '8083'],
    ]) {
      const ran = await spawnLoadout(['demo', '--data', data, ...flags]);
      const stderr = expect.stringContaining(
        '--game-port must differ from --port and --admin-port.',
      );
      expect(ran).toMatchObject({ code: 2, stderr });
      expect(existsSync(data)).toBe(false);
    }
  });

  it('leaves an empty folder empty when its start is refused, so that the next try may use it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const data = join(folder, 'data');
    mkdirSync(data);
    const ports = ['--port', '0', '--game-port', '0', '--admin-port'];
    const noCertificate = ['--tls-cert', '/no/such.pem', '--tls-key', '/no/such.pem'];
    for (const [flags, reason] of [
      [
        [...ports, '0', ...noCertificate],
        '--tls-cert /no/such.pem cannot be read: there is no such file.',
      ],
      [[...ports, String(port)], `Port ${port} on 127.0.0.1 (admin) is served by another process`],
      [
        [...ports, '0', '--game-port', String(port)],
        `Port ${port} on 127.0.0.1 (game) is served by another process`,
      ],
    ] as const) {
      const ran = await spawnLoadout(['demo', '--data', data, ...flags]);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
      expect(readdirSync(data)).toEqual([]);
    }
    taken.close();
  });

  it(
    'ends when it is interrupted while it still says how to use it',
    async () => {
      const flags = [...anyPorts, '--listeners', '1'];
      const child = spawn(process.execPath, [loadoutProgram, 'demo', ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: process.env['PATH'], TMPDIR: folder },
        timeout: startMsMax,
        killSignal: 'SIGKILL',
      });
      // Its first line: the server runs, and no player has come yet.
      child.stdout.once('data', () => child.kill('SIGTERM'));
      child.stdout.resume();
      expect(await once(child, 'close')).toEqual([0, null]);
    },
    startMsMax + 5_000,
  );
});
