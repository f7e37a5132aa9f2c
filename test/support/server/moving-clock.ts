/** A clock of a server that its test moves: minutes pass at once, in its control process and its delivery processes alike. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How often the processes of the server look, milliseconds. */
const lookEveryMs = 50;

export class MovingClock {
  readonly #path: string;
  #aheadMs = 0;

  /** @param folder where it is kept, and where the server looks */
  constructor(folder: string) {
    this.#path = join(folder, 'clock');
    this.#write();
  }

  /** For `--import` of Node: JavaScript. */
  get script(): string {
    return `
      import { readFileSync } from 'node:fs';
      const { now } = Date;
      let aheadMs = 0;
      const look = () => { aheadMs = Number(readFileSync(${JSON.stringify(this.#path)}, 'utf8')); };
      look();
      setInterval(look, ${lookEveryMs}).unref();
      Date.now = () => now() + aheadMs;`;
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Resolves when every process that is not busy has looked. */
  async move(byMs: number): Promise<void> {
    this.#aheadMs += byMs;
    this.#write();
    await pause(3 * lookEveryMs);
  }

  #write(): void {
    // Replaced whole: a process may be reading.
    writeFileSync(`${this.#path}.new`, String(this.#aheadMs));
    renameSync(`${this.#path}.new`, this.#path);
  }
}
