/** A clock of a server that its test moves: minutes pass at once, in its control process and its delivery processes alike. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export class MovingClock {
  readonly #path: string;
  #aheadMs = 0;

  /** @param folder where it is kept, and where the server looks */
  constructor(folder: string) {
    this.#path = join(folder, 'clock');
    this.#write('w');
  }

  /**
   * For `--import` of Node: JavaScript. Each look at the clock reads how far it is ahead, so a move counts for all processes
   * and threads at once, and no test waits until they have seen it.
   */
  get script(): string {
    return `
      import { openSync, readSync } from 'node:fs';
      const { now } = Date;
      const file = openSync(${JSON.stringify(this.#path)}, 'r');
      const ahead = new Float64Array(1);
      Date.now = () => {
        readSync(file, ahead, 0, ahead.byteLength, 0);
        return now() + ahead[0];
      };`;
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** From the return on every process of the server sees the new time. */
  move(byMs: number): void {
    this.#aheadMs += byMs;
    this.#write('r+');
  }

  /** Eight bytes in place: a process reads them before or after, never in between. */
  #write(flags: 'w' | 'r+'): void {
    const file = openSync(this.#path, flags);
    writeSync(file, new Float64Array([this.#aheadMs]), 0, undefined, 0);
    closeSync(file);
  }
}
