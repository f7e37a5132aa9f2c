/** States of experiments, and of their health, for people. Pure. */
import type { ExperimentState, ExperimentSummary } from '../../../contract/schemas/experiment.js';
import type { HealthStatus } from '../../../contract/schemas/experiment-results.js';

export const stateLabels: Readonly<Record<ExperimentState, string>> = {
  draft: 'Draft',
  running: 'Running',
  stopped: 'Stopped',
  decided: 'Decided',
};

export const stateColours: Readonly<Record<ExperimentState, string>> = {
  draft: 'gray',
  running: 'blue',
  stopped: 'orange',
  decided: 'teal',
};

/** What runs asks for attention first. */
const order: readonly ExperimentState[] = ['running', 'stopped', 'draft', 'decided'];

/** Otherwise in the order of the server. */
export function sortExperiments(
  experiments: readonly ExperimentSummary[],
): readonly ExperimentSummary[] {
  return experiments.toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state),
  );
}

export function isExperimentState(value: string | null): value is ExperimentState {
  return value !== null && Object.hasOwn(stateLabels, value);
}

export const healthLabels: Readonly<Record<HealthStatus, string>> = {
  ok: 'Healthy',
  warning: 'Needs a look',
  broken: 'Broken',
  no_data: 'No data yet',
};

export const healthColours: Readonly<Record<HealthStatus, string>> = {
  ok: 'teal',
  warning: 'yellow',
  broken: 'red',
  no_data: 'gray',
};
