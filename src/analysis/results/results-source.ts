/** What results are made from: the plan, the sums of the analysis, and the counts of the delivery processes. Types only. */
import type { Experiment, ExperimentPhase } from '../../contract/schemas/experiment.js';
import type { Metric } from '../../contract/schemas/metric.js';
import type { AnalysisStatistics } from '../messages.js';
import type { Method } from '../statistics/pair.js';

export interface CountedUsers {
  readonly variant: string;
  readonly users: number;
}

/** Users that variants were delivered to, merged over all servers. */
export interface AssignedUsers {
  /** Estimates, of each day (UTC, YYYY-MM-DD) by itself. */
  readonly days: readonly (CountedUsers & { readonly day: string })[];
  /** Estimates, of the whole phase. */
  readonly variants: readonly CountedUsers[];
  /** Exact counts of the users below a threshold that all variants share. */
  readonly sample: readonly CountedUsers[];
}

export interface ResultsSource {
  readonly experiment: Experiment;
  /** The one that `statistics` and `assigned` are of. */
  readonly phase: ExperimentPhase;
  /** Definitions of the metrics of `statistics`, in any order. */
  readonly metrics: readonly Metric[];
  readonly statistics: AnalysisStatistics;
  /** Null: users were not counted. */
  readonly assigned: AssignedUsers | null;
  /** Names of the servers whose counts are in `assigned`. */
  readonly nodes: readonly string[];
  /** Each server keeps its own events, and others may have some that are not in `statistics`. */
  readonly eventsArePartial: boolean;
  /** Of intervals and p-values; `sequential` unless asked otherwise. */
  readonly method: Method;
  /** Asked for `segments`. */
  readonly bySegment: boolean;
}
