/** Defines a metric within a write that holds its environment. */
import { metricsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import type { MetricInput } from '../../contract/schemas/metric.js';
import type { Db } from '../store/dialect.js';
import { addToLog } from '../store/experiments/experiment-log.js';
import { type ExperimentRecord, listExperiments } from '../store/experiments/experiments.js';
import {
  findMetric,
  listMetrics,
  type MetricDefinition,
  type MetricRecord,
  saveMetric,
} from '../store/experiments/metrics.js';
import { requireExperimentWriters } from '../store/require-writers.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** One user of a thousand: enough to take away what one purchase or one cheat does to a mean. */
const winsoriseDefault = 0.999;

/** With everything that a request may leave out. */
export function definitionOf({ cap, ...metric }: MetricInput): MetricDefinition {
  const isCut = metric.kind === 'sum' || metric.kind === 'count';
  const { perUserDay, winsorise = isCut ? winsoriseDefault : null } = cap;
  return { ...metric, cap: { perUserDay, winsorise } };
}

interface SavedMetric {
  readonly created: boolean;
  readonly metric: MetricRecord;
}

/** Logs of experiments that run and name it say that it is another one. */
export async function putMetric(
  write: UnitOfWork,
  environment: string,
  name: string,
  definition: MetricDefinition,
): Promise<SavedMetric | Problem> {
  const before = await findMetric(write.db, environment, name);
  if (before === null && (await listMetrics(write.db, environment)).length >= metricsMax) {
    return tooManyMetrics(environment);
  }
  if (before !== null && isSameMetric(before, definition)) {
    return { created: false, metric: before };
  }
  await requireExperimentWriters(write);
  const metric = await saveMetric(write, environment, name, definition);
  write.markChanged('environment', environment, '');
  if (before !== null) await noteInLogs(write, environment, name);
  const after = definition;
  await write.audit('metric.put', environment, name, { before: definitionIn(before), after });
  return { created: before === null, metric };
}

export function tooManyMetrics(environment: string): Problem {
  const detail = `The environment "${environment}" has at most ${metricsMax} metrics: remove some.`;
  return new Problem('limit_reached', detail);
}

export function isSameMetric(metric: MetricRecord, definition: MetricDefinition): boolean {
  return Object.entries(definition).every(
    ([member, value]) =>
      JSON.stringify(metric[member as keyof MetricDefinition]) === JSON.stringify(value),
  );
}

/** Experiments that name a metric, in whatever state. */
export async function experimentsWith(
  db: Db,
  environment: string,
  name: string,
): Promise<ExperimentRecord[]> {
  const all = await listExperiments(db, environment);
  return all.filter(
    ({ primaryMetric, guardMetrics }) => primaryMetric === name || guardMetrics.includes(name),
  );
}

async function noteInLogs(write: UnitOfWork, environment: string, name: string): Promise<void> {
  for (const experiment of await experimentsWith(write.db, environment, name)) {
    if (experiment.state !== 'running') continue;
    await addToLog(write, experiment, `The definition of the metric "${name}" was changed.`);
  }
}

function definitionIn(metric: MetricRecord | null): MetricDefinition | null {
  if (metric === null) return null;
  const { name: _, updatedAtMs: __, ...definition } = metric;
  return definition;
}
