/** Metrics of the control process, and of what it knows of its delivery processes. */

import { finiteDescriptorLimit, openDescriptors } from '../../published/descriptors.js';
import type { ProcessLoad } from '../../published/process-load.js';
import type { RestartCounts } from '../processes/restart-counts.js';
import type { MeasuredProcess } from '../processes/supervisor.js';
import { type CountedMetric, counted, type LabelledValue } from './counted-metric.js';
import { type Metric, type MetricSpec, metric } from './definition.js';

/** What is measured of a server beside its gauges and histograms. */
export interface MeasuredControl {
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
}

interface ControlNumbers {
  readonly metric: Metric;
  readonly samples: (server: MeasuredControl) => readonly LabelledValue[];
}

/** One number without labels. */
function single(
  spec: MetricSpec<never>,
  read: (server: MeasuredControl) => number | null,
): ControlNumbers {
  return {
    metric: metric(spec),
    samples: (server) => {
      const value = read(server);
      return value === null ? [] : [[{}, value]];
    },
  };
}

const numbers: readonly ControlNumbers[] = [
  {
    metric: metric({
      name: 'loadout_log_lines_dropped_total',
      help: 'Lines of the log that could not be written: the disk was full, or the reader gone or asleep.',
      labels: ['process'],
    }),
    samples: ({ logLinesDropped: { control, delivery }, processes }) => {
      const kept = processes.reduce((sum, { measures }) => sum + measures.logLinesDropped, 0);
      return [
        [{ process: 'control' }, control],
        [{ process: 'delivery' }, delivery + kept],
      ];
    },
  },
  {
    metric: metric({
      name: 'loadout_listener_restarts_total',
      help: 'Delivery processes that took the place of one that died, was killed because it hung, or was replaced on SIGHUP.',
      labels: ['reason'],
      note: '`died`, `killed` or `replaced`.',
    }),
    samples: ({ restarts }) =>
      Object.entries(restarts).map(([reason, value]) => [{ reason }, value]),
  },
  single(
    {
      name: 'loadout_listeners',
      help: 'Delivery processes that responded to this scrape.',
    },
    ({ processes }) => processes.length,
  ),
  single(
    {
      name: 'loadout_listeners_wanted',
      help: 'Delivery processes that should be running.',
    },
    ({ wanted }) => wanted,
  ),
  single(
    {
      name: 'loadout_control_resident_bytes',
      help: 'Resident memory of the control process.',
    },
    () => process.memoryUsage.rss(),
  ),
  single(
    {
      name: 'loadout_control_cpu_seconds_total',
      help: 'CPU time of the control process, all its threads.',
    },
    ({ load }) => load.cpuSeconds,
  ),
  single(
    {
      name: 'loadout_control_event_loop_delay_p99_seconds',
      help: "Delay of the control process's event loop in the last 5 to 10 seconds, 99th percentile.",
    },
    ({ load }) => load.loopDelayP99Seconds,
  ),
  single(
    {
      name: 'loadout_control_start_time_seconds',
      help: 'When the control process started, Unix time.',
    },
    ({ load }) => load.startedAtSeconds,
  ),
  single(
    {
      name: 'loadout_sequence',
      help: 'The newest sequence that is published; a delivery process that serves a lower one is behind.',
    },
    ({ sequence }) => sequence,
  ),
  single(
    {
      name: 'loadout_control_open_fds',
      help: 'Open file descriptors of the control process.',
      onlyIf: 'on Linux',
    },
    openDescriptors,
  ),
  single(
    {
      name: 'loadout_control_max_fds',
      help: 'The most file descriptors that the control process may open.',
      onlyIf: 'on Linux, where there is a limit',
    },
    finiteDescriptorLimit,
  ),
];

export const controlMetrics: readonly Metric[] = numbers.map((one) => one.metric);

/** In the order of `controlMetrics`. */
export function countControl(server: MeasuredControl): CountedMetric[] {
  return numbers.map(({ metric, samples }) => counted(metric, samples(server)));
}
