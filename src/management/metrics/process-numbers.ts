/** Metrics of a delivery process that are one number each. */
import type { DeliveryMetrics } from '../../published/barrier.js';
import type { Together } from './counted-metric.js';
import { type Metric, type MetricSpec, metric } from './definition.js';

export interface ProcessNumber {
  readonly metric: Metric;
  /** `sum` unless it says otherwise. */
  readonly together?: Together;
  /** Null: the process does not know. */
  readonly read: (measures: DeliveryMetrics) => number | null;
}

/** A metric of each delivery process, which the label `listener` tells from the others. */
export function ofProcess<const Label extends string = never>({
  labels = [],
  ...spec
}: MetricSpec<Label>): Metric<Label | 'listener'> {
  return metric<Label | 'listener'>({ ...spec, labels: ['listener', ...labels] });
}

/** One number without labels but its process's. */
function number(
  name: string,
  help: string,
  read: ProcessNumber['read'],
  {
    together,
    ...more
  }: Pick<ProcessNumber, 'together'> & Pick<MetricSpec<never>, 'onlyIf' | 'note'> = {},
): ProcessNumber {
  const of = ofProcess({ name, help, ...more });
  return { metric: of, read, ...(together === undefined ? {} : { together }) };
}

export const processNumbers: readonly ProcessNumber[] = [
  number(
    'loadout_rendered_cache_hits_total',
    'Bodies found in the cache of rendered bodies.',
    (m) => m.renderedHits,
  ),
  number(
    'loadout_rendered_cache_misses_total',
    'Bodies that were not in the cache of rendered bodies.',
    (m) => m.renderedMisses,
  ),
  number(
    'loadout_rendered_inline_total',
    'Bodies that the front end spliced itself.',
    (m) => m.renderedInline,
  ),
  number(
    'loadout_native',
    '1 where the native addon does the document work, 0 where TypeScript does.',
    (m) => (m.documentWork === 'native' ? 1 : 0),
    { together: 'min' },
  ),
  number(
    'loadout_rendered_cache_bytes',
    'Size of the cache of rendered bodies.',
    (m) => m.renderedBytes,
  ),
  number(
    'loadout_rendered_cache_entries',
    'Bodies in the cache of rendered bodies.',
    (m) => m.renderedEntries,
  ),
  number(
    'loadout_selections_bytes',
    'Estimated size of the combinations of rules that are remembered, with what is kept for each.',
    (m) => m.selectionsBytes,
  ),
  number(
    'loadout_selections_entries',
    'Combinations of rules that are remembered.',
    (m) => m.selectionsEntries,
  ),
  number(
    'loadout_assigned_experiments',
    'Running experiments that users were counted for today (UTC).',
    (m) => m.assignedExperiments,
    { together: 'max' },
  ),
  number(
    'loadout_assigned_bytes',
    'Estimated size of the counts of users of running experiments.',
    (m) => m.assignedBytes,
  ),
  number(
    'loadout_assigned_uncounted_total',
    'Deliveries that were counted for no experiment: the counts had no room for another one.',
    (m) => m.assignedUncounted,
    { note: 'How much room: [Limits](docs/operating.md#limits).' },
  ),
  number(
    'loadout_pool_queue',
    'Bodies that wait for a pool worker or are being made.',
    (m) => m.poolQueued,
  ),
  number('loadout_pool_tasks_total', 'Batches that the pool finished.', (m) => m.poolTasks),
  number(
    'loadout_pool_seconds_total',
    'Time from handing a batch to the pool to its result.',
    (m) => m.poolSeconds,
  ),
  number(
    'loadout_rules_missed_total',
    'Mutations that were chosen but could not apply to the data they met.',
    (m) => m.rulesMissed,
  ),
  number(
    'loadout_utc_offset_missing_total',
    "Responses and opened streams in which a rule took UTC for the player's local time: `utcOffset` was absent or invalid.",
    (m) => m.utcOffsetsMissing,
    { note: "See [the player's local time](docs/targeting.md#the-players-local-time)." },
  ),
  number('loadout_resident_bytes', 'Resident memory of the delivery process.', (m) => m.rssBytes),
  number('loadout_connections', 'Open connections on the delivery port.', (m) => m.connections),
  number(
    'loadout_unsent_bytes',
    'Bytes that clients have yet to read of their responses.',
    (m) => m.unsentBytes,
  ),
  number('loadout_streams', 'Open streams.', (m) => m.streams),
  number('loadout_streams_max', 'The most streams that can be open.', (m) => m.streamsMax),
  number(
    'loadout_streams_waiting',
    'Streams that wait to be told of a change.',
    (m) => m.streamsWaiting,
  ),
  number(
    'loadout_streams_looked_total',
    'How often a stream was looked at because of a change.',
    (m) => m.streamsLooked,
  ),
  number(
    'loadout_stream_events_total',
    'Events that were written to streams.',
    (m) => m.streamEvents,
  ),
  number(
    'loadout_event_queue_bytes',
    'Bytes of events of players that wait to be written.',
    (m) => m.eventQueueBytes,
  ),
  number(
    'loadout_events_blocked',
    '1 where the disk takes no events of players, so that clients must keep them.',
    (m) => Number(m.eventsBlocked),
    { together: 'max' },
  ),
  number(
    'loadout_published_sequence',
    'The sequence that the delivery process serves.',
    (m) => m.sequence,
    { together: 'min' },
  ),
  number(
    'loadout_event_loop_delay_p99_seconds',
    'Delay of the event loop in the last 5 to 10 seconds, 99th percentile.',
    (m) => m.eventLoopDelayP99Seconds,
    { together: 'max' },
  ),
  number(
    'loadout_cpu_seconds_total',
    'CPU time of the delivery process, all its threads.',
    (m) => m.cpuSeconds,
  ),
  number(
    'loadout_start_time_seconds',
    'When the delivery process started, Unix time.',
    (m) => m.startedAtSeconds,
    { together: 'max' },
  ),
  number(
    'loadout_open_fds',
    'Open file descriptors of the delivery process, its connections among them.',
    (m) => m.openDescriptors,
    { onlyIf: 'on Linux' },
  ),
  number(
    'loadout_max_fds',
    'The most file descriptors that the delivery process may open.',
    (m) => m.descriptorsMax,
    { together: 'max', onlyIf: 'on Linux, where there is a limit' },
  ),
];
