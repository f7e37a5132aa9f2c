/** Asks a person at a terminal. Questions go to stderr: stdout is for results. */

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from './failure.js';
import { io } from './io.js';

/** Whether there is somebody to ask. */
export function isAtTerminal(): boolean {
  return io().stdin.isTTY === true && io().stderr.isTTY === true;
}

/** Several questions, one after the other. To be closed. */
export class Questions {
  readonly #echo = new Echo();
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#reader = createInterface({ input: io().stdin, output: this.#echo, terminal: true });
    // What is typed or pasted ahead may be the secret that is asked for next.
    this.#reader.on('line', () => this.#hide());
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /**
   * @returns the answer without surrounding white space
   * @throws CommandFailure on Ctrl-C, Ctrl-D, and when the terminal goes away
   */
  async ask(question: string): Promise<string> {
    this.#echo.isHidden = false;
    return await this.#read(question);
  }

  /** As `ask`; what is typed is not shown. */
  async askSecret(question: string): Promise<string> {
    this.#hide();
    const answer = await this.#read(question);
    io().stderr.write('\n');
    return answer;
  }

  close(): void {
    this.#reader.close();
  }

  #hide(): void {
    this.#echo.isHidden = true;
  }

  async #read(question: string): Promise<string> {
    io().stderr.write(question);
    const { done, value } = await this.#lines.next();
    if (done === true) {
      io().stderr.write('\n');
      throw new CommandFailure('Nothing was changed.');
    }
    return value.trim();
  }
}

/** What readline shows of what is typed. */
class Echo extends Writable {
  isHidden = true;

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isHidden) io().stderr.write(piece);
    done();
  }
}
