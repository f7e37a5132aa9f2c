/** A program that is asked by a line of JSON on its standard input, and answers each by a line on its standard output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Deferred, deferred } from './wire/exchange.js';

const answerMillisMax = 60_000;
const stderrCharsMax = 10_000;

export interface LineProcessOptions {
  readonly cwd?: string;
  /** Beside this process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** After this long it is ended; left out: it runs until `end`. */
  readonly millisMax?: number;
}

export class LineProcess {
  readonly #child: ChildProcess;
  readonly #asked: Deferred<string>[] = [];
  #stderr = '';
  /** Why there will be no answer any more; '' while there may be one. */
  #ended = '';

  constructor(
    [program, ...args]: readonly [string, ...string[]],
    { cwd, env, millisMax }: LineProcessOptions,
  ) {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: millisMax,
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-stderrCharsMax);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#asked.shift()?.resolve(line);
    });
    child.on('error', (error) => this.#fail(String(error)));
    child.on('close', (code, signal) => this.#fail(`it ended with ${code ?? signal}`));
    child.stdin.on('error', () => undefined);
  }

  /** @returns the answer's line; throws with the program's standard error when it ends or says nothing in time */
  async ask(question: unknown): Promise<string> {
    if (this.#ended !== '') throw new Error(this.#ended);
    const text = JSON.stringify(question);
    const answer = deferred<string>();
    const late = setTimeout(() => {
      answer.reject(new Error(`no answer to ${text}\n${this.#stderr}`));
    }, answerMillisMax);
    this.#asked.push(answer);
    this.#child.stdin?.write(`${text}\n`);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(late);
    }
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #fail(why: string): void {
    this.#ended ||= `the driver: ${why}\n${this.#stderr}`;
    for (const answer of this.#asked.splice(0)) answer.reject(new Error(this.#ended));
  }
}
