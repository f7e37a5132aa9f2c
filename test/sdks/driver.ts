/** The program that calls an SDK, as a process: a command per line of JSON, an outcome per line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Sdk } from './sdks.js';

export interface ClientOptions {
  readonly apiKey: string;
  readonly userId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly semVer?: string;
}

export interface ContentOptions {
  readonly refresh?: boolean;
  readonly serialized?: boolean;
  readonly fullResponse?: boolean;
}

/** A call of the SDK; `publish` writes a content, with the price 0. */
export type Call =
  | { readonly method: 'one'; readonly id: string; readonly options?: ContentOptions }
  | {
      readonly method: 'several';
      readonly ids: readonly string[];
      readonly options?: ContentOptions;
    }
  | { readonly method: 'publish'; readonly id: string };

/** `request`: the SDK's error for a status of 4xx; `contents`: its error for single contents of a response. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: string; readonly message: string };

const outcomeMillisMax = 60_000;

export class Driver {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  #stderr = '';

  /** Runs the driver of `sdk` with requests through `proxyUrl`, trusting the certificate at `certPath`. */
  constructor(sdk: Sdk, proxyUrl: string, certPath: string) {
    const [program, ...args] = sdk.driver;
    const host = { HTTPS_PROXY: proxyUrl, NO_PROXY: '', no_proxy: '' };
    this.#child = spawn(program, args, {
      env: { ...process.env, ...sdk.install(), ...host, [sdk.trustVariable]: certPath },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 10 * outcomeMillisMax,
    });
    this.#child.on('error', (error) => {
      this.#stderr += String(error);
    });
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-10_000);
    });
    if (this.#child.stdout === null) throw new Error('the driver has no standard output');
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** One call at a time; throws with the driver's standard error when it ends or says nothing in time. */
  async call(client: ClientOptions, call: Call): Promise<Outcome> {
    this.#child.stdin?.write(`${JSON.stringify({ client, ...call })}\n`);
    const late = setTimeout(() => this.#child.kill('SIGKILL'), outcomeMillisMax);
    const { value, done } = await this.#lines.next();
    clearTimeout(late);
    if (done) throw new Error(`the driver ended: ${this.#stderr}`);
    return JSON.parse(value) as Outcome;
  }

  stop(): void {
    this.#reader.close();
    this.#child.kill('SIGKILL');
  }
}
