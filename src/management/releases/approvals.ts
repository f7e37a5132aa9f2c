/** How many approvals a release still needs. */
import type { Db } from '../store/dialect.js';
import { listApprovals } from '../store/releases/release-approvals.js';
import type { ReleaseRecord } from '../store/releases/releases.js';

/** Approvals that the environment asks for before anything is published; 0: none. */
export async function reviewersRequired(db: Db, environment: string): Promise<number> {
  const row = await db
    .selectFrom('reviewPolicies')
    .select('required')
    .where('environment', '=', environment)
    .executeTakeFirst();
  return row?.required ?? 0;
}

/** How many approvals of the release as it is are missing; 0: it may go on. */
export async function approvalsMissing(
  db: Db,
  environment: string,
  release: ReleaseRecord,
): Promise<number> {
  const required = await reviewersRequired(db, environment);
  if (required === 0) return 0;
  const approvals = await listApprovals(db, release);
  const given = approvals.filter(({ digest }) => digest === release.digest).length;
  return Math.max(required - given, 0);
}
