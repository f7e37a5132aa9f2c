/** How many approvals a release still needs. */
import type { Release } from '../../contract/schemas/release.js';
import type { Db } from '../store/dialect.js';
import { listApprovals } from '../store/releases/release-approvals.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import { toIso } from '../to-iso.js';

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

/** Each approval, and whether it is for the release as it is. */
export async function describeApprovals(
  db: Db,
  release: ReleaseRecord,
): Promise<Release['review']['approvals']> {
  const approvals = await listApprovals(db, release);
  return approvals.map(({ userName: user, at, comment, digest }) => {
    const counts = digest === release.digest;
    const reason = counts ? '' : 'The release was changed since.';
    return { user, at: toIso(at), comment, counts, reason };
  });
}
