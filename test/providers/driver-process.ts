/** A driver as a process: a command per line of JSON on its standard input, an answer per line on its standard output. */
import { LineProcess } from '../support/line-process.js';
import type { Command, Place } from './driver.js';

export class DriverProcess implements Place {
  readonly #process: LineProcess;

  constructor(
    program: readonly [string, ...string[]],
    cwd: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#process = new LineProcess(program, { cwd, env });
  }

  async obey(command: Command): Promise<unknown> {
    const line = await this.#process.ask(command);
    const { result, error } = JSON.parse(line) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result ?? null;
  }

  async end(): Promise<void> {
    this.#process.end();
  }
}
