/**
 * What the control process and its analysis process say to each other (D97). The first message has the options, in which there
 * may be passwords; then come jobs, one at a time, and each gets one response.
 */
import type { ClientConfig } from 'pg';
import type { ExportFormat } from '../contract/event-exports.js';
import type {
  AnalysisRequest,
  AnalysisStatistics,
  BaselineRequest,
  BaselineStatistics,
  EventNames,
  EventNamesRequest,
} from './messages.js';
import type { ExperimentRule } from './storage/experiment-rules.js';
import type { EventTable } from './storage/rows.js';

/** Where rows go. */
export type SinkOptions =
  | { readonly kind: 'parquet' }
  | {
      readonly kind: 'postgres';
      /** The servers of the database, tried in this order: the first that takes writes is used. */
      readonly servers: readonly ClientConfig[];
    }
  | { readonly kind: 'http'; readonly url: string };

export interface AnalysisOptions {
  /** The folder of events. */
  readonly events: string;
  readonly sink: SinkOptions;
  /** Whether rows have the keyed hash of the user id in its place. */
  readonly hashesIds: boolean;
  /** What DuckDB may use, bytes. */
  readonly memoryBytesMax: number;
}

/** What is exported of one environment. Days are those of receipt, `YYYY-MM-DD`, both inclusive. */
export interface ExportRequest {
  readonly environment: string;
  readonly table: EventTable;
  readonly format: ExportFormat;
  readonly from: string | null;
  readonly to: string | null;
  /** File to write. */
  readonly path: string;
}

export interface RetentionRules {
  /** Days of receipt that are kept, the present one included; null: all. */
  readonly daysKept: number | null;
  /** What all files of events may take, those that wait included. */
  readonly bytesMax: number;
}

interface JobMembers {
  /** Take one batch of sealed event files to the sink. */
  readonly compact: { readonly experiments: readonly ExperimentRule[] };
  readonly retain: { readonly rules: RetentionRules; readonly nowMs: number };
  readonly export: { readonly request: ExportRequest };
  readonly forget: { readonly environment: string; readonly u: string; readonly nowMs: number };
  readonly analyse: { readonly request: AnalysisRequest };
  readonly baseline: { readonly request: BaselineRequest };
  readonly names: { readonly request: EventNamesRequest };
}

type JobType = keyof JobMembers;
type OfType<Type extends JobType> = { readonly type: Type } & JobMembers[Type];

export type Job = { [Type in JobType]: OfType<Type> }[JobType];
/** `id` comes back with the response. */
export type NumberedJob = Job & { readonly id: number };
export type StorageJob = Extract<
  NumberedJob,
  { readonly type: 'compact' | 'retain' | 'export' | 'forget' }
>;

/** What became of one batch. */
export interface Compacted {
  readonly files: number;
  readonly events: number;
  /** Rows that were written, by table, before those of earlier batches were compared. */
  readonly rows: Readonly<Record<EventTable, number>>;
  /** Lines that were no event: their file is in the folder of damaged files, too. */
  readonly unreadable: number;
  /** Exposures whose rule was of no experiment at their time. */
  readonly withoutExperiment: number;
  /** Files that were set aside: something in them was no event, or the process ended of them. */
  readonly setAside: number;
  /** There is more to do. */
  readonly more: boolean;
}

export interface Retained {
  /** Of the rows that are stored, by table; null: another server counts them. */
  readonly storedBytes: Readonly<Record<EventTable, number>> | null;
  readonly removedBytes: number;
  /** Event files that had not been stored, and were removed for want of room. */
  readonly droppedFiles: number;
}

export type StorageResponse = { readonly id: number } & (
  | { readonly type: 'compacted'; readonly result: Compacted }
  | { readonly type: 'retained'; readonly result: Retained }
  | { readonly type: 'exported'; readonly rows: number }
  | { readonly type: 'forgotten'; readonly rows: number }
);

type QueryResponse = { readonly id: number } & (
  | { readonly type: 'analysed'; readonly statistics: AnalysisStatistics }
  | { readonly type: 'baseline'; readonly statistics: BaselineStatistics }
  | { readonly type: 'named'; readonly result: EventNames }
);

/** Why a job failed; `detail` is for the log and the operator. */
export interface JobFailure {
  readonly id: number;
  readonly type: 'failed';
  /**
   * `disk_full`: no room for what it makes. `sink_unavailable`: the database or the collector does not take rows.
   * `duckdb_unavailable`: this machine has no DuckDB. `failed`: anything else.
   */
  readonly reason: 'disk_full' | 'sink_unavailable' | 'duckdb_unavailable' | 'failed';
  readonly detail: string;
  /** When the collector wants to be asked again, seconds from now; null: it does not say. */
  readonly retrySeconds: number | null;
}

export type JobResponse = QueryResponse | StorageResponse | JobFailure;

export type ToAnalysis =
  | { readonly type: 'start'; readonly options: AnalysisOptions }
  | NumberedJob;

export type FromAnalysis =
  /** Every second: its event loop turns. */
  | { readonly type: 'alive'; readonly rssBytes: number }
  /** A job that may take long has done a part. */
  | { readonly type: 'progress' }
  | JobResponse;
