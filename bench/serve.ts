/** `loadout serve` as an operator starts it. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Build } from './build.js';

const token = 'bench-owner-token-0123456789abcdef';
const consoleLine = /^console +(\S+)/;

export class Serve {
  readonly url: string;
  readonly token = token;
  readonly #child: ChildProcess;

  /** @param more further flags of `serve` */
  static async start(build: Build, data: string, more: readonly string[] = []): Promise<Serve> {
    const flags = [
      '--log-level',
      'warn',
      '--port',
      '0',
      '--admin-port',
      '0',
      '--listeners',
      '1',
      '--data',
      data,
      ...more,
    ];
    const child = spawn(
      process.execPath,
      [resolve(build.root, 'dist/loadout.js'), 'serve', ...flags],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, LOADOUT_ADMIN_TOKEN: token },
      },
    );
    let url: string | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      url = consoleLine.exec(line)?.[1] ?? url;
      if (line === 'ready') break;
    }
    if (url === undefined) throw new Error('The server did not start.');
    return new Serve(child, url);
  }

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** A call of the admin API that must succeed; returns its response. */
  async ask(
    method: string,
    path: string,
    body: string,
    type = 'application/json',
  ): Promise<string> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const response = await fetch(new URL(path, this.url), { method, headers, body });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.text();
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
  }
}
