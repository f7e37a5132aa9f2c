/** The review of a release: it is submitted, approved, or sent back. Any edit of it withdraws the approvals. */
import { Problem } from '../../../contract/problems.js';
import { type ConfirmRequest, rejectUnconfirmed } from '../../guards/confirmation.js';
import { deleteApprovals, putApproval } from '../../store/releases/release-approvals.js';
import type { UnitOfWork } from '../../store/unit-of-work.js';
import type { Bearer } from '../../store/users/tokens.js';
import { readChangeFacts } from '../change-facts.js';
import { type CheckedRelease, checkAgain, rejectState, stillHolds } from '../check-release.js';
import { notSubmitted } from '../edit-release.js';
import type { HeldRelease } from '../held-release.js';
import { rejectConflicts } from '../readiness.js';
import { confirmedBy, foundInRelease, keepSubmitted } from '../release-confirmation.js';
import { type Transited, transit } from '../transition.js';
import { approvalsMissing, readReviewFacts, rejectApprover } from './approvals.js';
import { digestOfRelease } from './digest.js';

export interface Submission extends ConfirmRequest {
  readonly comment: string;
}

/** Where neither the environment nor a guard asks for approvals, the release is approved at once. */
export async function submitRelease(
  write: UnitOfWork,
  held: HeldRelease,
  checked: CheckedRelease,
  { comment, ...request }: Submission,
): Promise<Transited | Problem | typeof checkAgain> {
  const { release } = held;
  const facts = await readChangeFacts(write.db, release);
  const rejected = rejectState(held, 'submit') ?? rejectConflicts(release, facts);
  if (rejected !== null) return rejected;
  if (!(await stillHolds(write.db, release, checked))) return checkAgain;
  const found = await foundInRelease(write.db, release, facts, checked.found, request);
  if (found instanceof Problem) return found;
  const unconfirmed = rejectUnconfirmed(found, request.confirm);
  if (unconfirmed !== null) return unconfirmed;
  const needsReview = held.hasPolicy || found?.needsApproval === true;
  const confirmed = await confirmedBy(write.db, release, found, request);
  const { userId, name } = write.actor;
  const done = await transit(write, release, {
    ...{ transition: 'submit', to: needsReview ? 'review' : 'approved', needsReview },
    ...{ action: 'release.submit', publishes: false, text: comment },
    event: needsReview ? 'release.submitted' : 'release.approved',
    columns: {
      ...{ submittedBy: userId, submittedByName: name, submittedAt: write.at },
      ...{
        digest: await digestOfRelease(write.db, release, facts, confirmed),
        reason: '',
        endedAt: null,
      },
    },
  });
  if (done instanceof Problem) return done;
  await deleteApprovals(write, release);
  await keepSubmitted(write, release, found, request);
  return done;
}

export interface Approval {
  /** Of the release that the user looked at. */
  readonly digest: string;
  readonly comment: string;
}

/** The digest decides what is approved: an edit in between leaves nothing that it fits. */
export async function approveRelease(
  write: UnitOfWork,
  held: HeldRelease,
  { user, token }: Bearer,
  { digest, comment }: Approval,
): Promise<Transited | Problem> {
  const { release, needsReview } = held;
  const rejected = rejectState(held, 'approve');
  if (rejected !== null) return rejected;
  const facts = await readReviewFacts(write.db, release);
  if (digest !== facts.digest) {
    const { version } = release;
    const detail = `Release ${release.release}, or what it reaches, is not what you have looked at any more: look at it again.`;
    return new Problem('release_changed', detail, [], { release: release.release, version });
  }
  const reason =
    token.source === 'environment'
      ? 'LOADOUT_ADMIN_TOKEN belongs to the server: people approve with tokens of their own.'
      : await rejectApprover(write.db, facts, user, token.id);
  if (reason !== '') return new Problem('approval_forbidden', reason);
  const given = { userId: user.id, userName: user.name, tokenId: token.id };
  await putApproval(write, release, { ...given, digest, comment, at: write.at });
  const missing = await approvalsMissing(write.db, release);
  return transit(write, release, {
    ...{ transition: 'approve', to: missing === 0 ? 'approved' : 'review', needsReview },
    ...{ action: 'release.approve', publishes: false, text: comment },
    event: missing === 0 ? 'release.approved' : null,
    columns: { digest },
    details: { digest, missing },
  });
}

/** It is a draft again. */
export async function rejectRelease(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  comment: string,
): Promise<Transited | Problem> {
  const done = await transit(write, release, {
    ...{ transition: 'reject', to: 'draft', action: 'release.reject', event: 'release.rejected' },
    ...{ needsReview, publishes: false, text: comment },
    columns: { ...notSubmitted, reason: comment },
  });
  if (!(done instanceof Problem)) await deleteApprovals(write, release);
  return done;
}
