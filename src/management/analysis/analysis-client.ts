/** What handlers ask of events: statistics of experiments, rows for people, and that a user is forgotten (D97). */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type {
  AnalysisRequest,
  AnalysisStatistics,
  BaselineRequest,
  BaselineStatistics,
  EventNames,
  EventNamesRequest,
} from '../../analysis/messages.js';
import type { ExportRequest, Job, JobResponse } from '../../analysis/process-messages.js';
import { scratchFolder } from '../../analysis/storage/event-folder.js';
import type { Backlog } from '../../analysis/storage/waiting-files.js';
import { AnalysisUnavailable } from '../analysis-unavailable.js';
import { analysisMsMax, eventsExportMsMax, forgetMsMax } from '../limits/experiments.js';
import { AnalysisEnded } from './analysis-ended.js';
import type { EventCounts } from './event-counts.js';
import type { EventStoring, StoringFailure } from './event-storing.js';
import type { JobQueue } from './job-queue.js';

export type EventsTarget = 'local' | 'postgres' | 'http' | 'off';

export interface EventsStatus {
  readonly to: EventsTarget;
  readonly backlog: Backlog;
  readonly counts: EventCounts;
  readonly failure: StoringFailure | null;
}

export interface ExportedEvents {
  /** Of a file, which the caller removes. */
  readonly path: string;
  readonly rows: number;
}

/** All of them throw AnalysisUnavailable. */
export interface AnalysisClient {
  readonly to: EventsTarget;
  analyse(request: AnalysisRequest): Promise<AnalysisStatistics>;
  baseline(request: BaselineRequest): Promise<BaselineStatistics>;
  eventNames(request: EventNamesRequest): Promise<EventNames>;
  exportEvents(request: Omit<ExportRequest, 'path'>): Promise<ExportedEvents>;
  /** @returns how many rows there were */
  forget(environment: string, u: string): Promise<number>;
  /** Looks at every file that waits. */
  status(): EventsStatus;
}

interface EventAnalysisParts {
  /** The folder of events. */
  readonly events: string;
  readonly to: Exclude<EventsTarget, 'off'>;
  readonly queue: JobQueue;
  readonly storing: EventStoring;
  readonly backlog: () => Backlog;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
}

export class EventAnalysis implements AnalysisClient {
  readonly #parts: EventAnalysisParts;

  constructor(parts: EventAnalysisParts) {
    this.#parts = parts;
  }

  get to(): EventsTarget {
    return this.#parts.to;
  }

  async analyse(request: AnalysisRequest): Promise<AnalysisStatistics> {
    this.#needRows();
    await this.#parts.storing.storeSoon();
    const response = await this.#run({ type: 'analyse', request }, analysisMsMax);
    if (response.type === 'analysed') return response.statistics;
    throw this.#unexpected(response);
  }

  async baseline(request: BaselineRequest): Promise<BaselineStatistics> {
    this.#needRows();
    const response = await this.#run({ type: 'baseline', request }, analysisMsMax);
    if (response.type === 'baseline') return response.statistics;
    throw this.#unexpected(response);
  }

  async eventNames(request: EventNamesRequest): Promise<EventNames> {
    this.#needRows();
    await this.#parts.storing.storeSoon();
    const response = await this.#run({ type: 'names', request }, analysisMsMax);
    if (response.type === 'named') return response.result;
    throw this.#unexpected(response);
  }

  async exportEvents(wanted: Omit<ExportRequest, 'path'>): Promise<ExportedEvents> {
    this.#needRows();
    await this.#parts.storing.storeSoon();
    const name = `export-${randomBytes(8).toString('hex')}`;
    const path = join(scratchFolder(this.#parts.events), name);
    const request = { ...wanted, path };
    const response = await this.#run({ type: 'export', request }, eventsExportMsMax);
    if (response.type === 'exported') return { path, rows: response.rows };
    throw this.#unexpected(response);
  }

  async forget(environment: string, u: string): Promise<number> {
    const nowMs = this.#parts.now();
    const response = await this.#run({ type: 'forget', environment, u, nowMs }, forgetMsMax);
    if (response.type === 'forgotten') return response.rows;
    throw this.#unexpected(response);
  }

  status(): EventsStatus {
    const { to, storing, backlog } = this.#parts;
    return { to, backlog: backlog(), counts: storing.counts, failure: storing.failure };
  }

  #needRows(): void {
    if (this.#parts.to !== 'http') return;
    const detail =
      'Events go to a collector (--events-to): what is asked about them is asked there.';
    throw new AnalysisUnavailable('events_off', detail);
  }

  async #run(job: Job, msMax: number): Promise<JobResponse> {
    try {
      return await this.#parts.queue.run(job, msMax);
    } catch (error) {
      if (error instanceof AnalysisEnded) throw this.#failed(job.type, error.message);
      throw error;
    }
  }

  /** A job that was not done. */
  #unexpected(response: JobResponse): AnalysisUnavailable {
    if (response.type === 'failed' && response.reason === 'duckdb_unavailable') {
      return new AnalysisUnavailable('analysis_failed', noDuckdb);
    }
    const detail = 'detail' in response ? response.detail : response.type;
    return this.#failed(response.type, detail);
  }

  #failed(job: string, detail: string): AnalysisUnavailable {
    const { log } = this.#parts;
    log.warn({ event: 'analysis_failed', job, detail }, 'a job of the analysis process failed');
    const message =
      'The analysis of events failed; the log of the server says why. Ask again later.';
    return new AnalysisUnavailable('analysis_failed', message);
  }
}

const noDuckdb =
  'This server has no DuckDB for its machine, so it keeps events without analysing them; its log says what to do.';

const off = async (): Promise<never> => {
  throw new AnalysisUnavailable('events_off', 'This server takes no events (--events-to off).');
};

/** Of a server that takes no events. */
export function withoutEvents(counts: EventCounts): AnalysisClient {
  return {
    ...{ to: 'off', analyse: off, baseline: off, eventNames: off, exportEvents: off, forget: off },
    status: () => ({
      ...{ to: 'off', counts, failure: null },
      backlog: { files: 0, bytes: 0, oldestAtMs: null },
    }),
  };
}
