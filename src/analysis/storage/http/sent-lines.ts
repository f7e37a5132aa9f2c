/**
 * How far the batch under way was sent: after a failure, or a new start of the process, sending goes on there. Counted in lines of event
 * files, not in rows: which rows a line makes may change until it is sent.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pendingFolder } from '../event-folder.js';

interface Sent {
  /** Name of the event file. */
  readonly file: string;
  readonly lines: number;
}

export class SentLines {
  readonly #path: string;

  constructor(events: string) {
    this.#path = join(pendingFolder(events), 'sent.json');
  }

  /**
   * How many lines of each file were sent.
   * @param files of the batch, in the order in which they are sent
   */
  of(files: readonly string[]): readonly number[] {
    const sent = this.#read();
    const at = sent === null ? -1 : files.indexOf(sent.file);
    return files.map((_, number) => {
      if (number < at) return Number.POSITIVE_INFINITY;
      return number === at ? (sent?.lines ?? 0) : 0;
    });
  }

  /** Not synced: after a crash of the machine some rows arrive twice. */
  keep(sent: Sent): void {
    const scratch = `${this.#path}.new`;
    writeFileSync(scratch, JSON.stringify(sent));
    renameSync(scratch, this.#path);
  }

  clear(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): Sent | null {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Sent;
    } catch {
      return null;
    }
  }
}
