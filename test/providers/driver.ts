/**
 * A provider in a process of its own, driven by JSON lines: a command on its standard input, an answer to it on its
 * standard output. Every driver takes `configure`, `evaluate` and `shutdown`; that of a provider with one context for
 * all flags also takes `setContext` and `waitForEvent`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Deferred, deferred } from '../support/wire/exchange.js';
import { type Provider, prepare } from './providers.js';

const answerMillisMax = 60_000;

export type Context = Readonly<Record<string, unknown>>;

export interface Configuration {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a web provider. */
  readonly context?: Context;
  /** Of a web provider, in milliseconds. */
  readonly pollInterval?: number;
  /** Of a web provider. */
  readonly changeDetection?: 'sse' | 'polling' | 'none';
}

export interface Evaluate {
  readonly type: 'boolean' | 'string' | 'integer' | 'float' | 'object';
  readonly key: string;
  /** What the SDK returns where there is no such flag. */
  readonly default: unknown;
  readonly context?: Context;
}

/** What the SDK says of one flag. */
export interface Details {
  /** As the language writes the value as JSON: JavaScript could not hold every one. */
  readonly valueJson: string;
  readonly variant: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly flagMetadata: Readonly<Record<string, unknown>>;
}

export type EventName = 'changed' | 'error' | 'ready' | 'stale';

export interface ProviderEvent {
  readonly event: EventName;
  readonly flagsChanged: readonly string[];
  readonly message: string | null;
}

export class Driver {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #asked: Deferred<unknown>[] = [];
  #stderr = '';

  static start(provider: Provider): Driver {
    return new Driver(provider, prepare(provider));
  }

  private constructor({ name, driver, env }: Provider, folder: string) {
    const [program, ...args] = driver;
    this.#name = name;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-10_000);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    child.on('error', (error) => this.#fail(String(error)));
    child.on('close', (code, signal) => this.#fail(`it ended with ${code ?? signal}`));
    child.stdin.on('error', () => undefined);
  }

  /** @returns why a web provider could not start; null: it has */
  configure(configuration: Configuration): Promise<string | null> {
    return this.#ask({ command: 'configure', ...configuration }) as Promise<string | null>;
  }

  evaluate(evaluate: Evaluate): Promise<Details> {
    return this.#ask({ command: 'evaluate', ...evaluate }) as Promise<Details>;
  }

  async setContext(context: Context): Promise<void> {
    await this.#ask({ command: 'setContext', context });
  }

  /** The first event of that name which nobody has waited for yet; those before it are dropped. */
  waitForEvent(event: EventName): Promise<ProviderEvent> {
    return this.#ask({ command: 'waitForEvent', event }) as Promise<ProviderEvent>;
  }

  /** Shuts the SDK down, then ends the process. */
  async stop(): Promise<void> {
    try {
      await this.#ask({ command: 'shutdown' });
    } finally {
      this.#child.kill('SIGKILL');
    }
  }

  async #ask(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answer = deferred<unknown>();
    const late = setTimeout(() => {
      answer.reject(new Error(`${this.#name}: no answer to ${JSON.stringify(command)}`));
    }, answerMillisMax);
    this.#asked.push(answer);
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(late);
    }
  }

  #take(line: string): void {
    const { result, error } = JSON.parse(line) as { result?: unknown; error?: string };
    const answer = this.#asked.shift();
    if (error === undefined) answer?.resolve(result ?? null);
    else answer?.reject(new Error(`${this.#name}: ${error}`));
  }

  #fail(why: string): void {
    for (const answer of this.#asked.splice(0)) {
      answer.reject(new Error(`the driver of ${this.#name}: ${why}\n${this.#stderr}`));
    }
  }
}
