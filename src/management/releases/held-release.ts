/** The first step of every write to a release: its environment is held, and the release is as the request expects it. */
import type { Problem } from '../../contract/problems.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown, rejectProtected } from '../store/edit-environment.js';
import { type Environment, findEnvironment, holdEnvironment } from '../store/environments.js';
import { findRelease, type ReleaseRecord } from '../store/releases/releases.js';
import { reviewersRequired } from '../store/review-policies.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { approvalsRequired } from './review/approvals-required.js';
import { rejectOtherVersion, releaseUnknown } from './transition.js';

/** A release with what decides about its transitions. */
export interface HeldRelease {
  readonly environment: Environment;
  readonly release: ReleaseRecord;
  /** The environment asks for approvals, or a guard does for what the release brings. */
  readonly needsReview: boolean;
  /** The environment does. */
  readonly hasPolicy: boolean;
}

/** Which release a request is about. */
export interface ReleaseRequest {
  readonly environment: string;
  readonly release: number;
  /** The version that the request was made from; left out: any. */
  readonly ifVersion?: number | undefined;
}

/** Reads a release for a request, without holding anything. */
export async function readRelease(
  db: Db,
  { environment: id, release: number, ifVersion }: ReleaseRequest,
): Promise<HeldRelease | Problem> {
  const environment = await findEnvironment(db, id);
  if (environment === null) return environmentUnknown(id);
  const release = await findRelease(db, id, number);
  if (release === null) return releaseUnknown({ environment: id, release: number });
  const otherVersion = rejectOtherVersion(release, ifVersion);
  if (otherVersion !== null) return otherVersion;
  const needsReview = (await approvalsRequired(db, release)) > 0;
  return { environment, release, needsReview, hasPolicy: (await reviewersRequired(db, id)) > 0 };
}

/**
 * The same, held until the transaction ends. Protection is not looked at: editors make and submit releases for protected
 * environments.
 */
export async function holdRelease(
  write: UnitOfWork,
  request: ReleaseRequest,
): Promise<HeldRelease | Problem> {
  await holdEnvironment(write, request.environment);
  return readRelease(write.db, request);
}

/**
 * Why this user may not make the release reach players; null: they may. In a protected environment that asks for approvals
 * the approvals decide, in another one only owners do.
 */
export function rejectActor(
  { environment, hasPolicy }: HeldRelease,
  { actor }: UnitOfWork,
): Problem | null {
  return hasPolicy ? null : rejectProtected(environment, actor);
}
