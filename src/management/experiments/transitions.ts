/** Starts and stops an experiment, within the write that holds its environment. */

import type { FrozenRule, NoRule } from '../../content/experiments/frozen-rule.js';
import {
  experimentPhasesMax,
  experimentVariantsMax,
  runningExperimentsMax,
} from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { rejectOverlap } from '../freeze/reject-overlap.js';
import { rejectLocked } from '../gate/gate.js';
import type { Db } from '../store/dialect.js';
import { addToLog } from '../store/experiments/experiment-log.js';
import { beginPhase, endPhase, lastPhase } from '../store/experiments/experiment-phases.js';
import {
  type ExperimentRecord,
  listRunning,
  updateExperiment,
} from '../store/experiments/experiments.js';
import { hasVariant } from '../store/experiments/follow-live.js';
import { readRule } from '../store/experiments/live-rules.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { noteExperiment } from './note-experiment.js';
import { wrongState } from './problems.js';

/** From now on users are counted, and what assigns them to variants is frozen. Players receive what they did before. */
export async function start(
  write: UnitOfWork,
  experiment: ExperimentRecord,
): Promise<ExperimentRecord | Problem> {
  const { environment, id, state, contentLower, segment } = experiment;
  if (state !== 'draft' && state !== 'stopped') {
    return wrongState(experiment, 'start', ['draft', 'stopped']);
  }
  const rule = await readFitRule(write.db, experiment);
  if (rule instanceof Problem) return rule;
  const rejected =
    (await rejectTooMany(write.db, experiment)) ??
    (await rejectLocked(write.db, environment, { contents: [contentLower], uses: [segment] })) ??
    (await rejectOverlap(write.db, environment, new Map([[id, rule]])));
  if (rejected !== null) return rejected;
  const isFirst = state === 'draft';
  const number = await beginPhase(write, experiment, rule, isFirst ? 'Started.' : 'Started again.');
  const started = await updateExperiment(write, experiment, {
    ...{ state: 'running', startedAt: experiment.startedAt ?? write.at, stoppedAt: null },
  });
  await addToLog(write, experiment, isFirst ? 'Started.' : `Started again: phase ${number}.`);
  const auditId = await write.audit('experiment.start', environment, id, { phase: number });
  await noteExperiment(write, auditId, experiment);
  write.markChanged('environment', environment, '');
  return started;
}

/** The rule of the experiment as it is live, or why no experiment can run of it. */
export async function readFitRule(
  db: Db,
  experiment: ExperimentRecord,
): Promise<FrozenRule | Problem> {
  const rule = await readRule(db, experiment);
  if (typeof rule === 'string') return noSuchRule(experiment, rule);
  return rejectRule(experiment, rule) ?? rule;
}

/** Its rule stays live, and nothing is counted any longer. */
export async function stop(
  write: UnitOfWork,
  experiment: ExperimentRecord,
  note: string,
): Promise<ExperimentRecord | Problem> {
  const { environment, id, state } = experiment;
  if (state !== 'running') return wrongState(experiment, 'be stopped', ['running']);
  await endPhase(write, experiment);
  const columns = { state: 'stopped' as const, stoppedAt: write.at };
  const stopped = await updateExperiment(write, experiment, columns);
  await addToLog(write, experiment, note === '' ? 'Stopped.' : `Stopped: ${note}`);
  const details = note === '' ? {} : { reason: note };
  const auditId = await write.audit('experiment.stop', environment, id, details);
  await noteExperiment(write, auditId, experiment);
  write.markChanged('environment', environment, '');
  return stopped;
}

const whyNot: Readonly<Record<NoRule, string>> = {
  none: 'is not live: publish it first',
  several: 'stands more than once with variants: give one of them another name',
  no_variants: 'is live without variants',
};

export function noSuchRule({ id, content, segment }: ExperimentRecord, why: NoRule): Problem {
  const detail = `The rule "${segment}" of "${content}", which experiment "${id}" is about, ${whyNot[why]}.`;
  return new Problem('experiment_rule', detail);
}

function rejectRule(experiment: ExperimentRecord, rule: FrozenRule): Problem | null {
  const { id, segment, control } = experiment;
  const { variants, layer, layerSalt } = rule;
  let reason = '';
  if (!hasVariant(rule, control)) reason = `has no variant "${control}", which is the control`;
  else if (variants.length < 2) reason = 'has one variant: there is nothing to compare';
  else if (variants.length > experimentVariantsMax) {
    reason = `has ${variants.length} variants; an experiment has at most ${experimentVariantsMax}`;
  } else if (layer !== null && layerSalt === null) {
    reason = `names the layer "${layer}", which is not defined`;
  }
  if (reason === '') return null;
  const detail = `Experiment "${id}" cannot start: its rule "${segment}" ${reason}.`;
  return new Problem('experiment_rule', detail);
}

async function rejectTooMany(db: Db, experiment: ExperimentRecord): Promise<Problem | null> {
  const { environment, contentLower, segment } = experiment;
  const running = await listRunning(db, environment);
  const other = running.find((one) => one.contentLower === contentLower && one.segment === segment);
  if (other !== undefined) {
    const detail = `Experiment "${other.id}" runs with the same rule: stop it first.`;
    return new Problem('experiment_running', detail, [], { experiments: [other.id] });
  }
  if (running.length >= runningExperimentsMax) {
    const detail = `${runningExperimentsMax} experiments run in "${environment}": stop some first.`;
    return new Problem('limit_reached', detail);
  }
  if ((await lastPhase(db, experiment)) < experimentPhasesMax) return null;
  const detail = `Experiment "${experiment.id}" has had ${experimentPhasesMax} phases: make another one of the same rule.`;
  return new Problem('limit_reached', detail);
}
