/** Whether a release waits for one user's approval. */
import type { Db } from '../../store/dialect.js';
import { listApprovals } from '../../store/releases/release-approvals.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import type { UserOrigin } from '../../store/users/origins.js';
import type { Bearer } from '../../store/users/tokens.js';
import { readReviewFacts, rejectApprover } from './approvals.js';

/** Whether the user may approve a release, and has not yet. */
export async function waitsFor(
  db: Db,
  release: ReleaseRecord,
  origins: readonly UserOrigin[],
  { user, token }: Bearer,
): Promise<boolean> {
  const facts = await readReviewFacts(db, release, { origins });
  const given = await listApprovals(db, release);
  if (given.some(({ userId, digest }) => userId === user.id && digest === facts.digest)) {
    return false;
  }
  return (await rejectApprover(db, facts, user, token.id)) === '';
}
