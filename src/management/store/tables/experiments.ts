/** Tables of experiments and metrics. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */
import type { ExperimentState } from '../../../contract/schemas/experiment.js';

/** Records of rules with variants. */
export interface ExperimentsTable {
  environment: string;
  /** Lower case, unique in the environment. */
  id: string;
  name: string;
  hypothesis: string;
  owner: string;
  /** Id of the content, in the spelling it had. */
  content: string;
  contentLower: string;
  /** Name of the rule. */
  segment: string;
  state: ExperimentState;
  /** Name of the variant that the others are compared with. */
  control: string;
  primaryMetric: string | null;
  /** JSON array of names of metrics. */
  guardMetrics: string;
  plannedDays: number;
  /** Relative: 0.05 is 5 %. */
  smallestEffect: number;
  createdAt: number;
  startedAt: number | null;
  stoppedAt: number | null;
  decidedAt: number | null;
  /** JSON of `StoredDecision`, or null. */
  decision: string | null;
  /** Goes up with each change. */
  version: number;
}

interface OfExperiment {
  environment: string;
  /** Id of the experiment. */
  experiment: string;
}

/** What drew the players of an experiment, and from when to when. */
export interface ExperimentPhasesTable extends OfExperiment {
  /** From 1. */
  number: number;
  startedAt: number;
  /** Null: it is the present one. */
  endedAt: number | null;
  reason: string;
  /** JSON of `FrozenRule`. */
  rule: string;
}

/** What happened to an experiment. Kept with it, whatever becomes of the audit. */
export interface ExperimentLogTable extends OfExperiment {
  /** From 0. */
  position: number;
  at: number;
  userName: string;
  text: string;
}

/** Users that variants were delivered to on a day: parts, whose union counts (D95). */
export interface AssignedCountsTable extends OfExperiment {
  phase: number;
  /** UTC by the server's clock, YYYY-MM-DD; '' in the part that has the sample of all days that are over. */
  day: string;
  /** Name of the server that has written it; '' for that sample of all servers. */
  node: string;
  /** The control process, different after each restart; '' for what was folded of several parts. */
  process: string;
  /** Goes up with each part of the process; of what was folded 0, and -1 where the sample is elsewhere. */
  number: number;
  /** `encodeSketch`. */
  users: Uint8Array;
}

export interface MetricsTable {
  environment: string;
  name: string;
  /** JSON of the metric without its name. */
  definition: string;
  updatedAt: number;
}
