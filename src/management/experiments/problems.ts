/** Problems that several operations of experiments have. */
import { Problem } from '../../contract/problems.js';
import type { ExperimentState } from '../../contract/schemas/experiment.js';
import type { ExperimentRecord } from '../store/experiments/experiments.js';

export function experimentUnknown(environment: string, id: string): Problem {
  const detail = `The environment "${environment}" has no experiment "${id}".`;
  return new Problem('experiment_not_found', detail);
}

/** What an experiment is in each state, after "is". */
const stateWords: Readonly<Record<ExperimentState, string>> = {
  draft: 'a draft',
  running: 'running',
  stopped: 'stopped',
  decided: 'decided',
};

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * @param verb what it cannot do, after "can"
 * @param origins in which it could
 */
export function wrongState(
  { id, state }: Pick<ExperimentRecord, 'id' | 'state'>,
  verb: string,
  origins: readonly ExperimentState[],
): Problem {
  const states = alternatives.format(origins.map((origin) => stateWords[origin]));
  const detail = `Experiment "${id}" is ${stateWords[state]}: it can ${verb} only while it is ${states}.`;
  return new Problem('experiment_state', detail);
}
