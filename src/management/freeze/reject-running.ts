/** A content whose experiments run cannot be deleted: nobody could look at what they found in it. */
import { Problem } from '../../contract/problems.js';
import { formatNames } from '../format-names.js';
import type { Db } from '../store/dialect.js';
import { listRunning } from '../store/experiments/experiments.js';

/** Null: none of its experiments runs. */
export async function rejectRunning(
  db: Db,
  environment: string,
  idLower: string,
): Promise<Problem | null> {
  const running = await listRunning(db, environment);
  const ids = running.filter(({ contentLower }) => contentLower === idLower).map(({ id }) => id);
  if (ids.length === 0) return null;
  const detail = `Experiments of this content run: ${formatNames(ids)}. Stop them first.`;
  return new Problem('experiment_running', detail, [], { experiments: ids });
}
