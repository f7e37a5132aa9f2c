/** `loadout demo` as a child process: a server with a made-up game, for tests of what people see. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { loadoutProgram } from './run-loadout.js';

export class Demo {
  readonly consoleUrl: string;
  readonly gameUrl: string;
  readonly deliveryUrl: string;
  /** Of an owner. */
  readonly token: string;
  /** Of Mei, an editor. */
  readonly editorToken: string;
  /** API key of the game in production. */
  readonly productionKey: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  static async start(): Promise<Demo> {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-demo-'));
    const ports = ['--port', '0', '--admin-port', '0', '--game-port', '0'];
    const flags = [...ports, '--listeners', '2'];
    const child = spawn(process.execPath, [loadoutProgram, 'demo', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], TMPDIR: folder },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    await eventually('the demo to be ready', 60_000, () => {
      if (child.exitCode !== null) throw new Error(`the demo ended\n${stdout}\n${stderr}`);
      return /^ready$/m.test(stdout);
    });
    return new Demo(child, folder, stdout);
  }

  private constructor(child: ChildProcess, folder: string, stdout: string) {
    const printed = (label: string): string => {
      const value = new RegExp(`^${label} +(\\S+)`, 'm').exec(stdout)?.[1];
      if (value === undefined) throw new Error(`the demo printed no ${label}\n${stdout}`);
      return value;
    };
    this.consoleUrl = printed('console');
    this.gameUrl = printed('game');
    this.deliveryUrl = printed('delivery');
    this.editorToken = printed('editor');
    this.productionKey = printed('key');
    // Its standard output is no terminal, so the token is in a file.
    const [, tokenFile = ''] = /^token +in (.+): read it/m.exec(stdout) ?? [];
    this.token = readFileSync(tokenFile, 'utf8').trim();
    this.#child = child;
    this.#folder = folder;
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
