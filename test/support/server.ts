/** A real server: `loadout serve` as a child process on free ports, with a data folder of its own, ended by its pid. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type Answer, deferred, send } from './exchange.js';
import { databaseAt, onPostgres } from './tested-store.js';

const program = fileURLToPath(new URL('../../dist/loadout.js', import.meta.url));
const startMillisMax = 20_000;
// Longer than a drain may take; what is still there after it is killed, and the exit code tells.
const stopMillisMax = 15_000;
const stderrCharsMax = 64 * 1024;

export const ownerToken = 'test-owner-token-0123456789abcdef';

export interface ServerOptions {
  /** Made, and removed by `stop`, when left out. */
  readonly data?: string;
  readonly listeners?: number;
  /** 0 chooses a free port. */
  readonly port?: number;
  readonly adminPort?: number;
  /** An open file that takes its standard error instead of `stderr`. */
  readonly stderr?: number;
  /** Further arguments of `serve`. */
  readonly flags?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The processes of this test file that run now: whatever way its tests end, they end with it. */
const running = new Map<ChildProcess, Promise<Exit>>();
// Registered when the test file imports this module, so it runs after the hooks of the file itself.
afterAll(async () => {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
  for (const folder of foldersMade) rmSync(folder, { recursive: true, force: true });
});
const foldersMade = new Set<string>();

/** Runs `serve` until it ends by itself; for the starts that must be refused. Throws when it does not end. */
export async function serveUntilExit(options: ServerOptions = {}): Promise<Exit> {
  const data = options.data ?? makeDataFolder();
  const launched = new Launched(options, data, await storeEnv(data));
  try {
    return await within(startMillisMax, launched.exit, () => `serve went on\n${launched.output}`);
  } finally {
    launched.child.kill('SIGKILL');
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
  }
}

/** Starts a server and waits for its `ready`; throws with its stderr when it ends or says nothing in time. */
export async function startServer(options: ServerOptions = {}): Promise<LoadoutServer> {
  if (!existsSync(program)) throw new Error(`${program} is missing: run npm run build first`);
  const data = options.data ?? makeDataFolder();
  const launched = new Launched(options, data, await storeEnv(data));
  try {
    await within(
      startMillisMax,
      Promise.race([
        launched.ready,
        launched.exit.then((exit) => {
          throw new Error(`serve ended with code ${exit.code}\n${launched.output}`);
        }),
      ]),
      () => `serve did not say ready\n${launched.output}`,
    );
  } catch (fault) {
    launched.child.kill('SIGKILL');
    throw fault;
  }
  return new LoadoutServer(launched, data, options.data === undefined);
}

/** An empty folder, removed when the test file has ended. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  foldersMade.add(folder);
  return folder;
}

/** Where the store of a server with that data folder is: in it, unless the run is about another one. */
export async function storeEnv(data: string): Promise<Readonly<Record<string, string>>> {
  return onPostgres ? { LOADOUT_DATABASE: await databaseAt(data) } : {};
}

class Launched {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly exit: Promise<Exit>;
  stdout = '';
  stderr = '';

  constructor(options: ServerOptions, data: string, storeEnv: Readonly<Record<string, string>>) {
    const ready = deferred<void>();
    this.ready = ready.promise;
    const flags = [
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
      ...['--admin-port', String(options.adminPort ?? 0)],
      ...['--data', data, '--listeners', String(options.listeners ?? 2)],
      ...(options.flags ?? []),
    ];
    const child = spawn(process.execPath, [program, 'serve', ...flags], {
      stdio: ['ignore', 'pipe', options.stderr ?? 'pipe'],
      env: { ...process.env, LOADOUT_ADMIN_TOKEN: ownerToken, ...storeEnv },
    });
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.stdout += piece;
      if (/^ready$/m.test(this.stdout)) ready.resolve();
    });
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.stderr = (this.stderr + piece).slice(-stderrCharsMax);
    });
    this.exit = once(child, 'close').then(([code, signal]) => {
      running.delete(child);
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
    running.set(child, this.exit);
  }

  get output(): string {
    return `stdout:\n${this.stdout}\nstderr:\n${this.stderr}`;
  }
}

export class LoadoutServer {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  readonly deliveryPort: number;
  readonly adminPort: number;
  readonly pid: number;
  readonly data: string;
  readonly exit: Promise<Exit>;
  readonly #launched: Launched;
  readonly #removesData: boolean;

  constructor(launched: Launched, data: string, removesData: boolean) {
    this.deliveryUrl = urlAfter('delivery', launched.stdout);
    this.adminUrl = urlAfter('console', launched.stdout);
    this.deliveryPort = Number(new URL(this.deliveryUrl).port);
    this.adminPort = Number(new URL(this.adminUrl).port);
    this.pid = launched.child.pid ?? -1;
    this.data = data;
    this.exit = launched.exit;
    this.#launched = launched;
    this.#removesData = removesData;
  }

  get stderr(): string {
    return this.#launched.stderr;
  }

  /** A management call as the owner; a string goes out as it is, anything else as its JSON. */
  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.adminUrl, path, {
      method,
      headers: {
        authorization: `Bearer ${ownerToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#launched.child.kill(name);
  }

  /** Ends the server as an operator does (SIGTERM) and removes the data folder it was given by `startServer`. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    try {
      return await within(stopMillisMax, this.exit, () => `SIGTERM was ignored\n${this.stderr}`);
    } finally {
      this.signal('SIGKILL');
      if (this.#removesData) rmSync(this.data, { recursive: true, force: true });
    }
  }
}

function urlAfter(label: string, stdout: string): string {
  const line = new RegExp(`^${label}\\s+(\\S+)`, 'm').exec(stdout);
  if (line?.[1] === undefined) throw new Error(`no "${label}" line before ready:\n${stdout}`);
  return new URL(line[1]).origin;
}

async function within<T>(millisMax: number, work: Promise<T>, late: () => string): Promise<T> {
  const timeout = deferred<never>();
  const timer = setTimeout(() => timeout.reject(new Error(late())), millisMax);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
