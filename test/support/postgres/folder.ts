/** A temporary folder for one PostgreSQL server, and the end of both: also when the tests are killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits for the end of its input, which comes when this process closes it and also when this process dies in whatever
 * way; then ends the server in the folder, if one runs, and removes the folder.
 */
const guard = `
serves() {
  pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && grep -qsF "$0" "/proc/$pid/cmdline"
}
cat >/dev/null
serves && kill -QUIT "$pid"
waits=0
while serves && [ "$waits" -lt 200 ]; do sleep 0.05; waits=$((waits + 1)); done
serves && kill -KILL "$pid"
rm -rf "$0"
`;

// initdb and pg_basebackup take a second or two.
const toolMillisMax = 60_000;

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Tool {
  readonly name: string;
  readonly args: readonly string[];
}

export class PostgresFolder {
  readonly path: string;
  /** Where the server's data go; made by whoever fills it. */
  readonly data: string;
  readonly log: string;
  readonly bin: string;
  readonly #account: Account;
  readonly #guard: ChildProcess;

  /** A new, empty folder; `bin` is where the programs are. */
  constructor(bin: string) {
    this.bin = bin;
    this.#account = accountOfServers();
    const { uid, gid } = this.#account;
    this.path = mkdtempSync(join(tmpdir(), 'loadout-postgres-'));
    if (uid !== undefined && gid !== undefined) chownSync(this.path, uid, gid);
    this.data = join(this.path, 'data');
    this.log = join(this.path, 'log');
    // A process group of its own: a Ctrl-C is for the tests, and the guard goes by their end.
    this.#guard = spawn('sh', ['-c', guard, this.path], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  /** Starts a program of PostgreSQL, with nothing of our environment and output to `stdout`, a file descriptor. */
  spawn(tool: Tool, stdout: number | 'ignore' | 'pipe'): ChildProcess {
    return spawn(join(this.bin, tool.name), tool.args, {
      ...this.#account,
      cwd: this.path,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: ['ignore', stdout, stdout],
      detached: true,
    });
  }

  /** Runs a program of PostgreSQL to its end; throws with what it said when it fails. */
  async run(tool: Tool): Promise<void> {
    const child = this.spawn(tool, 'pipe');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        said += piece;
      });
    }
    const late = setTimeout(() => child.kill('SIGKILL'), toolMillisMax);
    const [code, signal] = await once(child, 'close');
    clearTimeout(late);
    if (code !== 0) throw new Error(`${tool.name} ended with ${code ?? signal}\n${said}`);
  }

  /** A line of the lock file of a running server, from 1; empty when there is none. */
  lockLine(number: number): string {
    try {
      const lines = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
      return lines[number - 1]?.trim() ?? '';
    } catch {
      return '';
    }
  }

  /** The end of the server's log. */
  logTail(): string {
    try {
      return readFileSync(this.log, 'utf8').slice(-4096);
    } catch {
      return '';
    }
  }

  /** Ends the server, if one runs, and removes the folder. */
  async end(): Promise<void> {
    if (this.#guard.exitCode !== null) return;
    const ended = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await ended;
  }
}

/** As whom servers run: PostgreSQL refuses to run as root, so root runs it as `postgres`. */
function accountOfServers(): Account {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number.parseInt(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout, 10),
  );
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root: there must be a user postgres.');
  return { uid, gid };
}
