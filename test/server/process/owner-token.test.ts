/** The owner's token of a first start: printed for a person, in a file where nobody sees it; and the form of a start's lines. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { childrenOf, isAlive } from '../../support/server/process-tree.js';
import { loadoutProgram } from '../../support/server/run-loadout.js';
import { makeDataFolder } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const startMsMax = 60_000;
const tokenForm = /lot_[A-Za-z0-9_-]{27}/;

const running = new Set<Started>();
afterEach(async () => {
  const pids = [...running].flatMap(({ child }) => treeOf(child.pid ?? 0));
  await Promise.all([...running].map(end));
  expect(pids.filter(isAlive)).toEqual([]);
});

/** The process and all below it. */
function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

interface Started {
  readonly child: ChildProcess;
  /** Whether a wrapper passes its standard input to the terminal of the server. */
  readonly onTerminal: boolean;
  readonly closed: Promise<unknown>;
  /** All that it has written to standard output, or to where both of its streams go. */
  stdout(): string;
  stderr(): string;
}

interface How {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Both streams go to this file. */
  readonly log?: string;
  /** A program that runs the command line behind its own, on a terminal. */
  readonly wrapper?: readonly string[];
}

/** `loadout serve` without a given token; waits until it says in either form that it is ready. */
async function start(data: string, how: How = {}): Promise<Started> {
  const ports = ['--host', '127.0.0.1', '--port', '0', '--admin-port', '0', '--listeners', '1'];
  const serve = [loadoutProgram, 'serve', ...ports, '--data', data, ...(how.flags ?? [])];
  const [program = '', ...args] = [...(how.wrapper ?? []), process.execPath, ...serve];
  const file = how.log === undefined ? null : openSync(how.log, 'a');
  const env = { PATH: process.env['PATH'], HOME: data, ...how.env };
  const stdio = file === null ? 'pipe' : (['ignore', file, file] as const);
  const child = spawn(program, args, { env, stdio: stdio as 'pipe' });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (piece: string) => {
      said[stream] += piece;
    });
  }
  const started: Started = {
    child,
    onTerminal: how.wrapper !== undefined,
    closed: once(child, 'close'),
    stdout: () => (how.log === undefined ? said.stdout : readFileSync(how.log, 'utf8')),
    stderr: () => said.stderr,
  };
  running.add(started);
  await eventually('ready', startMsMax, () => {
    if (child.exitCode !== null) throw new Error(`${started.stdout()}\n${said.stderr}`);
    return /^ready\r?$|"event":"ready"/m.test(started.stdout());
  });
  return started;
}

/** On a terminal with Ctrl-C: a server outlives a wrapper that is killed, because a hangup asks it to reload. */
async function end(started: Started): Promise<void> {
  if (started.onTerminal) started.child.stdin?.end('\u0003');
  else started.child.kill('SIGTERM');
  await started.closed;
  running.delete(started);
}

/** The role of the token at the server that said where its console is. */
async function roleOf(started: Started, token: string): Promise<string> {
  const url = /console +(http:\S+)\//.exec(started.stdout())?.[1] ?? '';
  const headers = { authorization: `Bearer ${token}` };
  const { status, json } = await send(url, '/admin/v1/me', { headers });
  return status === 200 ? json.role : `${status}`;
}

const fileIn = (data: string): string => join(data, 'owner-token');

describe("the owner's token, where standard output is no terminal,", { timeout: 90_000 }, () => {
  it('is in a file that only the server can read, and neither printed nor logged', async () => {
    const data = makeDataFolder();
    const server = await start(data, { flags: ['--log-level', 'trace'] });
    const text = readFileSync(fileIn(data), 'utf8');
    expect(text).toMatch(/^lot_[A-Za-z0-9_-]{27}\n$/);
    expect(statSync(fileIn(data)).mode & 0o777).toBe(0o600);
    expect(await roleOf(server, text.trim())).toBe('owner');
    const said = server.stdout() + server.stderr();
    expect(said).not.toMatch(tokenForm);
    expect(server.stdout()).toMatch(
      new RegExp(`^token     in ${fileIn(data)}: read it, then delete the file$`, 'm'),
    );
  });

  it("is the operator's to delete: no later start misses it, or makes another", async () => {
    const data = makeDataFolder();
    const first = await start(data);
    const token = readFileSync(fileIn(data), 'utf8').trim();
    await end(first);
    const second = await start(data);
    expect(readFileSync(fileIn(data), 'utf8').trim()).toBe(token);
    expect(second.stdout()).not.toMatch(/^token/m);
    await end(second);
    rmSync(fileIn(data));
    const third = await start(data);
    expect(existsSync(fileIn(data))).toBe(false);
    expect(await roleOf(third, token)).toBe('owner');
  });

  it('takes the place of what an earlier store left, and is not written through a link', async () => {
    const data = makeDataFolder();
    const target = join(makeDataFolder(), 'target');
    writeFileSync(target, 'as it was');
    symlinkSync(target, fileIn(data));
    const server = await start(data);
    expect(readFileSync(target, 'utf8')).toBe('as it was');
    expect(await roleOf(server, readFileSync(fileIn(data), 'utf8').trim())).toBe('owner');
  });

  it('that cannot be kept is not made: the next start makes one', async () => {
    const data = makeDataFolder();
    mkdirSync(fileIn(data));
    await expect(start(data)).rejects.toThrow(/error: The owner's token cannot be written to \S+;/);
    rmSync(fileIn(data), { recursive: true });
    const server = await start(data);
    expect(await roleOf(server, readFileSync(fileIn(data), 'utf8').trim())).toBe('owner');
  });

  it('is not made where LOADOUT_ADMIN_TOKEN gives one', async () => {
    const data = makeDataFolder();
    const server = await start(data, { env: { LOADOUT_ADMIN_TOKEN: 'given-token-0123456789' } });
    expect(existsSync(fileIn(data))).toBe(false);
    expect(server.stdout()).not.toMatch(/^token/m);
  });
});

describe.skipIf(!hasPython)('on a terminal', { timeout: 90_000 }, () => {
  it("the owner's token is printed, and in no file", async () => {
    const data = makeDataFolder();
    // Both streams are one terminal; what it shows comes out of the wrapper's standard output.
    const pty = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
    const server = await start(data, { wrapper: ['python3', '-c', pty] });
    const token = /^token +(\S+)\r?$/m.exec(server.stdout())?.[1] ?? '';
    expect(token).toMatch(tokenForm);
    expect(await roleOf(server, token)).toBe('owner');
    expect(existsSync(fileIn(data))).toBe(false);
  });
});

describe('the lines of a start', { timeout: 90_000 }, () => {
  const events = ['delivery_listening', 'console_listening', 'owner_token_saved', 'ready'];

  function eventsOf(text: string): Record<string, unknown>[] {
    const lines = text.trim().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return parsed.filter(({ event }) => events.includes(String(event)));
  }

  it('are lines of the log where they go to the same place, as in a journal', async () => {
    const data = makeDataFolder();
    const server = await start(data, { log: join(makeDataFolder(), 'log') });
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/?$/);
    expect(eventsOf(server.stdout())).toEqual([
      expect.objectContaining({ level: 30, event: 'delivery_listening', url, process: 'control' }),
      expect.objectContaining({ event: 'console_listening', url, time: expect.any(Number) }),
      expect.objectContaining({ event: 'owner_token_saved', file: fileIn(data) }),
      expect.objectContaining({ event: 'ready' }),
    ]);
    expect(server.stdout()).not.toMatch(tokenForm);
  });

  it('are text for a script that reads them, unless it says otherwise', async () => {
    const text = await start(makeDataFolder());
    const labels = text
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(labels).toEqual(['delivery', 'console', 'token', 'ready']);
    const json = await start(makeDataFolder(), { flags: ['--start-lines', 'json'] });
    expect(eventsOf(json.stdout()).map(({ event }) => event)).toEqual(events);
  });

  it('are text in a log, too, for who asks for it', async () => {
    const log = join(makeDataFolder(), 'log');
    const server = await start(makeDataFolder(), { log, env: { LOADOUT_START_LINES: 'text' } });
    expect(server.stdout()).toMatch(/^delivery {2}http:/m);
    expect(server.stdout()).toMatch(/^ready$/m);
  });
});
