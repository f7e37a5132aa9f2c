/** What became of events since the server started, and how many wait: for metrics and for people. */
import type { Compacted, Retained } from '../../analysis/process-messages.js';
import { type EventTable, eventTables } from '../../analysis/storage/rows.js';
import type { Backlog } from '../../analysis/storage/waiting-files.js';
import { type Gauge, type Metric, type MetricSpec, metric, sample } from '../metrics/definition.js';

/** A metric of a server that takes events. */
function ofEvents<const Label extends string = never>(spec: MetricSpec<Label>): Metric<Label> {
  return metric({ onlyIf: 'the server takes events', ...spec });
}

const metrics = {
  waitingFiles: ofEvents({
    name: 'loadout_events_waiting_files',
    help: 'Sealed event files that are not stored yet.',
  }),
  waitingBytes: ofEvents({
    name: 'loadout_events_waiting_bytes',
    help: 'Size of sealed event files that are not stored yet.',
  }),
  lag: ofEvents({
    name: 'loadout_events_lag_seconds',
    help: 'Age of the oldest sealed event file that is not stored yet.',
  }),
  failing: ofEvents({
    name: 'loadout_events_store_failing',
    help: '1 while events cannot be stored; the log says why.',
  }),
  failures: ofEvents({
    name: 'loadout_events_store_failures',
    help: 'Attempts to store events that failed, since the start of the server.',
  }),
  rows: ofEvents({
    name: 'loadout_events_rows',
    help: 'Rows that were stored since the start of the server, by table.',
    labels: ['table'],
  }),
  notStored: ofEvents({
    name: 'loadout_events_not_stored',
    help: 'Events, or entries of exposures, of which no row was made since the start of the server.',
    labels: ['reason'],
    note: '`unreadable`: lines that are no event; `no_experiment`: entries of exposures whose rule was of no experiment.',
  }),
  setAside: ofEvents({
    name: 'loadout_events_files_set_aside',
    help: 'Event files with something that is no event, since the start of the server.',
  }),
  dropped: ofEvents({
    name: 'loadout_events_files_dropped',
    help: 'Event files that were removed for want of room before they were stored, since the start of the server.',
  }),
  storedBytes: ofEvents({
    name: 'loadout_events_stored_bytes',
    help: 'Size of the Parquet files of a table.',
    labels: ['table'],
    onlyIf: 'events are stored as Parquet files',
  }),
};

export const eventMetrics: readonly Metric[] = Object.values(metrics);

export class EventCounts {
  events = 0;
  readonly rows: Record<EventTable, number> = { exposures: 0, metric_events: 0 };
  unreadable = 0;
  withoutExperiment = 0;
  setAside = 0;
  /** Event files that retention removed before they were stored. */
  droppedFiles = 0;
  failures = 0;
  /** Null: not known yet, or another server counts them. */
  storedBytes: Retained['storedBytes'] = null;
  /** When a batch was stored last, milliseconds since the epoch. */
  storedAtMs: number | null = null;

  stored(result: Compacted, nowMs: number): void {
    this.events += result.events;
    for (const table of eventTables) this.rows[table] += result.rows[table];
    this.unreadable += result.unreadable;
    this.withoutExperiment += result.withoutExperiment;
    this.setAside += result.setAside;
    if (result.files > 0) this.storedAtMs = nowMs;
  }

  retained({ storedBytes, droppedFiles }: Retained): void {
    this.storedBytes = storedBytes;
    this.droppedFiles += droppedFiles;
  }
}

/** @param isFailing the last attempt to store a batch has failed */
export function eventGauges(
  counts: EventCounts,
  backlog: Backlog,
  isFailing: boolean,
  nowMs: number,
): readonly Gauge[] {
  const { storedBytes, rows, unreadable, withoutExperiment } = counts;
  const lagMs = backlog.oldestAtMs === null ? 0 : Math.max(0, nowMs - backlog.oldestAtMs);
  return [
    sample(metrics.waitingFiles, backlog.files),
    sample(metrics.waitingBytes, backlog.bytes),
    sample(metrics.lag, lagMs / 1_000),
    sample(metrics.failing, isFailing ? 1 : 0),
    sample(metrics.failures, counts.failures),
    ...eventTables.map((table) => sample(metrics.rows, rows[table], { table })),
    sample(metrics.notStored, unreadable, { reason: 'unreadable' }),
    sample(metrics.notStored, withoutExperiment, { reason: 'no_experiment' }),
    sample(metrics.setAside, counts.setAside),
    sample(metrics.dropped, counts.droppedFiles),
    ...(storedBytes === null
      ? []
      : eventTables.map((table) => sample(metrics.storedBytes, storedBytes[table], { table }))),
  ];
}
