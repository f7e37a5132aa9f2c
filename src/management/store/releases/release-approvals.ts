/** Rows of approvals: one for each user and release, for the digest that the user has seen. */
import type { Db } from '../dialect.js';
import type { ReleaseApprovalsTable } from '../tables/releases.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ReleaseId } from './releases.js';

export type ReleaseApproval = Readonly<Omit<ReleaseApprovalsTable, 'environment' | 'release'>>;

/** Oldest first. */
export async function listApprovals(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<ReleaseApproval[]> {
  return db
    .selectFrom('releaseApprovals')
    .select(['userId', 'userName', 'tokenId', 'digest', 'comment', 'at'])
    .where((where) => where.and({ environment, release }))
    .orderBy('at')
    .orderBy('userId')
    .execute();
}

/** Replaces what the user has given before. */
export async function putApproval(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  approval: ReleaseApproval,
): Promise<void> {
  const { userId: _, ...replaced } = approval;
  await write.db
    .insertInto('releaseApprovals')
    .values({ environment, release, ...approval })
    .onConflict((conflict) =>
      conflict.columns(['environment', 'release', 'userId']).doUpdateSet(replaced),
    )
    .execute();
}

/** Withdraws all approvals of a release. */
export async function deleteApprovals(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
): Promise<void> {
  await write.db
    .deleteFrom('releaseApprovals')
    .where((where) => where.and({ environment, release }))
    .execute();
}
