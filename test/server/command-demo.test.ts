/** `loadout demo`: a newcomer's first minute. Every line it prints to paste is pasted here. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Answer, send } from '../support/exchange.js';
import { loadoutProgram, runLoadout } from '../support/run-loadout.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The folder for temporary files, so that what the demo leaves behind can be seen. */
const folder = mkdtempSync(join(tmpdir(), 'loadout-demo-test-'));

let demo: ChildProcess;
let stdout = '';
let stderr = '';

beforeAll(async () => {
  const flags = ['--port', '0', '--admin-port', '0', '--listeners', '1'];
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
  await eventually('the demo to be ready', 40_000, () => {
    if (demo.exitCode !== null) throw new Error(`the demo ended\n${stdout}\n${stderr}`);
    return /^ready$/m.test(stdout);
  });
});
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

describe('loadout demo', () => {
  it('prints addresses, the token and a key for each environment', () => {
    expect(printed('delivery')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
    expect(printed('console')).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]);
    expect(printed('token')).toHaveLength(1);
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

  it('can be edited at once with the commands', async () => {
    const url = (printed('console')[0] ?? '').replace(/\/$/, '');
    const env = { LOADOUT_URL: url, LOADOUT_TOKEN: printed('token')[0] ?? '' };
    const put = ['content', 'put', 'features', '-', '--env', 'production', '--no-mapping'];
    const ran = await runLoadout(put, { env, stdin: '{"edited":true}' });
    expect(ran).toMatchObject({ code: 0 });
    expect(await paste(lineFor('One content'))).toBe('{"edited":true}');
    const sync = ['sync', 'production', 'staging', 'features', '--yes', '--json'];
    expect(JSON.parse((await runLoadout(sync, { env })).stdout).changed).toHaveLength(1);
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
