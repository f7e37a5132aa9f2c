/** Which experiments ran at a moment. */
import type { Db } from '../dialect.js';

/** An experiment, and the rule that it was about. */
export interface ExperimentThen {
  readonly id: string;
  readonly contentLower: string;
  readonly segment: string;
}

export async function listExperimentsAt(
  db: Db,
  environment: string,
  atMs: number,
): Promise<ExperimentThen[]> {
  return db
    .selectFrom('experiments')
    .select(['id', 'contentLower', 'segment'])
    .where('environment', '=', environment)
    .where('startedAt', '<=', atMs)
    .where((where) => where.or([where('stoppedAt', 'is', null), where('stoppedAt', '>', atMs)]))
    .orderBy('id')
    .execute();
}
