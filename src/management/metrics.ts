/** Writes the counts of all delivery processes as Prometheus text (D6). No label is made of anything a client sends. */
import type { DeliveryMetrics } from '../published/barrier.js';
import type { ProcessLoad } from '../published/process-load.js';
import type { RestartCounts } from './processes/restart-counts.js';
import type { MeasuredProcess } from './processes/supervisor.js';

/** What two processes of one slot, the one that serves and the one that drains, count together. */
type Together = 'sum' | 'min' | 'max';

/** One metric as prom-client hands it between processes: values that are counted already. */
interface CountedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: Together;
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
    readonly metricName?: string;
  }[];
}

interface NumberSpec {
  readonly name: string;
  readonly help: string;
  /** `sum` unless it says otherwise. */
  readonly together?: Together;
  readonly read: (measures: DeliveryMetrics) => number;
}

const specs: readonly NumberSpec[] = [
  {
    name: 'loadout_rendered_cache_hits_total',
    help: 'Bodies found in the cache of rendered bodies.',
    read: (m) => m.renderedHits,
  },
  {
    name: 'loadout_rendered_cache_misses_total',
    help: 'Bodies that were not in the cache of rendered bodies.',
    read: (m) => m.renderedMisses,
  },
  {
    name: 'loadout_rendered_inline_total',
    help: 'Bodies that the front end spliced itself.',
    read: (m) => m.renderedInline,
  },
  {
    name: 'loadout_native',
    help: '1 where the native addon does the document work, 0 where TypeScript does.',
    together: 'min',
    read: (m) => (m.documentWork === 'native' ? 1 : 0),
  },
  {
    name: 'loadout_rendered_cache_bytes',
    help: 'Size of the cache of rendered bodies.',
    read: (m) => m.renderedBytes,
  },
  {
    name: 'loadout_rendered_cache_entries',
    help: 'Bodies in the cache of rendered bodies.',
    read: (m) => m.renderedEntries,
  },
  {
    name: 'loadout_selections_bytes',
    help: 'Estimated size of the combinations of rules that are remembered, with what is kept for each.',
    read: (m) => m.selectionsBytes,
  },
  {
    name: 'loadout_selections_entries',
    help: 'Combinations of rules that are remembered.',
    read: (m) => m.selectionsEntries,
  },
  {
    name: 'loadout_assigned_experiments',
    help: 'Running experiments that users were counted for today (UTC).',
    together: 'max',
    read: (m) => m.assignedExperiments,
  },
  {
    name: 'loadout_assigned_bytes',
    help: 'Estimated size of the counts of users of running experiments.',
    read: (m) => m.assignedBytes,
  },
  {
    name: 'loadout_assigned_uncounted_total',
    help: 'Deliveries that were counted for no experiment: the counts had no room for another one.',
    read: (m) => m.assignedUncounted,
  },
  {
    name: 'loadout_pool_queue',
    help: 'Bodies that wait for a pool worker or are being made.',
    read: (m) => m.poolQueued,
  },
  {
    name: 'loadout_pool_tasks_total',
    help: 'Batches that the pool finished.',
    read: (m) => m.poolTasks,
  },
  {
    name: 'loadout_pool_seconds_total',
    help: 'Time from handing a batch to the pool to its result.',
    read: (m) => m.poolSeconds,
  },
  {
    name: 'loadout_rules_missed_total',
    help: 'Mutations that were chosen but could not apply to the data they met.',
    read: (m) => m.rulesMissed,
  },
  {
    name: 'loadout_utc_offset_missing_total',
    help: "Responses and opened streams in which a rule took UTC for the player's local time: `utcOffset` was absent or invalid.",
    read: (m) => m.utcOffsetsMissing,
  },
  {
    name: 'loadout_resident_bytes',
    help: 'Resident memory of the delivery process.',
    read: (m) => m.rssBytes,
  },
  {
    name: 'loadout_connections',
    help: 'Open connections on the delivery port.',
    read: (m) => m.connections,
  },
  {
    name: 'loadout_unsent_bytes',
    help: 'Bytes that clients have yet to read of their responses.',
    read: (m) => m.unsentBytes,
  },
  {
    name: 'loadout_streams',
    help: 'Open streams.',
    read: (m) => m.streams,
  },
  {
    name: 'loadout_streams_max',
    help: 'The most streams that can be open.',
    read: (m) => m.streamsMax,
  },
  {
    name: 'loadout_streams_waiting',
    help: 'Streams that wait to be told of a change.',
    read: (m) => m.streamsWaiting,
  },
  {
    name: 'loadout_streams_looked_total',
    help: 'How often a stream was looked at because of a change.',
    read: (m) => m.streamsLooked,
  },
  {
    name: 'loadout_stream_events_total',
    help: 'Events that were written to streams.',
    read: (m) => m.streamEvents,
  },
  {
    name: 'loadout_event_queue_bytes',
    help: 'Bytes of events of players that wait to be written.',
    read: (m) => m.eventQueueBytes,
  },
  {
    name: 'loadout_events_blocked',
    help: '1 where the disk takes no events of players, so that clients must keep them.',
    together: 'max',
    read: (m) => Number(m.eventsBlocked),
  },
  {
    name: 'loadout_published_sequence',
    help: 'The sequence that the delivery process serves.',
    together: 'min',
    read: (m) => m.sequence,
  },
  {
    name: 'loadout_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop in the last 5 to 10 seconds, 99th percentile.',
    together: 'max',
    read: (m) => m.eventLoopDelayP99Seconds,
  },
  {
    name: 'loadout_cpu_seconds_total',
    help: 'CPU time of the delivery process, all its threads.',
    read: (m) => m.cpuSeconds,
  },
  {
    name: 'loadout_start_time_seconds',
    help: 'When the delivery process started, Unix time.',
    together: 'max',
    read: (m) => m.startedAtSeconds,
  },
];

interface LabelledSpec extends Omit<NumberSpec, 'read'> {
  readonly samples: (measures: DeliveryMetrics) => readonly Sample[];
}

const labelled: readonly LabelledSpec[] = [
  {
    name: 'loadout_requests_total',
    help: 'Responses by endpoint and status.',
    samples: (m) => m.requests.map(([endpoint, status, count]) => [{ endpoint, status }, count]),
  },
  // Apart from the requests, whose labels identify series that dashboards know.
  {
    name: 'loadout_refused_total',
    help: 'Rejected requests (4xx and 5xx) by the code of their problem.',
    samples: (m) => m.refused.map(([code, count]) => [{ code }, count]),
  },
  {
    name: 'loadout_streams_ended_total',
    help: 'Streams that ended: the client left or read too slowly; its key was revoked or expired; the process drained; its refresh could not be made.',
    samples: (m) => m.streamsEnded.map(([reason, count]) => [{ reason }, count]),
  },
  {
    name: 'loadout_events_taken_total',
    help: 'Events of players that were taken, by the purpose of the key that they came with.',
    samples: (m) => m.eventsTaken.map(([purpose, count]) => [{ purpose }, count]),
  },
  {
    name: 'loadout_events_refused_total',
    help: 'Events of players that were refused for good, by reason.',
    samples: (m) => m.eventsRefused.map(([reason, count]) => [{ reason }, count]),
  },
  {
    name: 'loadout_connections_closed_total',
    help: 'Connections closed because of responses that the client had not read, by reason.',
    samples: (m) => [
      [{ reason: 'budget' }, m.closedOverBudget],
      [{ reason: 'slow' }, m.closedSlow],
    ],
  },
  {
    name: 'loadout_front_end',
    help: 'What the loaded uWebSockets.js build was tried for at start: 1 passed, 0 failed.',
    together: 'min',
    samples: (m) => m.frontEnd.map(({ check, passed }) => [{ check }, passed ? 1 : 0]),
  },
];

/** A number of the control process itself. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** What distinguishes it from others of the name; none unless given. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MeasuredServer {
  /** What each delivery process counted since it started. */
  readonly processes: readonly MeasuredProcess[];
  /** Since the control process started. */
  readonly restarts: Readonly<RestartCounts>;
  /** How many there should be. */
  readonly wanted: number;
  /** The newest sequence that published.db holds. */
  readonly sequence: number;
  /** Of the control process. */
  readonly load: Pick<ProcessLoad, 'loopDelayP99Seconds' | 'cpuSeconds' | 'startedAtSeconds'>;
  /** Lines of the log that could not be written, by whose they were; of a delivery process also those it kept to itself. */
  readonly logLinesDropped: { readonly control: number; readonly delivery: number };
  /** What else the control process has to show. */
  readonly gauges: readonly Gauge[];
}

/** Prometheus text of everything that was measured. */
export async function metricsText(server: MeasuredServer): Promise<string> {
  const { processes, wanted, sequence, load, gauges } = server;
  const metrics: CountedMetric[] = [
    ...specs.map((spec) => perProcess(spec, processes, (m) => [[{}, spec.read(m)]])),
    ...labelled.map(({ samples, ...spec }) => perProcess(spec, processes, samples)),
    latencyMetric(processes),
    logLinesDropped(server),
    restartsMetric(server),
    single(
      'loadout_listeners',
      'Delivery processes that responded to this scrape.',
      processes.length,
    ),
    single('loadout_listeners_wanted', 'Delivery processes that should be running.', wanted),
    single(
      'loadout_control_resident_bytes',
      'Resident memory of the control process.',
      process.memoryUsage.rss(),
    ),
    single(
      'loadout_control_cpu_seconds_total',
      'CPU time of the control process, all its threads.',
      load.cpuSeconds,
    ),
    single(
      'loadout_control_event_loop_delay_p99_seconds',
      "Delay of the control process's event loop in the last 5 to 10 seconds, 99th percentile.",
      load.loopDelayP99Seconds,
    ),
    single(
      'loadout_control_start_time_seconds',
      'When the control process started, Unix time.',
      load.startedAtSeconds,
    ),
    single(
      'loadout_sequence',
      'The newest sequence that is published; a delivery process that serves a lower one is behind.',
      sequence,
    ),
    ...gauges.map(({ name, help, value, labels }) => single(name, help, value, labels)),
  ];
  // Loaded with the first scrape.
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([metrics]).metrics();
}

function single(
  name: string,
  help: string,
  value: number,
  labels: Readonly<Record<string, string>> = {},
): CountedMetric {
  return { name, help, type: typeOf(name), aggregator: 'sum', values: [{ labels, value }] };
}

type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/** A metric with samples of each process. Names of counters end in `_total`. */
function perProcess(
  { name, help, together = 'sum' }: Omit<NumberSpec, 'read'>,
  processes: readonly MeasuredProcess[],
  samplesOf: (measures: DeliveryMetrics) => readonly Sample[],
): CountedMetric {
  const values = processes.flatMap(({ slot, measures }) =>
    samplesOf(measures).map(([labels, value]) => ({
      labels: { listener: slot, ...labels },
      value,
    })),
  );
  return { name, help, type: typeOf(name), aggregator: together, values };
}

function typeOf(name: string): 'counter' | 'gauge' {
  return name.endsWith('_total') ? 'counter' : 'gauge';
}

function logLinesDropped({ logLinesDropped, processes }: MeasuredServer): CountedMetric {
  const { control, delivery } = logLinesDropped;
  const kept = processes.reduce((sum, { measures }) => sum + measures.logLinesDropped, 0);
  return {
    name: 'loadout_log_lines_dropped_total',
    help: 'Lines of the log that could not be written: the disk was full, or the reader gone or asleep.',
    type: 'counter',
    aggregator: 'sum',
    values: [
      { labels: { process: 'control' }, value: control },
      { labels: { process: 'delivery' }, value: delivery + kept },
    ],
  };
}

function restartsMetric({ restarts }: MeasuredServer): CountedMetric {
  return {
    name: 'loadout_listener_restarts_total',
    help: 'Delivery processes that took the place of one that died, was killed because it hung, or was replaced on SIGHUP.',
    type: 'counter',
    aggregator: 'sum',
    values: Object.entries(restarts).map(([reason, value]) => ({ labels: { reason }, value })),
  };
}

function latencyMetric(processes: readonly MeasuredProcess[]): CountedMetric {
  const name = 'loadout_request_seconds';
  const values: CountedMetric['values'][number][] = [];
  for (const { slot, measures } of processes) {
    for (const { endpoint, counts, sumSeconds } of measures.latencies) {
      const labels = { listener: slot, endpoint };
      let total = 0;
      counts.forEach((count, at) => {
        total += count;
        const le = measures.latencyBoundsSeconds[at] ?? '+Inf';
        values.push({ labels: { le, ...labels }, value: total, metricName: `${name}_bucket` });
      });
      values.push({ labels, value: sumSeconds, metricName: `${name}_sum` });
      values.push({ labels, value: total, metricName: `${name}_count` });
    }
  }
  return {
    name,
    help: 'From reading the head of a request to writing its response.',
    type: 'histogram',
    aggregator: 'sum',
    values,
  };
}
