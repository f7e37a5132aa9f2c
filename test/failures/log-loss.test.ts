/**
 * A log that cannot be written: the server goes on, its listeners are replaced, edits are taken, and lines that were lost
 * are counted. Method: standard error is a file on a small disk that is full, a pipe whose reader is gone or asleep, a
 * socket that nobody reads, a terminal that was closed.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { makeEnvironment } from '../support/server/environment.js';
import { childrenOf, isAlive, listenersOf } from '../support/server/process-tree.js';
import { loadoutProgram } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer, storeEnv } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { SmallDisk } from '../support/server/small-disk.js';
import { send } from '../support/wire/exchange.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';

// Several starts of a server: more than the default allows on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const probe = SmallDisk.mount(1);
probe?.unmount();
// In CI what is skipped would count as passed.
const hasPython =
  process.env['CI'] !== undefined || spawnSync('python3', ['--version']).status === 0;

let server: LoadoutServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

async function dropped(adminUrl: string, process: string): Promise<number> {
  const { text } = await send(adminUrl, '/metrics');
  const found = new RegExp(`^loadout_log_lines_dropped_total{process="${process}"} (\\d+)$`, 'm');
  return Number(found.exec(text)?.[1]);
}

/** Kills one delivery process, edits, and waits for the one that takes its place. */
async function liveThrough(running: LoadoutServer): Promise<void> {
  const game = await makeEnvironment(running);
  await game.put('shop', '1');
  const before = listenersOf(running.pid, running.deliveryPort);
  const killed = before[0] as number;
  process.kill(killed, 'SIGKILL');
  await game.put('shop', '2');
  await eventually('another listener', 15_000, () => {
    const now = listenersOf(running.pid, running.deliveryPort);
    return now.length === before.length && !now.includes(killed);
  });
  for (let n = 0; n < 8; n += 1) expect((await game.plain('shop')).text).toBe('2');
  expect((await send(running.adminUrl, '/readyz')).status).toBe(200);
}

describe('a log', () => {
  it.skipIf(probe === null)(
    'on a full disk loses lines, which are counted, until there is room',
    async () => {
      const disk = SmallDisk.mount(1) as SmallDisk;
      const path = join(disk.path, 'log');
      const stderr = openSync(path, 'a');
      try {
        server = await startServer({ stderr });
        disk.fill();
        // The last page of the file has some room yet.
        await eventually('a line was lost', 60_000, async () => {
          await liveThrough(server as LoadoutServer);
          return (await dropped((server as LoadoutServer).adminUrl, 'control')) > 0;
        });
        await liveThrough(server);
        const whole = readFileSync(path, 'utf8').split('\n').length;
        disk.empty();
        await liveThrough(server);
        const lines = readFileSync(path, 'utf8').split('\n');
        expect(lines.length).toBeGreaterThan(whole + 1);
        expect(lines.slice(0, -1).map((line) => JSON.parse(line).msg)).toContain(
          'a delivery process ended',
        );
      } finally {
        await server?.stop();
        closeSync(stderr);
        disk.unmount();
      }
    },
  );

  it('whose reader is gone loses lines, which are counted', async () => {
    const { reader, writer } = makePipe();
    server = await startServer({ stderr: writer });
    closeSync(writer);
    closeSync(reader);
    await liveThrough(server);
    await liveThrough(server);
    expect(await dropped(server.adminUrl, 'control')).toBeGreaterThan(0);
    // Of the delivery processes: that which document work they do.
    expect(await dropped(server.adminUrl, 'delivery')).toBeGreaterThan(0);
  });

  it('whose reader is asleep holds up nobody, and is whole when the reader wakes', async () => {
    const { reader, writer } = makePipe();
    const stuffed = stuff(writer);
    server = await startServer({ stderr: writer });
    closeSync(writer);
    await liveThrough(server);
    await liveThrough(server);
    let text = '';
    await eventually('the lines arrive', 10_000, () => {
      text += readNow(reader);
      return text.length > stuffed && text.slice(stuffed).includes('a delivery process ended');
    });
    for (const line of text.slice(stuffed).split('\n').slice(0, -1)) JSON.parse(line);
    closeSync(reader);
  });

  it('that is a socket nobody reads holds up nobody', async () => {
    const module = join(makeDataFolder(), 'standard-stream.mjs');
    const source = new URL('../../src/published/standard-stream.ts', import.meta.url).pathname;
    await build({ input: source, platform: 'node', output: { file: module } });
    const script = `
      const { standardStream } = await import('${module}');
      for (let n = 0; n < 20_000; n += 1) standardStream(2).write('x'.repeat(199) + '\\n');
      standardStream(1).write(standardStream(2).dropped.count + ' lost\\n');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' });
    try {
      const [said] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(20_000) });
      expect(Number.parseInt(String(said), 10)).toBeGreaterThan(10_000);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it.skipIf(!hasPython)('on a terminal that was closed ends nobody', async () => {
    const data = makeDataFolder();
    const { args, adminPort } = await serveArgs(data);
    // The server's standard error is a terminal whose other end is closed on the first byte of standard input.
    const wrapper = `
import os, pty, subprocess, sys
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stderr=slave, start_new_session=True)
os.close(slave)
sys.stdin.read(1)
os.close(master)
sys.stderr.write("closed %d\\n" % child.pid)
sys.exit(child.wait() & 127)`;
    const child = spawn('python3', ['-c', wrapper, process.execPath, ...args], {
      stdio: 'pipe',
      env: { ...process.env, LOADOUT_ADMIN_TOKEN: ownerToken, ...(await storeEnv(data)) },
    });
    const url = `http://127.0.0.1:${adminPort}`;
    await said(child, 'ready');
    child.stdin?.write('x');
    const [text] = await once(child.stderr as NodeJS.ReadableStream, 'data');
    const pid = Number(/closed (\d+)/.exec(String(text))?.[1]);
    await eventually('a line is lost', 10_000, async () => {
      await send(url, '/admin/v1/no-such-path', { headers: { authorization: 'Bearer x' } });
      process.kill(pid, 'SIGHUP');
      return (await dropped(url, 'control')) > 0;
    });
    expect((await send(url, '/readyz')).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await once(child, 'close');
  });
});

describe('standard output', () => {
  it('whose reader has left does not end the server', async () => {
    const data = makeDataFolder();
    const { args, adminPort } = await serveArgs(data);
    // The reader leaves before the first line: one that takes a line may leave too late to miss the next ones.
    const shell = spawn('sh', ['-c', '"$@" | true', 'sh', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LOADOUT_ADMIN_TOKEN: '', ...(await storeEnv(data)) },
    });
    let stderr = '';
    shell.stderr.on('data', (piece) => {
      stderr += piece;
    });
    const url = `http://127.0.0.1:${adminPort}`;
    await eventually('ready', 20_000, async () => {
      return (await send(url, '/readyz').catch(() => null))?.status === 200;
    });
    const [pid = 0] = childrenOf(shell.pid as number);
    await eventually('what was lost is said', 5_000, () => stderr.includes('LOADOUT_ADMIN_TOKEN'));
    expect(isAlive(pid)).toBe(true);
    expect((await send(url, '/readyz')).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await once(shell, 'close');
  });
});

async function serveArgs(data: string): Promise<{ args: string[]; adminPort: number }> {
  const adminPort = await freeLoopbackPort();
  const ports = ['--host', '127.0.0.1', '--port', '0', '--admin-port', String(adminPort)];
  const args = [loadoutProgram, 'serve', ...ports, '--listeners', '1', '--data', data];
  return { args, adminPort };
}

async function said(child: ChildProcess, word: string): Promise<void> {
  let stdout = '';
  for await (const piece of child.stdout as NodeJS.ReadableStream) {
    stdout += piece;
    if (stdout.includes(word)) return;
  }
  throw new Error(`it ended before it said ${word}: ${stdout}`);
}

/** A pipe as a shell makes them: writes to it wait. */
function makePipe(): { reader: number; writer: number } {
  const path = join(makeDataFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  return { reader, writer: openSync(path, O_WRONLY) };
}

/** Fills a pipe to its last byte; gives how many it took. */
function stuff(writer: number): number {
  const fd = openSync(`/proc/self/fd/${writer}`, O_WRONLY | O_NONBLOCK);
  let bytes = 0;
  try {
    for (;;) bytes += writeSync(fd, Buffer.alloc(1024, 'x'));
  } catch {
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function readNow(reader: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  try {
    return bytes.toString('utf8', 0, readSync(reader, bytes));
  } catch {
    return '';
  }
}
