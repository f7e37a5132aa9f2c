/**
 * What assigns the players of a running experiment to variants is frozen: whatever changes it asks here before it goes live, within its
 * transaction. What is found has to be confirmed as findings of guards are; the store begins the new phase (follow-live.ts).
 */
import { changedMembers, type FrozenRule } from '../../content/experiments/frozen-rule.js';
import { experimentPhasesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { formatNames } from '../format-names.js';
import type { ContentFindings } from '../guards/confirmation.js';
import type { Db } from '../store/dialect.js';
import { listOpenPhases } from '../store/experiments/experiment-phases.js';
import { type ExperimentRecord, listRunning } from '../store/experiments/experiments.js';
import { hasVariant } from '../store/experiments/follow-live.js';
import { concerns, type GoesLive, readRule } from '../store/experiments/live-rules.js';
import { rejectOverlap } from './reject-overlap.js';

/** What a write would do to a running experiment. */
export interface ExperimentChange {
  readonly experiment: ExperimentRecord;
  /** What changes, in words; empty: only what its variants change, or the rule is gone. */
  readonly changed: readonly string[];
  /** The rule as it would be; null: it is gone, or it has lost its control. */
  readonly after: FrozenRule | null;
  /** It has had as many phases as there may be. */
  readonly isInLastPhase: boolean;
}

/** Of experiments that run; those that the write leaves alone are not among them. */
export async function findExperimentChanges(
  db: Db,
  environment: string,
  goesLive: GoesLive,
): Promise<ExperimentChange[]> {
  const running = await listRunning(db, environment);
  const concerned = running.filter((experiment) => concerns(experiment, goesLive));
  if (concerned.length === 0) return [];
  const phases = await listOpenPhases(db, environment);
  const changes: ExperimentChange[] = [];
  for (const experiment of concerned) {
    const phase = phases.get(experiment.id);
    if (phase === undefined) continue;
    const { rule: before, number } = phase;
    const rule = await readRule(db, experiment, goesLive);
    const after = typeof rule === 'string' || !hasVariant(rule, experiment.control) ? null : rule;
    const changed = after === null ? [] : changedMembers(before, after);
    const isTouched = after === null || changed.length > 0 || after.values !== before.values;
    const isInLastPhase = number >= experimentPhasesMax;
    if (isTouched) changes.push({ experiment, changed, after, isInLastPhase });
  }
  return changes;
}

/** What has to be confirmed of them. */
export function experimentFindings(changes: readonly ExperimentChange[]): ContentFindings[] {
  return changes.flatMap(({ experiment, changed, after, isInLastPhase }) => {
    if (after !== null && changed.length === 0) return [];
    const { id, content, segment } = experiment;
    const what =
      after === null
        ? `its rule "${segment}" would be removed or lose its control: the experiment would stop.`
        : `this changes its rule "${segment}": ${formatNames(changed)}. ${isInLastPhase ? stopsAfterLastPhase : beginsPhase}`;
    const message = `Experiment "${id}" is running, and ${what}`;
    const kind = 'experiment_changed' as const;
    return [
      { content, findings: [{ kind, severity: 'block' as const, version: '', path: '', message }] },
    ];
  });
}

const beginsPhase = 'A new phase would begin, and its results would start from zero.';
const stopsAfterLastPhase = `The experiment would stop: it has had ${experimentPhasesMax} phases, the most there may be.`;

/** What a write has to have confirmed, or why it may not go live at all: slices that overlap. */
export async function askExperiments(
  db: Db,
  environment: string,
  goesLive: GoesLive,
): Promise<readonly ContentFindings[] | Problem> {
  const changes = await findExperimentChanges(db, environment, goesLive);
  if (changes.length === 0) return [];
  const after = new Map(changes.map(({ experiment, after: rule }) => [experiment.id, rule]));
  return (await rejectOverlap(db, environment, after)) ?? experimentFindings(changes);
}

/** Why a release that changes running experiments cannot ramp; null: it changes none. */
export async function rejectRampOfExperiments(
  db: Db,
  environment: string,
  goesLive: GoesLive,
): Promise<Problem | null> {
  const changes = await findExperimentChanges(db, environment, goesLive);
  if (changes.length === 0) return null;
  const ids = changes.map(({ experiment }) => experiment.id);
  const detail = `It changes experiments that run: ${formatNames(ids)}. A ramp would mix players of both states: make it live at once, or stop them first.`;
  return new Problem('experiment_running', detail, [], { experiments: ids });
}
