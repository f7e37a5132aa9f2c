/** Whose approvals of a release count at this moment, and how many are missing. */
import type { Release } from '../../../contract/schemas/release.js';
import { seesEnvironment } from '../../http/auth/environment-scope.js';
import type { Db } from '../../store/dialect.js';
import { type Environment, findEnvironment } from '../../store/environments.js';
import { listApprovals, type ReleaseApproval } from '../../store/releases/release-approvals.js';
import {
  listReleaseChanges,
  type ReleaseChangeRecord,
} from '../../store/releases/release-changes.js';
import { findReleaseFindings } from '../../store/releases/release-findings.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import { findTokenMaker } from '../../store/users/origins.js';
import { findUser, type User } from '../../store/users/users.js';
import { toIso } from '../../to-iso.js';
import { approvalsRequired } from './approvals-required.js';
import { type Authors, findAuthors } from './authors.js';
import { digestOfRelease } from './digest.js';

/** What decides about the approvals of one release. */
export interface ReviewFacts {
  readonly release: ReleaseRecord;
  /** Null: the environment is gone. */
  readonly environment: Environment | null;
  /** Of the release as it is now; of one that is over, what was approved last. */
  readonly digest: string;
  readonly authors: Authors;
  /** The release changes settings of the environment, which is for owners. */
  readonly needsOwner: boolean;
}

export async function readReviewFacts(db: Db, release: ReleaseRecord): Promise<ReviewFacts> {
  const changes: readonly ReleaseChangeRecord[] = await listReleaseChanges(db, release);
  return {
    release,
    environment: await findEnvironment(db, release.environment),
    // What it reached then is what was approved.
    digest: isOver(release) ? release.digest : await currentDigest(db, release, changes),
    authors: await findAuthors(db, release, changes),
    needsOwner: changes.some(({ kind }) => kind === 'environment'),
  };
}

async function currentDigest(
  db: Db,
  release: ReleaseRecord,
  changes: readonly ReleaseChangeRecord[],
): Promise<string> {
  const found = await findReleaseFindings(db, release);
  return digestOfRelease(db, release, changes, found?.confirmed ?? null);
}

function isOver({ state }: ReleaseRecord): boolean {
  return state === 'live' || state === 'reverted' || state === 'cancelled';
}

/** How many approvals of the release as it is are missing; 0: it may go on. */
export async function approvalsMissing(db: Db, release: ReleaseRecord): Promise<number> {
  const required = await approvalsRequired(db, release);
  if (required === 0) return 0;
  const facts = await readReviewFacts(db, release);
  let given = 0;
  for (const approval of await listApprovals(db, release)) {
    if ((await rejectApproval(db, facts, approval)) === '') given += 1;
  }
  return Math.max(required - given, 0);
}

/** Each approval, and why it does not count. */
export async function describeApprovals(
  db: Db,
  facts: ReviewFacts,
): Promise<Release['review']['approvals']> {
  const described: Release['review']['approvals'][number][] = [];
  for (const approval of await listApprovals(db, facts.release)) {
    const { userName: user, at, comment } = approval;
    const reason = await rejectApproval(db, facts, approval);
    described.push({ user, at: toIso(at), comment, counts: reason === '', reason });
  }
  return described;
}

/** A sentence that says why an approval does not count; '': it does. */
async function rejectApproval(
  db: Db,
  facts: ReviewFacts,
  { userId, tokenId, digest }: ReleaseApproval,
): Promise<string> {
  if (digest !== facts.digest) return 'The release was changed since.';
  const user = await findUser(db, userId);
  if (user === null) return 'The user was deleted since.';
  return rejectApprover(db, facts, user, tokenId);
}

/**
 * A sentence that says why this user cannot approve the release; '': they can.
 * @param tokenId the token that they approve with
 */
export async function rejectApprover(
  db: Db,
  { release, environment, authors, needsOwner }: ReviewFacts,
  user: User,
  tokenId: string,
): Promise<string> {
  const { id, name, role } = user;
  if (user.service) return `"${name}" is a program: people approve releases.`;
  const isOwner = role === 'owner';
  const mayEdit = isOwner || (role === 'editor' && environment?.protected !== true);
  if (!mayEdit || !seesEnvironment(user, release.environment)) {
    return `"${name}" may not edit the environment.`;
  }
  if (needsOwner && !isOwner)
    return 'The release changes the environment itself, which is for owners.';
  if (authors.own.has(id)) return `"${name}" has made part of the release.`;
  if (authors.all.has(id)) return `An author of the release made the user "${name}".`;
  if (release.submittedAt !== null && user.createdAtMs > release.submittedAt) {
    return `"${name}" became a user after the release was submitted.`;
  }
  const maker = await findTokenMaker(db, tokenId);
  if (authors.all.has(maker)) return `An author of the release made the token of "${name}".`;
  return '';
}
