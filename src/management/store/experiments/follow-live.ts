/**
 * Running experiments follow what a write has made live: within the same transaction, whichever way it went live, what
 * assigns players differently begins another phase, and a rule that is gone stops its experiment (D93). The gate has asked before
 * (freeze/ask-experiments.ts); this is what happens then, and what happens when nobody can be asked, as with a revert.
 */
import { changedMembers, type FrozenRule } from '../../../content/experiments/frozen-rule.js';
import { experimentPhasesMax } from '../../../contract/limits.js';
import { formatNames } from '../../format-names.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { addToLog } from './experiment-log.js';
import {
  beginPhase,
  endPhase,
  listOpenPhases,
  type PhaseRecord,
  updatePhaseRule,
} from './experiment-phases.js';
import { type ExperimentRecord, listRunning, updateExperiment } from './experiments.js';
import { readRule } from './live-rules.js';

/** The last thing that a write does before its changes are numbered. */
export async function followLive(write: UnitOfWork): Promise<void> {
  const changed = new Map<string, Set<string>>();
  for (const { kind, environment, name } of write.changed) {
    if (kind !== 'content' && kind !== 'segment') continue;
    const names = changed.get(environment) ?? new Set();
    changed.set(environment, names.add(`${kind} ${name}`));
  }
  for (const [environment, names] of changed) await followIn(write, environment, names);
}

/** @param names `content ID` and `segment NAME` */
async function followIn(
  write: UnitOfWork,
  environment: string,
  names: ReadonlySet<string>,
): Promise<void> {
  const running = (await listRunning(write.db, environment)).filter(
    ({ contentLower, segment }) =>
      names.has(`content ${contentLower}`) || names.has(`segment ${segment}`),
  );
  if (running.length === 0) return;
  const phases = await listOpenPhases(write.db, environment);
  let isChanged = false;
  for (const experiment of running) {
    const phase = phases.get(experiment.id);
    if (phase !== undefined && (await followOne(write, experiment, phase))) isChanged = true;
  }
  if (isChanged) write.markChanged('environment', environment, '');
}

/** @returns whether delivery counts differently from now on */
async function followOne(
  write: UnitOfWork,
  experiment: ExperimentRecord,
  phase: PhaseRecord,
): Promise<boolean> {
  const { environment, id } = experiment;
  const rule = await readRule(write.db, experiment);
  if (typeof rule === 'string') return stopFor(write, experiment, 'Its rule was removed');
  if (!hasVariant(rule, experiment.control)) {
    return stopFor(write, experiment, 'Its control was removed');
  }
  const changed = changedMembers(phase.rule, rule);
  if (changed.length > 0 && phase.number >= experimentPhasesMax) {
    const reason = `Its rule was changed after ${experimentPhasesMax} phases, the most there may be`;
    return stopFor(write, experiment, reason);
  }
  if (changed.length > 0) {
    await endPhase(write, experiment);
    const reason = `Changed: ${formatNames(changed)}.`;
    const number = await beginPhase(write, experiment, rule, reason);
    await addToLog(write, experiment, `Phase ${number} began. ${reason}`);
    await write.audit('experiment.phase', environment, id, { phase: number, changed });
    return true;
  }
  if (rule.values !== phase.rule.values) {
    await updatePhaseRule(write, phase, rule);
    await addToLog(write, experiment, 'What its variants change was edited.');
  }
  return false;
}

/** @returns true: delivery no longer counts it */
async function stopFor(
  write: UnitOfWork,
  experiment: ExperimentRecord,
  reason: string,
): Promise<true> {
  const { environment, id } = experiment;
  await endPhase(write, experiment);
  await updateExperiment(write, experiment, { state: 'stopped', stoppedAt: write.at });
  await addToLog(write, experiment, `${reason}: the experiment was stopped.`);
  await write.audit('experiment.stop', environment, id, { reason });
  return true;
}

export function hasVariant({ variants }: FrozenRule, name: string): boolean {
  return variants.some((variant) => variant.name === name);
}
