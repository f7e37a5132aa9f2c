/** A package as an operator installs it: globally, without a compiler, a registry or a cache of npm. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { makeDataFolder } from '../support/server/server.js';

/** A version of Node by its major number: this one, or that of npm, which is kept in the folder for temporary files. */
export function nodeOf(major: string, arch: string = process.arch): string {
  if (major === process.versions.node.split('.')[0] && arch === process.arch)
    return process.execPath;
  const name = `node-linux-${arch}`;
  const folder = join(tmpdir(), `loadout-${name}-${major}`);
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(node)) return node;
  const own = `${folder}.${process.pid}`;
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--force'];
  execFileSync('npm', ['install', ...flags, '--prefix', own, `${name}@${major}`]);
  if (existsSync(folder)) rmSync(own, { recursive: true });
  else renameSync(own, folder);
  return node;
}

export class Installed {
  /** The program that runs it. */
  readonly node: string;
  readonly #folder = makeDataFolder();

  private constructor(node: string) {
    this.node = node;
  }

  static with(node: string): Installed {
    const installed = new Installed(node);
    mkdirSync(installed.#bin);
    symlinkSync(node, join(installed.#bin, 'node'));
    for (const name of ['npm', 'sh', 'qemu-aarch64']) {
      const program = programOf(name);
      if (program !== null) symlinkSync(program, join(installed.#bin, name));
    }
    return installed;
  }

  /** Its `dist/loadout.js`. */
  get program(): string {
    return join(this.#folder, 'prefix/lib/node_modules/loadout/dist/loadout.js');
  }

  /** In the place of what was installed before, with its scripts; players go on asking meanwhile. */
  async install(artefact: string): Promise<void> {
    const prefix = join(this.#folder, 'prefix');
    const args = ['install', '--global', '--prefix', prefix, artefact];
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(join(this.#bin, 'npm'), args, { env: this.#env, stdio: [...stdio] });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`npm install: ${stderr}`);
  }

  /** As `install`, without npm: for a Node that is emulated, which would take minutes for it. */
  unpack(artefact: string): this {
    const folder = join(dirname(this.program), '..');
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', artefact, '--strip-components=1'], { cwd: folder });
    return this;
  }

  /** What its install script says: whether all that is compiled loads. */
  check(): { code: number | null; stdout: string; stderr: string } {
    const script = join(dirname(this.program), '../native/install.mjs');
    const { status, stdout, stderr } = spawnSync(this.node, [script], {
      env: this.#env,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  }

  /** Its command's standard output. */
  run(...args: readonly string[]): string {
    return execFileSync(this.node, [this.program, ...args], { env: this.#env, encoding: 'utf8' });
  }

  get #bin(): string {
    return join(this.#folder, 'bin');
  }

  get #env(): Readonly<Record<string, string>> {
    return {
      PATH: this.#bin,
      HOME: this.#folder,
      npm_config_cache: join(this.#folder, 'cache'),
      npm_config_offline: 'true',
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_update_notifier: 'false',
    };
  }
}

function programOf(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((path) => join(path, name)).find((path) => existsSync(path)) ?? null;
}
