/** A game that runs in a terminal: its lines are awaited, and commands are typed into it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const lineMillisMax = 30_000;

export class GameProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #onLine: () => void = () => undefined;

  /** @param cwd the folder in which it runs */
  constructor(program: string, args: readonly string[], cwd: string) {
    this.#child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('it has no output');
    createInterface({ input: stdout }).on('line', (line) => {
      this.#lines.push(line);
      this.#onLine();
    });
  }

  /** @returns the next line of its output; throws when none comes in time */
  async line(): Promise<string> {
    const late = Date.now() + lineMillisMax;
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (Date.now() >= late) throw new Error(`no line in ${lineMillisMax} ms`);
      await this.#arrival(late - Date.now());
    }
  }

  type(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** @returns its exit code, after `quit` */
  async quit(): Promise<number | null> {
    const closed = once(this.#child, 'close');
    this.type('quit');
    const [code] = await closed;
    return code;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #arrival(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      this.#onLine = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
