/**
 * The metrics and experiments that an import brings (D93). Metrics are defined as the file says; an experiment becomes a draft
 * where the environment has none of its id. Nothing is removed, and what has run here stays as it is.
 */
import { contentKey } from '../../content/content-id.js';
import { experimentsMax, metricsMax } from '../../contract/limits.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import type { ExperimentInput } from '../../contract/schemas/experiment.js';
import { makeExperiment } from '../experiments/make-experiment.js';
import { isSameMetric, putMetric, tooManyMetrics } from '../experiments/save-metric.js';
import type { Db } from '../store/dialect.js';
import { listExperiments } from '../store/experiments/experiments.js';
import { listMetrics, type MetricDefinition } from '../store/experiments/metrics.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import type { ImportedExperiment, ImportFile } from './import-file.js';

interface MetricChange {
  readonly name: string;
  readonly definition: MetricDefinition;
  readonly change: 'added' | 'changed';
}

/** Of the environment's metrics and experiments, what an import changes. */
export interface ExperimentsCopy {
  readonly metrics: readonly MetricChange[];
  readonly experiments: readonly ExperimentInput[];
  /** What is left out, because neither the file nor the environment has what it names. */
  readonly warnings: readonly ValidationIssue[];
}

/** @param contents lower-case ids of the contents that are there afterwards */
export async function planExperimentsCopy(
  db: Db,
  environment: string,
  file: Pick<ImportFile, 'metrics' | 'experiments'>,
  contents: ReadonlySet<string>,
): Promise<ExperimentsCopy | Problem> {
  const known = new Map((await listMetrics(db, environment)).map((one) => [one.name, one]));
  const metrics = [...file.metrics].flatMap(([name, definition]): MetricChange[] => {
    const before = known.get(name);
    if (before === undefined) return [{ name, definition, change: 'added' }];
    return isSameMetric(before, definition) ? [] : [{ name, definition, change: 'changed' }];
  });
  const names = new Set([...known.keys(), ...file.metrics.keys()]);
  if (names.size > metricsMax) return tooManyMetrics(environment);
  const here = new Set((await listExperiments(db, environment)).map(({ id }) => id));
  const missing = [...file.experiments.values()].filter(({ input }) => !here.has(input.id));
  if (here.size + missing.length > experimentsMax) {
    const detail = `The environment "${environment}" has at most ${experimentsMax} experiments.`;
    return new Problem('limit_reached', detail);
  }
  const isThere = ({ input }: ImportedExperiment): boolean =>
    contents.has(contentKey(input.content));
  const experiments = missing.filter(isThere).map(({ input }) => withKnownMetrics(input, names));
  const warnings = missing.filter((one) => !isThere(one)).map(leftOut);
  return { metrics, experiments, warnings };
}

/** An experiment that has ended may name metrics that were removed since. */
function withKnownMetrics(input: ExperimentInput, names: ReadonlySet<string>): ExperimentInput {
  const { primaryMetric, guardMetrics } = input;
  return {
    ...input,
    primaryMetric: primaryMetric !== null && names.has(primaryMetric) ? primaryMetric : null,
    guardMetrics: guardMetrics.filter((name) => names.has(name)),
  };
}

function leftOut({ input: { id, content }, line }: ImportedExperiment): ValidationIssue {
  const message = `the experiment "${id}" is left out: its content "${content}" is not there`;
  return { path: 'experiment.content', message, line };
}

/** After the contents, which experiments are about. */
export async function addExperiments(
  write: UnitOfWork,
  environment: string,
  { metrics, experiments }: ExperimentsCopy,
): Promise<void> {
  for (const { name, definition } of metrics) {
    await putMetric(write, environment, name, definition);
  }
  for (const input of experiments) {
    await makeExperiment(write, environment, input, 'Imported.');
  }
}
