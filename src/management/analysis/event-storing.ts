/** Has this server's event files stored: every minute, batch by batch, and later again while that fails (D97). */
import type { Logger } from 'pino';
import type {
  Compacted,
  JobFailure,
  Retained,
  RetentionRules,
} from '../../analysis/process-messages.js';
import { hasBacklog } from '../../analysis/storage/batches.js';
import type { ExperimentRule } from '../../analysis/storage/experiment-rules.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  compactionFirstMs,
  compactionMsMax,
  compactionRetryMsMax,
  eventRetentionEveryMs,
} from '../limits/experiments.js';
import { AnalysisEnded } from './analysis-ended.js';
import { EventCounts } from './event-counts.js';
import type { JobQueue } from './job-queue.js';

export interface EventStoringParts {
  /** The folder of events. */
  readonly events: string;
  /** Whether there may be any that retention removes. */
  readonly hasEvents: () => boolean;
  readonly queue: Pick<JobQueue, 'run'>;
  readonly rules: RetentionRules;
  /** @throws StoreUnavailable */
  readonly experiments: () => Promise<readonly ExperimentRule[]>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'debug'>;
  readonly now: () => number;
  /** From the end of one run to the next, milliseconds; after failures longer. */
  readonly everyMs: number;
}

/** Why events are not stored at present. */
export interface StoringFailure {
  readonly reason: JobFailure['reason'];
  readonly detail: string;
  readonly sinceMs: number;
}

export class EventStoring {
  readonly counts = new EventCounts();
  readonly #parts: EventStoringParts;
  readonly #job: PeriodicJob;
  #failure: StoringFailure | null = null;
  /** In a row. */
  #failures = 0;
  /** What people wait for; null: nothing. */
  #soon: Promise<boolean> | null = null;
  /** Nothing is tried before, milliseconds since the epoch. */
  #notBeforeMs = 0;
  #retainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: EventStoringParts) {
    this.#parts = parts;
    this.#job = new PeriodicJob((signal) => this.#run(signal), {
      firstMs: Math.min(compactionFirstMs, parts.everyMs),
      everyMs: parts.everyMs,
      log: parts.log,
      event: 'events_storing_failed',
      failed: 'events could not be stored; it is tried again',
    });
  }

  /** Null: the last attempt has succeeded. */
  get failure(): StoringFailure | null {
    return this.#failure;
  }

  start(): void {
    this.#job.start();
  }

  /** Resolves when nothing is under way. The queue is closed, so that this is soon. */
  close(): Promise<void> {
    return this.#job.close();
  }

  /** Stores what waits, as far as one batch, unless that fails at present; once for all who ask meanwhile. */
  async storeSoon(): Promise<void> {
    if (this.#failure !== null || !hasBacklog(this.#parts.events)) return;
    this.#soon ??= this.#storeBatch().finally(() => {
      this.#soon = null;
    });
    await this.#soon;
  }

  async #run(signal?: AbortSignal): Promise<void> {
    const { now, events, hasEvents } = this.#parts;
    if (now() < this.#notBeforeMs) return;
    // First: it makes room.
    if (hasEvents() && now() - this.#retainedAtMs >= eventRetentionEveryMs) await this.#retain();
    let isMore = hasBacklog(events);
    while (isMore && signal?.aborted !== true) isMore = await this.#storeBatch();
  }

  /** @returns whether there is more to do now */
  async #storeBatch(): Promise<boolean> {
    const { queue, experiments } = this.#parts;
    try {
      const job = { type: 'compact', experiments: await experiments() } as const;
      const response = await queue.run(job, compactionMsMax);
      if (response.type === 'compacted') return this.#stored(response.result);
      if (response.type === 'failed') this.#failed(response);
    } catch (error) {
      // The server stops.
      if (isClosed(error)) return false;
      const detail = error instanceof Error ? error.message : String(error);
      this.#failed({ reason: 'failed', detail, retrySeconds: null });
    }
    return false;
  }

  #stored(result: Compacted): boolean {
    const { log, now } = this.#parts;
    this.counts.stored(result, now());
    if (result.setAside > 0) {
      log.warn(
        { event: 'event_files_set_aside', files: result.setAside, lines: result.unreadable },
        'event files are damaged; they are kept in the folder of damaged files',
      );
    }
    if (this.#failure !== null) {
      log.info({ event: 'events_stored_again' }, 'events are stored again');
    }
    this.#failure = null;
    this.#failures = 0;
    this.#notBeforeMs = 0;
    return result.more;
  }

  #failed({
    reason,
    detail,
    retrySeconds,
  }: Pick<JobFailure, 'reason' | 'detail' | 'retrySeconds'>): void {
    const { log, now, everyMs } = this.#parts;
    this.counts.failures += 1;
    const level = this.#failure?.reason === reason ? 'debug' : 'warn';
    log[level]({ event: 'events_not_stored', reason, detail }, 'events are not stored; they wait');
    if (reason === 'disk_full') this.#retainedAtMs = Number.NEGATIVE_INFINITY;
    this.#failure = { reason, detail, sinceMs: this.#failure?.sinceMs ?? now() };
    // The first attempt after a failure is that of the next run.
    const waitMs = Math.min(compactionRetryMsMax, everyMs * (2 ** this.#failures - 1));
    this.#failures += 1;
    this.#notBeforeMs = now() + Math.max(waitMs, (retrySeconds ?? 0) * 1_000);
  }

  /** What fails is done with the next run: events are stored meanwhile. */
  async #retain(): Promise<void> {
    const { queue, rules, log, now } = this.#parts;
    const nowMs = now();
    try {
      const response = await queue.run({ type: 'retain', rules, nowMs }, compactionMsMax);
      if (response.type === 'retained') this.#retained(response.result, nowMs);
      else throw new Error('detail' in response ? response.detail : response.type);
    } catch (error) {
      if (isClosed(error)) return;
      log.warn({ event: 'event_retention_failed', err: error }, 'old events could not be removed');
    }
  }

  #retained(result: Retained, nowMs: number): void {
    this.#retainedAtMs = nowMs;
    this.counts.retained(result);
    const { droppedFiles: files, removedBytes: bytes } = result;
    if (files === 0) return;
    this.#parts.log.warn(
      { event: 'events_dropped', files, bytes },
      'events that were not stored yet are removed: they are too old, or take too much room',
    );
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof AnalysisEnded && error.reason === 'closed';
}
