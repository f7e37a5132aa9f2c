/**
 * An installation of its own, to break: the real `dist`, copied without the console, beside a `node_modules` of links to the
 * real modules, of which some are left out or replaced. There is no addon in it unless it is asked for.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataFolder } from './server.js';
import { ownerToken } from './server-process.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runMillisMax = 30_000;

export class OtherInstall {
  readonly folder: string = makeDataFolder();

  constructor() {
    const notConsole = (path: string) => !path.startsWith(join(root, 'dist/console'));
    cpSync(join(root, 'dist'), join(this.folder, 'dist'), { recursive: true, filter: notConsole });
    cpSync(join(root, 'package.json'), join(this.folder, 'package.json'));
    const modules = join(root, 'node_modules');
    for (const name of readdirSync(modules)) {
      const inner = name.startsWith('@') ? readdirSync(join(modules, name)) : [''];
      for (const each of inner) this.#link(join('node_modules', name, each));
    }
  }

  /** Where a file of it is. */
  path(file: string): string {
    return join(this.folder, file);
  }

  withAddon(): this {
    this.#link('native/build/Release/loadout.node');
    return this;
  }

  /** The module without its files, but for those named, which are copies. */
  hollow(module: string, ...files: readonly string[]): this {
    const place = join('node_modules', module);
    rmSync(this.path(place), { force: true });
    for (const file of files) {
      mkdirSync(join(this.path(place), file, '..'), { recursive: true });
      cpSync(join(root, place, file), join(this.path(place), file), { recursive: true });
    }
    return this;
  }

  /** Runs its command to its end, or until it has printed `enough`. */
  async run(args: readonly string[], enough: RegExp | null = null): Promise<OtherRun> {
    const child = this.spawn(args);
    const closed = once(child, 'close');
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (piece: string) => {
        output[stream] += piece;
        if (enough?.test(output[stream])) child.kill('SIGTERM');
      });
    }
    const [code] = await closed;
    return { code, ...output };
  }

  spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [this.path('dist/loadout.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], LOADOUT_ADMIN_TOKEN: ownerToken, ...env },
      timeout: runMillisMax,
      killSignal: 'SIGKILL',
    });
  }

  #link(file: string): void {
    const target = join(root, file);
    if (!existsSync(target)) return;
    mkdirSync(join(this.path(file), '..'), { recursive: true });
    symlinkSync(target, this.path(file));
  }
}

export interface OtherRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
