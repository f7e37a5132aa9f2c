/** The rows of a batch in files, one for each table, as JSON lines: what DuckDB and PostgreSQL load at once. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Batch } from './batches.js';
import { scratchFolder } from './event-folder.js';
import { forgottenLine, linesOf, readEvent } from './event-lines.js';
import type { EventRows } from './event-rows.js';
import { type EventTable, eventTables } from './rows.js';

/** What was read of a batch. */
export interface BatchCounts {
  readonly events: number;
  readonly rows: Readonly<Record<EventTable, number>>;
  /** Lines that are no event. */
  readonly unreadable: number;
  /** Paths of the files that they are in. */
  readonly damaged: readonly string[];
}

export interface StagedBatch {
  /** Tables that have rows, each with its file. */
  readonly files: readonly { readonly table: EventTable; readonly path: string }[];
  readonly counts: BatchCounts;
}

/** Makes the files for as long as `use` takes. */
export async function withStagedBatch<T>(
  events: string,
  batch: Batch,
  rows: EventRows,
  use: (staged: StagedBatch) => Promise<T>,
): Promise<T> {
  const stage = new Stage(join(scratchFolder(events), batch.id));
  try {
    for (const path of batch.files) await stage.add(path, rows);
    return await use(await stage.end());
  } finally {
    await stage.remove();
  }
}

class Stage {
  readonly #files: Readonly<Record<EventTable, StageFile>>;
  readonly #damaged: string[] = [];
  #events = 0;
  #unreadable = 0;

  constructor(path: string) {
    this.#files = {
      exposures: new StageFile(`${path}-exposures.ndjson`),
      metric_events: new StageFile(`${path}-metric_events.ndjson`),
    };
  }

  async add(path: string, rows: EventRows): Promise<void> {
    const before = this.#unreadable;
    for await (const lines of linesOf(path)) {
      for (const text of lines) this.#addLine(text, rows);
      for (const table of eventTables) await this.#files[table].flush();
    }
    if (this.#unreadable > before) this.#damaged.push(path);
  }

  #addLine(text: string, rows: EventRows): void {
    if (text === forgottenLine) return;
    const line = readEvent(text);
    if (line === null) {
      this.#unreadable += 1;
      return;
    }
    this.#events += 1;
    for (const { table, json } of rows.of(line)) this.#files[table].add(json);
  }

  async end(): Promise<StagedBatch> {
    for (const table of eventTables) await this.#files[table].close();
    const { exposures, metric_events } = this.#files;
    return {
      files: eventTables
        .filter((table) => this.#files[table].rows > 0)
        .map((table) => ({ table, path: this.#files[table].path })),
      counts: {
        events: this.#events,
        rows: { exposures: exposures.rows, metric_events: metric_events.rows },
        unreadable: this.#unreadable,
        damaged: this.#damaged,
      },
    };
  }

  async remove(): Promise<void> {
    for (const table of eventTables) await this.#files[table].remove();
  }
}

/** Rows of one table; the file is made with the first one. */
class StageFile {
  readonly path: string;
  rows = 0;
  #waiting: string[] = [];
  #file: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  add(json: string): void {
    this.rows += 1;
    this.#waiting.push(json);
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = `${this.#waiting.join('\n')}\n`;
    this.#waiting = [];
    this.#file ??= await open(this.path, 'w', 0o600);
    await this.#file.appendFile(text);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }
}
