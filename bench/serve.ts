/** `loadout serve` as an operator starts it. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Build } from './build.js';
import { canPin, remember } from './measure/child.js';

const token = 'bench-owner-token-0123456789abcdef';
const addressLine = /^(console|delivery) +(\S+)/;

export class Serve {
  readonly url: string;
  /** Origin of the delivery port. */
  readonly deliveryUrl: string;
  /** Of the control process. */
  readonly pid: number;
  readonly token = token;
  readonly #child: ChildProcess;

  /**
   * @param more further flags of `serve`
   * @param core that the server and its processes are bound to; null: wherever the kernel likes
   */
  static async start(
    build: Build,
    data: string,
    more: readonly string[] = [],
    core: number | null = null,
  ): Promise<Serve> {
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
    const command = [
      ...(core !== null && canPin ? ['taskset', '-c', String(core)] : []),
      ...[process.execPath, resolve(build.root, 'dist/loadout.js'), 'serve', ...flags],
    ];
    const child = spawn(command[0]!, command.slice(1), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOADOUT_ADMIN_TOKEN: token },
    });
    remember(child);
    const addresses = new Map<string, string>();
    for await (const line of createInterface({ input: child.stdout })) {
      const [, name, address] = addressLine.exec(line) ?? [];
      if (name !== undefined && address !== undefined) addresses.set(name, address);
      if (line === 'ready') break;
    }
    const [url, deliveryUrl] = [addresses.get('console'), addresses.get('delivery')];
    if (url === undefined || deliveryUrl === undefined) {
      throw new Error('The server did not start.');
    }
    return new Serve(child, url, deliveryUrl);
  }

  private constructor(child: ChildProcess, url: string, deliveryUrl: string) {
    this.#child = child;
    this.pid = child.pid!;
    this.url = url;
    this.deliveryUrl = deliveryUrl;
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

  /** The text of a response that must be a success. */
  async get(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(new URL(path, this.url), { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return response.text();
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
  }
}
