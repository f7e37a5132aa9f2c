/** A kit under test: most are a program around it that is driven by lines of JSON, as README.md says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Program = readonly [program: string, ...args: string[]];

/** What a driver says of itself in its first line. */
export interface DriverHello {
  readonly driver: string;
  readonly can: readonly string[];
}

export interface Command {
  readonly command: string;
  readonly [member: string]: unknown;
}

/** A kit under test. */
export interface Driver {
  /** Whether it takes further commands. */
  readonly isAlive: boolean;
  /** The end of what it wrote to its standard error; absent where there is none. */
  readonly stderr?: string;
  /**
   * Begins the command; those that came before need not have completed.
   * @returns its result; throws CommandFailed with the driver's error, or an Error when there is no response
   */
  send(command: Command): Promise<unknown>;
  /** As a crash of the game does: at once, whatever it is doing. What it stored stays. */
  kill(): Promise<void>;
}

/** Where drivers come from. */
export interface DriverSource {
  start(): Promise<Driver>;
  end(): Promise<void>;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: Error) => void;
}

/** A response of the driver that has `error`. */
export class CommandFailed extends Error {}

const responseMillisMax = 60_000;
const stderrCharsMax = 10_000;

/** A driver that runs; it says what it is before it takes commands. */
export class DriverProcess implements Driver {
  readonly hello: Promise<DriverHello>;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #stderr = '';
  /** Why there is no response any more; '' while there may be one. */
  #ended = '';

  constructor([program, ...args]: Program, cwd: string) {
    this.#child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on('error', () => undefined);
    stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-stderrCharsMax);
    });
    this.hello = this.#wait(0, 'the first line') as Promise<DriverHello>;
    this.hello.catch(() => undefined);
    if (stdout) createInterface({ input: stdout }).on('line', (line) => this.#take(line));
    this.#child.on('error', (fault) => this.#end(String(fault)));
    this.#child.on('close', (code, signal) => this.#end(`it ended with ${code ?? signal}`));
  }

  get stderr(): string {
    return this.#stderr;
  }

  get isAlive(): boolean {
    return this.#ended === '';
  }

  /** Its errors have the standard error of the process. */
  send(command: Command): Promise<unknown> {
    this.#last += 1;
    const { command: kind, ...members } = command;
    const line = JSON.stringify({ n: this.#last, command: kind, ...members });
    const result = this.#wait(this.#last, line);
    this.#child.stdin?.write(`${line}\n`);
    return result;
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  #wait(n: number, what: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== '') {
        reject(new Error(this.#ended));
        return;
      }
      const timer = setTimeout(() => {
        this.#pending.delete(n);
        reject(new Error(`no response to ${what} in ${responseMillisMax} ms\n${this.#stderr}`));
      }, responseMillisMax);
      const settle = <T>(by: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          clearTimeout(timer);
          by(value);
        };
      };
      this.#pending.set(n, { resolve: settle(resolve), reject: settle(reject) });
    });
  }

  #take(line: string): void {
    let response: { n?: number; ok?: unknown; error?: string };
    try {
      response = JSON.parse(line);
    } catch {
      this.#end(`this line of its output is no response: ${line}`);
      return;
    }
    const { n = 0, ok = null, error } = response;
    const pending = this.#pending.get(n);
    this.#pending.delete(n);
    if (n === 0) pending?.resolve(response);
    else if (error === undefined) pending?.resolve(ok);
    else pending?.reject(new CommandFailed(error));
  }

  #end(why: string): void {
    this.#ended ||= `the driver: ${why}\n${this.#stderr}`;
    for (const { reject } of this.#pending.values()) reject(new Error(this.#ended));
    this.#pending.clear();
  }
}
