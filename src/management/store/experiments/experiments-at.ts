/** Which experiments ran at a moment. */
import type { Db } from '../dialect.js';

/** An experiment, and the rule that it was about. */
export interface ExperimentThen {
  readonly id: string;
  readonly contentLower: string;
  readonly segment: string;
}

/** Those of which a phase was under way: one that was stopped and started again ran in each of them, and not in between. */
export async function listExperimentsAt(
  db: Db,
  environment: string,
  atMs: number,
): Promise<ExperimentThen[]> {
  return db
    .selectFrom('experiments')
    .innerJoin('experimentPhases as phase', (join) =>
      join
        .onRef('phase.environment', '=', 'experiments.environment')
        .onRef('phase.experiment', '=', 'experiments.id'),
    )
    .select(['experiments.id', 'experiments.contentLower', 'experiments.segment'])
    .where('experiments.environment', '=', environment)
    .where('phase.startedAt', '<=', atMs)
    .where((where) =>
      where.or([where('phase.endedAt', 'is', null), where('phase.endedAt', '>', atMs)]),
    )
    .orderBy('experiments.id')
    .execute();
}
