/**
 * Sends rows to a collector, in parts. What it has not taken waits on the disk and is sent again: rows arrive at least once,
 * and `eid` tells those that arrive twice (D97).
 */
import { basename } from 'node:path';
import type { Batch } from '../batches.js';
import { forgottenLine, linesOf, readEvent } from '../event-lines.js';
import type { EventRows } from '../event-rows.js';
import type { EventSink } from '../event-sink.js';
import { ForgottenFile, type ForgottenUser } from '../forgotten-users.js';
import type { EventTable } from '../rows.js';
import type { BatchCounts } from '../staged-batch.js';
import { StorageFailed } from '../storage-failed.js';
import { HashedIds, idKeyOf, plainIds, type UserIds } from '../user-ids.js';
import { Collector } from './collector.js';
import { SentLines } from './sent-lines.js';

/** Collectors that have a limit take 1 MiB at least; one that takes less responds with 413 and is given less. */
const partBytesMax: number = 1024 * 1024;

/** The rows of one line of an event file: they are sent together. */
interface SentLine {
  /** From 1. */
  readonly number: number;
  readonly rows: readonly string[];
}

interface HttpSinkParts {
  /** The folder of events. */
  readonly events: string;
  readonly url: string;
  /** Called when the collector has taken a part. */
  readonly progressed: () => void;
  readonly responseMsMax?: number;
}

export class HttpSink implements EventSink {
  readonly source = null;
  readonly #progressed: () => void;
  readonly #events: string;
  readonly #collector: Collector;
  readonly #sent: SentLines;
  readonly #forgotten: ForgottenFile;

  constructor({ events, url, progressed, responseMsMax }: HttpSinkParts) {
    this.#events = events;
    this.#progressed = progressed;
    this.#collector = new Collector(url, responseMsMax);
    this.#sent = new SentLines(events);
    this.#forgotten = new ForgottenFile(events);
  }

  async ids(hashed: boolean): Promise<UserIds> {
    return hashed ? new HashedIds(Buffer.from(idKeyOf(this.#events), 'hex')) : plainIds;
  }

  async forgotten(): Promise<readonly ForgottenUser[]> {
    return this.#forgotten.read();
  }

  async store(batch: Batch, rows: EventRows): Promise<BatchCounts> {
    const counts = new SendCounts();
    const { files } = batch;
    const sent = this.#sent.of(files.map((path) => basename(path)));
    for (const [at, path] of files.entries()) {
      const from = sent[at] ?? 0;
      if (Number.isFinite(from)) await this.#sendFile(path, from, rows, counts);
    }
    this.#sent.clear();
    return counts;
  }

  async #sendFile(path: string, from: number, rows: EventRows, counts: SendCounts): Promise<void> {
    const file = basename(path);
    let part: SentLine[] = [];
    let bytes = 0;
    let number = 0;
    for await (const lines of linesOf(path)) {
      for (const text of lines) {
        number += 1;
        if (number <= from) continue;
        const line = { number, rows: counts.read(text, rows, path) };
        part.push(line);
        bytes += line.rows.reduce((sum, row) => sum + row.length + 1, 0);
        if (bytes < partBytesMax) continue;
        await this.#send(part, file);
        part = [];
        bytes = 0;
      }
    }
    await this.#send(part, file);
  }

  /** In halves, where the collector finds them too large. */
  async #send(lines: readonly SentLine[], file: string): Promise<void> {
    const [first] = lines;
    const last = lines.at(-1);
    if (first === undefined || last === undefined) return;
    const rows = lines.flatMap((line) => line.rows);
    // With the last line: a part that begins at the same line has others at its end once a user of it was forgotten.
    const key = `${file}-${first.number}-${last.number}`;
    if (rows.length > 0 && !(await this.#collector.take(rows, key))) {
      if (lines.length === 1) {
        const detail = 'The collector responds with 413 to the rows of a single event.';
        throw new StorageFailed('sink_unavailable', detail);
      }
      const half = Math.ceil(lines.length / 2);
      await this.#send(lines.slice(0, half), file);
      await this.#send(lines.slice(half), file);
      return;
    }
    this.#sent.keep({ file, lines: last.number });
    this.#progressed();
  }

  async discard(): Promise<void> {
    // What was sent cannot be taken back.
  }

  async tidy(nowMs: number): Promise<boolean> {
    this.#forgotten.forgetOld(nowMs);
    return false;
  }

  async retain(): Promise<null> {
    return null;
  }

  async export(): Promise<number> {
    throw new StorageFailed('failed', 'What a collector has taken is exported there.');
  }

  async forget(user: ForgottenUser): Promise<number> {
    this.#forgotten.add(user);
    return 0;
  }

  async close(): Promise<void> {
    // Connections end with the process.
  }
}

/** What was read of a batch, from where sending went on. */
class SendCounts implements BatchCounts {
  events = 0;
  unreadable = 0;
  readonly rows: Record<EventTable, number> = { exposures: 0, metric_events: 0 };
  readonly damaged: string[] = [];

  read(text: string, rows: EventRows, path: string): readonly string[] {
    if (text === forgottenLine) return [];
    const line = readEvent(text);
    if (line === null) {
      this.unreadable += 1;
      if (!this.damaged.includes(path)) this.damaged.push(path);
      return [];
    }
    this.events += 1;
    return rows.of(line).map(({ table, json }) => {
      this.rows[table] += 1;
      return json;
    });
  }
}
