/** How many approvals a release needs: those of the environment's policy, and one where a guard wants it. */
import type { Db } from '../../store/dialect.js';
import { findReleaseFindings } from '../../store/releases/release-findings.js';
import type { ReleaseId } from '../../store/releases/releases.js';
import { reviewersRequired } from '../../store/review-policies.js';

/** 0: none. Guards are asked when the release is submitted. */
export async function approvalsRequired(db: Db, release: ReleaseId): Promise<number> {
  const required = await reviewersRequired(db, release.environment);
  if (required > 0) return required;
  const found = await findReleaseFindings(db, release);
  return found?.needsApproval === true ? 1 : 0;
}
