/** The experiments whose exposures may be among events that wait, with what drew their players. */
import type { ExperimentRule, PhaseRule } from '../../analysis/storage/experiment-rules.js';
import type { FrozenRule } from '../../content/experiments/frozen-rule.js';
import type { Db } from '../store/dialect.js';

/** An event is 7 days old when it is received, and may wait for a database that is away for weeks. */
const endedMsMax = 90 * 24 * 3_600_000;

/** Of all environments. */
export async function listPhaseRules(db: Db, nowMs: number): Promise<readonly ExperimentRule[]> {
  const rows = await db
    .selectFrom('experimentPhases')
    .innerJoin('experiments', (join) =>
      join
        .onRef('experiments.environment', '=', 'experimentPhases.environment')
        .onRef('experiments.id', '=', 'experimentPhases.experiment'),
    )
    .select(['experiments.environment', 'experiments.id', 'contentLower', 'segment'])
    .select(['number', 'experimentPhases.startedAt', 'endedAt', 'rule'])
    .where((where) =>
      where.or([where('endedAt', 'is', null), where('endedAt', '>', nowMs - endedMsMax)]),
    )
    .orderBy('experiments.environment')
    .orderBy('experiments.id')
    .orderBy('number')
    .execute();
  const rules = new Map<string, ExperimentRule & { readonly phases: PhaseRule[] }>();
  for (const { environment, id, contentLower, segment, ...phase } of rows) {
    const key = `${environment}/${id}`;
    const known = rules.get(key) ?? { environment, id, content: contentLower, segment, phases: [] };
    known.phases.push(phaseRuleOf(phase));
    rules.set(key, known);
  }
  return [...rules.values()];
}

function phaseRuleOf(row: {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly rule: string;
}): PhaseRule {
  const { salt, layerSalt, slice, variants } = JSON.parse(row.rule) as FrozenRule;
  return {
    ...{ number: row.number, startedAtMs: row.startedAt, endedAtMs: row.endedAt, salt, variants },
    layer: layerSalt === null || slice === null ? null : { salt: layerSalt, slice },
  };
}
