/** Experiments as the API shows them. */
import { type FrozenRule, frozenRuleOf } from '../../content/experiments/frozen-rule.js';
import { noLayers } from '../../content/layers.js';
import type {
  Experiment,
  ExperimentPhase,
  ExperimentSummary,
} from '../../contract/schemas/experiment.js';
import { findContent } from '../store/contents/contents.js';
import { findRevision } from '../store/contents/revisions.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import { listLog } from '../store/experiments/experiment-log.js';
import {
  listAllPhases,
  listPhases,
  type PhaseRecord,
} from '../store/experiments/experiment-phases.js';
import type { ExperimentRecord } from '../store/experiments/experiments.js';
import { readRule } from '../store/experiments/live-rules.js';
import { readReleaseStates } from '../store/releases/releases.js';
import { toIso } from '../to-iso.js';

export async function experimentJson(db: Db, experiment: ExperimentRecord): Promise<Experiment> {
  const phases = await listPhases(db, experiment);
  const log = await listLog(db, experiment);
  const states = await statesOf(db, experiment.environment, [experiment]);
  const { hypothesis, guardMetrics, smallestEffect } = experiment;
  return {
    ...summaryJson(experiment, phases.at(-1), states),
    ...{ hypothesis, guardMetrics, smallestEffect },
    ...drawJson(phases.at(-1)?.rule ?? (await ruleOfDraft(db, experiment))),
    phases: phases.map(phaseJson),
    log: log.map(({ at, userName: user, text: what }) => ({ at: toIso(at), user, what })),
  };
}

/** Of many experiments of one environment, with two more looks at the store. */
export async function summariesJson(
  db: Db,
  environment: string,
  experiments: readonly ExperimentRecord[],
): Promise<ExperimentSummary[]> {
  if (experiments.length === 0) return [];
  const last = new Map<string, PhaseRecord>();
  for (const phase of await listAllPhases(db, environment)) last.set(phase.experiment, phase);
  const states = await statesOf(db, environment, experiments);
  return experiments.map((experiment) => summaryJson(experiment, last.get(experiment.id), states));
}

type ReleaseStates = Awaited<ReturnType<typeof readReleaseStates>>;

/** Of the releases that decisions made. */
function statesOf(
  db: Db,
  environment: string,
  experiments: readonly ExperimentRecord[],
): Promise<ReleaseStates> {
  const releases = experiments.map(({ decision }) => decision?.release ?? null);
  return readReleaseStates(
    db,
    environment,
    releases.filter((release) => release !== null),
  );
}

/** @param states of the releases of decisions */
function summaryJson(
  experiment: ExperimentRecord,
  phase: PhaseRecord | undefined,
  states: ReleaseStates,
): ExperimentSummary {
  const { id, name, owner, content, segment, state, control, primaryMetric } = experiment;
  const { plannedDays, createdAt, startedAt, stoppedAt, decidedAt, decision } = experiment;
  return {
    ...{ id, name, owner, content, segment, state, control, primaryMetric, plannedDays },
    ...{ phase: phase?.number ?? 0, phaseStartedAt: toIso(phase?.startedAt ?? null) },
    ...{ createdAt: toIso(createdAt), startedAt: toIso(startedAt) },
    ...{ stoppedAt: toIso(stoppedAt), decidedAt: toIso(decidedAt) },
    decision: decision && { ...decision, releaseState: states.get(decision.release ?? 0) ?? null },
  };
}

function phaseJson({ number, startedAt, endedAt, reason, rule }: PhaseRecord): ExperimentPhase {
  const times = { startedAt: toIso(startedAt), endedAt: toIso(endedAt) };
  return { number, ...times, reason, ...drawJson(rule) };
}

/** @param rule null: there is none */
function drawJson(rule: FrozenRule | null) {
  const { salt = null, layer = null, slice = null, variants = [] } = rule ?? {};
  return {
    ...{ salt, layer, slice: slice === null ? null : ([slice[0], slice[1]] as [number, number]) },
    variants: variants.map(({ name, groups: [first, last] }) => {
      return { name, groups: [first, last] as [number, number] };
    }),
  };
}

/** Before the start: as it is live, or as it is saved. */
async function ruleOfDraft(db: Db, experiment: ExperimentRecord): Promise<FrozenRule | null> {
  const live = await readRule(db, experiment);
  if (typeof live !== 'string') return live;
  const { environment, contentLower, segment } = experiment;
  const content = await findContent(db, environment, contentLower);
  if (content?.deletedAtMs !== null) return null;
  const newest = await findRevision(db, environment, contentLower, content.newest);
  const digest = newest?.mapping ?? null;
  if (digest === null) return null;
  const mapping = await readText(db, digest);
  const rule = frozenRuleOf({ mapping, conditionOf: () => null, layers: noLayers }, segment);
  return typeof rule === 'string' ? null : rule;
}
