/** What results are computed from, as the store has it: the experiment, one of its phases, and metrics. */
import { Problem } from '../../../contract/problems.js';
import type { Experiment, ExperimentPhase } from '../../../contract/schemas/experiment.js';
import { resultMetricsMax } from '../../limits/experiments.js';
import type { Db } from '../../store/dialect.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import { findEnvironment } from '../../store/environments.js';
import { listPhases, type PhaseRecord } from '../../store/experiments/experiment-phases.js';
import { findExperiment } from '../../store/experiments/experiments.js';
import { listMetrics, type MetricRecord } from '../../store/experiments/metrics.js';
import { experimentJson } from '../experiment-json.js';
import { experimentUnknown, wrongState } from '../problems.js';

export interface ResultsPlan {
  readonly environment: string;
  readonly experiment: Experiment;
  /** As it is shown, and as it is stored. */
  readonly phase: ExperimentPhase;
  readonly record: PhaseRecord;
  /** Those of the experiment first, then others of the environment. */
  readonly metrics: readonly MetricRecord[];
}

/** @param number of the phase; null: the last one */
export async function readResultsPlan(
  db: Db,
  environment: string,
  id: string,
  number: number | null,
): Promise<ResultsPlan | Problem> {
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const found = await findExperiment(db, environment, id);
  if (found === null) return experimentUnknown(environment, id);
  const records = await listPhases(db, found);
  if (records.length === 0) {
    return wrongState(found, 'have results', ['running', 'stopped', 'decided']);
  }
  const record = number === null ? records.at(-1) : records.find((one) => one.number === number);
  const experiment = await experimentJson(db, found);
  const phase = experiment.phases.find((one) => one.number === record?.number);
  if (record === undefined || phase === undefined) {
    const detail = `Experiment "${id}" has no phase ${number}: its newest is ${records.at(-1)?.number}.`;
    return new Problem('experiment_state', detail);
  }
  const named = [found.primaryMetric, ...found.guardMetrics];
  const all = await listMetrics(db, environment);
  const rank = ({ name }: MetricRecord): number => {
    const at = named.indexOf(name);
    return at < 0 ? named.length : at;
  };
  const metrics = all.sort((a, b) => rank(a) - rank(b)).slice(0, resultMetricsMax);
  return { environment, experiment, phase, record, metrics };
}
