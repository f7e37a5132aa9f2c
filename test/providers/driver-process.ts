/** A driver as a process: a command per line of JSON on its standard input, an answer per line on its standard output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Deferred, deferred } from '../support/wire/exchange.js';
import type { Command, Place } from './driver.js';

const answerMillisMax = 60_000;
const stderrCharsMax = 10_000;

export class DriverProcess implements Place {
  readonly #child: ChildProcess;
  readonly #asked: Deferred<unknown>[] = [];
  #stderr = '';

  constructor(
    [program, ...args]: readonly [string, ...string[]],
    cwd: string,
    env: Readonly<Record<string, string>>,
  ) {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-stderrCharsMax);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    child.on('error', (error) => this.#fail(String(error)));
    child.on('close', (code, signal) => this.#fail(`it ended with ${code ?? signal}`));
    child.stdin.on('error', () => undefined);
  }

  async obey(command: Command): Promise<unknown> {
    const answer = deferred<unknown>();
    const late = setTimeout(() => {
      answer.reject(new Error(`no answer to ${JSON.stringify(command)}\n${this.#stderr}`));
    }, answerMillisMax);
    this.#asked.push(answer);
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(late);
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
  }

  #take(line: string): void {
    const { result, error } = JSON.parse(line) as { result?: unknown; error?: string };
    const answer = this.#asked.shift();
    if (error === undefined) answer?.resolve(result ?? null);
    else answer?.reject(new Error(error));
  }

  #fail(why: string): void {
    for (const answer of this.#asked.splice(0)) {
      answer.reject(new Error(`the driver: ${why}\n${this.#stderr}`));
    }
  }
}
