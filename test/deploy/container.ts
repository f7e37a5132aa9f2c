/**
 * A container without an engine: namespaces of its own for processes and mounts, a read-only root, the volumes of the recipe, no
 * capabilities, and the recipe's program as PID 1. The network is the host's, so its ports are free ones of loopback.
 */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { Recipe } from './containerfile.js';
import { imagePath } from './root-file-system.js';

const startMillisMax = 30_000;
const endMillisMax = 20_000;

/** Mounts, then becomes the program: `sh -c` with the root, the volume and what to run as arguments. */
const enter = `set -e
root=$1 data=$2 volume=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root$volume"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" "$@"`;

export interface Process {
  /** As the host numbers it. */
  readonly pid: number;
  readonly parent: number;
  /** One letter, such as S and, of a zombie, Z. */
  readonly state: string;
  readonly command: string;
}

export interface ContainerOptions {
  /** As `makeImage` left it. */
  readonly root: string;
  /** A folder that becomes the volume. */
  readonly data: string;
  readonly recipe: Recipe;
  /** Variables beside those of the recipe. */
  readonly more?: Readonly<Record<string, string>>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export class Container {
  readonly deliveryUrl: string;
  readonly adminUrl: string;
  /** PID 1, as the host numbers it. */
  readonly #pid: number;
  readonly #exit: Promise<number | null>;
  readonly #recipe: Recipe;
  readonly #env: Readonly<Record<string, string>>;
  #log = '';

  private constructor(
    child: ChildProcess,
    recipe: Recipe,
    env: Readonly<Record<string, string>>,
    pid: number,
  ) {
    this.#recipe = recipe;
    this.#env = env;
    this.#pid = pid;
    this.#exit = once(child, 'close').then(([code]) => code);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.#log += piece;
      });
    }
    this.deliveryUrl = `http://127.0.0.1:${env['LOADOUT_PORT']}`;
    this.adminUrl = `http://127.0.0.1:${env['LOADOUT_ADMIN_PORT']}`;
  }

  /** Starts the recipe's program; what it prints is in `log`. */
  static async start({ root, data, recipe, more }: ContainerOptions): Promise<Container> {
    const [uid = 0, gid = 0] = recipe.user.split(':').map(Number);
    // As an engine gives a new volume the owner of the image's folder.
    spawnSync('chown', ['--recursive', recipe.user, data]);
    chmodSync(data, 0o700);
    const env = {
      ...{ PATH: imagePath, HOME: '/home/node', ...recipe.env },
      ...{ LOADOUT_HOST: '127.0.0.1', LOADOUT_PORT: `${await freePort()}` },
      ...{ LOADOUT_ADMIN_HOST: '127.0.0.1', LOADOUT_ADMIN_PORT: `${await freePort()}` },
      ...{ LOADOUT_PROCESSES: '2', ...more },
    };
    const [volume = ''] = recipe.volumes;
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
    const unprivileged = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const confined = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
    const child = spawn(
      'unshare',
      [
        ...[...namespaces, 'sh', '-c', enter, 'sh', realpathSync(root), data, volume],
        ...[...unprivileged, ...confined, 'env', '--chdir', recipe.workdir, ...recipe.command],
      ],
      { env, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const pid = await eventually(
      'a first process',
      startMillisMax,
      () => childrenOf(child.pid ?? 0)[0],
    );
    const container = new Container(child, recipe, env, pid);
    await container.logged('ready');
    return container;
  }

  get log(): string {
    return this.#log;
  }

  /** The line of the log whose event it is. */
  logged(event: string): Promise<string> {
    return eventually(`${event} in\n${this.#log}`, startMillisMax, () =>
      this.#log.split('\n').find((line) => line.includes(`"event":"${event}"`)),
    );
  }

  /** Of PID 1, as the kernel has it. */
  status(): string {
    return readFileSync(`/proc/${this.#pid}/status`, 'utf8');
  }

  /** All of its processes. */
  processes(): readonly Process[] {
    const namespace = readlinkSync(`/proc/${this.#pid}/ns/pid`);
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && namespaceOf(pid) === namespace)
      .flatMap((pid) => processOf(pid) ?? []);
  }

  /** Runs a program as an engine's `exec` does: in the container, as its user, with its variables and `env`. */
  run(
    command: readonly string[],
    { env = {}, stdin = '' }: RunOptions = {},
  ): SpawnSyncReturns<string> {
    const [uid, gid] = this.#recipe.user.split(':');
    const joined = ['--target', `${this.#pid}`, '--mount', '--pid', '--root', '--wd'];
    const user = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    return spawnSync('nsenter', [...joined, ...user, ...command], {
      env: { ...this.#env, ...env },
      input: stdin,
      encoding: 'utf8',
    });
  }

  /** Sends the recipe's stop signal to PID 1. */
  signal(): void {
    process.kill(this.#pid, this.#recipe.stopSignal as NodeJS.Signals);
  }

  /** The same, and kills it if it goes on. @returns the exit code */
  async stop(): Promise<number | null> {
    this.signal();
    const late = setTimeout(() => this.kill(), endMillisMax);
    const code = await this.#exit;
    clearTimeout(late);
    return code;
  }

  /** Ends PID 1 at once, and with it all others; nothing if it has ended. */
  kill(): void {
    try {
      if (namespaceOf(this.#pid) !== null) process.kill(this.#pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(join('/proc', `${pid}`, 'task', `${pid}`, 'children'), 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

/** Null: it has ended meanwhile. */
function processOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name, in parentheses, may hold anything.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, parent: Number(parent), state, command };
  } catch {
    return null;
  }
}

/** A port that was free just now: the image's health check has to know it before the server takes it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
