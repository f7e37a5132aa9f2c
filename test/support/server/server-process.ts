/** A real server: `loadout serve` as a child process on free ports, ended by its pid. Knows nothing of vitest. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Answer, deferred, send } from '../wire/exchange.js';
import type { MovingClock } from './moving-clock.js';

const ownProgram = fileURLToPath(new URL('../../../dist/loadout.js', import.meta.url));
const startMillisMax = 60_000;
// Longer than a drain may take; what is still there after it is killed, and the exit code tells.
const stopMillisMax = 30_000;
const stderrCharsMax = 64 * 1024;

/** Waits for the end of its input, which comes with the end of this process, whatever that is; then ends the server. */
const guard = 'read -r _; kill -KILL "$0"';

export const ownerToken = 'test-owner-token-0123456789abcdef';

export interface ServerOptions {
  /** `dist/loadout.js` of another build; this tree's when left out. */
  readonly program?: string;
  /** Another Node than the one that runs the test. */
  readonly node?: string;
  /** How long its start may take; else a minute. */
  readonly startMillisMax?: number;
  /** Made, and removed by `stop`, when left out. */
  readonly data?: string;
  readonly listeners?: number;
  /** 0 chooses a free port. */
  readonly port?: number;
  readonly adminPort?: number;
  /** An open file that takes its standard error instead of `stderr`. */
  readonly stderr?: number;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments of `serve`. */
  readonly flags?: readonly string[];
  /** How far its clock is ahead of the machine's, milliseconds. */
  readonly clockAheadMs?: number;
  /** A clock that the test moves, in the place of `clockAheadMs`. */
  readonly clock?: MovingClock;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of `serve`, which may end before it is ready. */
export class Launched {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly exit: Promise<Exit>;
  stdout = '';
  stderr = '';
  readonly #startMillisMax: number;

  constructor(options: ServerOptions, data: string, storeEnv: Readonly<Record<string, string>>) {
    const ready = deferred<void>();
    this.ready = ready.promise;
    this.#startMillisMax = options.startMillisMax ?? startMillisMax;
    const flags = [
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
      ...['--admin-port', String(options.adminPort ?? 0)],
      ...['--data', data, '--listeners', String(options.listeners ?? 2)],
      ...(options.flags ?? []),
    ];
    const { program = ownProgram } = options;
    if (!existsSync(program)) throw new Error(`${program} is missing: run npm run build first`);
    const node = options.node ?? process.execPath;
    const child = spawn(node, [...nodeArguments(options), program, 'serve', ...flags], {
      stdio: ['ignore', 'pipe', options.stderr ?? 'pipe'],
      env: { ...process.env, LOADOUT_ADMIN_TOKEN: ownerToken, ...storeEnv, ...options.env },
    });
    this.child = child;
    if (child.pid !== undefined) guardOf(child.pid, child);
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.stdout += piece;
      if (/^ready$/m.test(this.stdout)) ready.resolve();
    });
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.stderr = (this.stderr + piece).slice(-stderrCharsMax);
    });
    this.exit = once(child, 'close').then(([code, signal]) => {
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  get output(): string {
    return `stdout:\n${this.stdout}\nstderr:\n${this.stderr}`;
  }

  /** Its end, for a start that must be refused; throws when it goes on. */
  async refused(): Promise<Exit> {
    try {
      return await within(this.#startMillisMax, this.exit, () => `serve went on\n${this.output}`);
    } finally {
      this.child.kill('SIGKILL');
    }
  }

  /** Waits for its `ready`; throws with its stderr when it ends or says nothing in time. */
  async server(data: string): Promise<LoadoutServer> {
    const ended = this.exit.then((exit) => {
      throw new Error(`serve ended with code ${exit.code}\n${this.output}`);
    });
    try {
      await within(
        this.#startMillisMax,
        Promise.race([this.ready, ended]),
        () => `serve did not say ready\n${this.output}`,
      );
      return new LoadoutServer(this, data);
    } catch (fault) {
      this.child.kill('SIGKILL');
      throw fault;
    }
  }
}

/** Where a server that runs is found. */
export interface ServerPlace {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  /** Of its control process. */
  readonly pid: number;
}

/** A server that runs, whoever has started it and will end it. */
export class RunningServer implements ServerPlace {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  readonly deliveryPort: number;
  readonly adminPort: number;
  readonly pid: number;

  constructor({ deliveryUrl, adminUrl, pid }: ServerPlace) {
    this.deliveryUrl = deliveryUrl;
    this.adminUrl = adminUrl;
    this.deliveryPort = Number(new URL(deliveryUrl).port);
    this.adminPort = Number(new URL(adminUrl).port);
    this.pid = pid;
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
}

/** A server that its test has started, and may end. */
export class LoadoutServer extends RunningServer {
  readonly data: string;
  readonly exit: Promise<Exit>;
  readonly #launched: Launched;

  constructor(launched: Launched, data: string) {
    super({
      deliveryUrl: urlAfter('delivery', launched.stdout),
      // A server that follows another one has no console.
      adminUrl: urlAfter('(?:console|watch)', launched.stdout),
      pid: launched.child.pid ?? -1,
    });
    this.data = data;
    this.exit = launched.exit;
    this.#launched = launched;
  }

  get stderr(): string {
    return this.#launched.stderr;
  }

  /** Where servers follow it; it must have been started with `--follow-port`. */
  get followUrl(): string {
    return urlAfter('follow', this.#launched.stdout);
  }

  signal(name: NodeJS.Signals): void {
    this.#launched.child.kill(name);
  }

  /** Ends the server as an operator does: SIGTERM. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    try {
      return await within(stopMillisMax, this.exit, () => `SIGTERM was ignored\n${this.stderr}`);
    } finally {
      this.signal('SIGKILL');
    }
  }
}

function guardOf(pid: number, child: ChildProcess): void {
  // A process group of its own: a Ctrl-C is for the tests, and the server ends by it too.
  const guarding = spawn('sh', ['-c', guard, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('exit', () => guarding.kill('SIGKILL'));
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

/** A clock that is off, also in the delivery processes, which inherit neither environment nor arguments. */
function nodeArguments({ clock, clockAheadMs }: ServerOptions): readonly string[] {
  if (clock === undefined && clockAheadMs === undefined) return [];
  const ahead = `{ const { now } = Date; Date.now = () => now() + ${clockAheadMs}; }`;
  const script = `
    import childProcess from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    ${clock?.script ?? ahead}
    const { fork } = childProcess;
    childProcess.fork = (file, args, { execArgv, ...options }) =>
      fork(file, args, { ...options, execArgv: [...execArgv, ...process.execArgv] });
    syncBuiltinESMExports();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}
