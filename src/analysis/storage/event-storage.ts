/** Does the storage jobs of the analysis process. */
import { mkdirSync, rmSync } from 'node:fs';
import { sealedEventsFolder } from '../../published/event-files.js';
import type { AnalysisOptions, StorageJob, StorageResponse } from '../process-messages.js';
import { type BatchLimits, defaultBatchLimits } from './batches.js';
import { compact } from './compaction.js';
import { Duckdb } from './duckdb.js';
import { scratchFolder } from './event-folder.js';
import type { EventSink } from './event-sink.js';
import type { EventSource } from './event-source.js';
import { forgottenHash } from './forgotten-users.js';
import { HttpSink } from './http/http-sink.js';
import { ParquetSink } from './parquet/parquet-sink.js';
import { storable } from './storable.js';
import { plainIds } from './user-ids.js';
import { forgetWaiting, retainWaiting } from './waiting-files.js';

/** What a slow collector is sent in one job. */
const collectorLimits: BatchLimits = { ...defaultBatchLimits, filesMax: 1 };

export class EventStorage {
  readonly #options: AnalysisOptions;
  readonly #sink: EventSink;

  /**
   * Removes what an earlier process has left in the middle of a job. There is one process for a folder.
   * @param progressed called when a job that may take long has done a part
   */
  static async open(options: AnalysisOptions, progressed: () => void): Promise<EventStorage> {
    const { events } = options;
    rmSync(scratchFolder(events), { recursive: true, force: true });
    mkdirSync(scratchFolder(events), { recursive: true });
    mkdirSync(sealedEventsFolder(events), { recursive: true });
    return new EventStorage(options, await openSink(options, progressed));
  }

  private constructor(options: AnalysisOptions, sink: EventSink) {
    this.#options = options;
    this.#sink = sink;
  }

  /** Null: what the sink has taken is out of reach. */
  get source(): EventSource | null {
    return this.#sink.source;
  }

  /** @throws what `storageFailureOf` makes sense of */
  async do(job: StorageJob): Promise<StorageResponse> {
    const { id } = job;
    const { events, hashesIds } = this.#options;
    const sink = this.#sink;
    switch (job.type) {
      case 'compact': {
        const limits = this.#options.sink.kind === 'http' ? collectorLimits : defaultBatchLimits;
        const parts = { events, sink, hashesIds, limits };
        const result = await compact(parts, job.experiments, Date.now());
        return { id, type: 'compacted', result };
      }
      case 'retain': {
        const { bytes, ...waiting } = retainWaiting(events, job.rules, job.nowMs);
        const bytesMax = Math.max(0, job.rules.bytesMax - bytes);
        const storedBytes = await sink.retain({ ...job.rules, bytesMax }, job.nowMs);
        return { id, type: 'retained', result: { ...waiting, storedBytes } };
      }
      case 'export':
        return { id, type: 'exported', rows: await sink.export(job.request) };
      case 'forget':
        return { id, type: 'forgotten', rows: await this.#forget(job) };
    }
  }

  async #forget({
    environment,
    u,
    nowMs,
  }: Extract<StorageJob, { type: 'forget' }>): Promise<number> {
    const hashed = await this.#sink.ids(true);
    // Both forms: the server may have been started with the other one before.
    const userIds = [plainIds, hashed].map((ids) => storable(ids.idOf(u)));
    const user = { environment, hash: forgottenHash(u), at: nowMs };
    const removed = await this.#sink.forget(user, userIds);
    forgetWaiting(this.#options.events, environment, u);
    return removed;
  }
}

async function openSink(
  { events, sink, memoryBytesMax }: AnalysisOptions,
  progressed: () => void,
): Promise<EventSink> {
  const duckdb = new Duckdb({ memoryBytesMax, folder: scratchFolder(events) });
  switch (sink.kind) {
    case 'parquet':
      return new ParquetSink(events, duckdb);
    case 'http':
      return new HttpSink({ events, url: sink.url, progressed });
    case 'postgres': {
      // The driver is loaded only where there is a database.
      const { EventDatabase } = await import('./postgres/event-database.js');
      const { PostgresSink } = await import('./postgres/postgres-sink.js');
      return new PostgresSink(events, new EventDatabase(sink.servers), duckdb);
    }
  }
}
