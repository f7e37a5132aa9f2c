/** What happens to a release before it reaches players: it is scheduled, taken off its schedule, cancelled, or fails. */
import { Problem } from '../../contract/problems.js';
import type { ConfirmRequest } from '../guards/confirmation.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { toIso } from '../to-iso.js';
import { readChangeFacts } from './change-facts.js';
import { type CheckedRelease, checkAgain, rejectState, stillHolds } from './check-release.js';
import { type HeldRelease, rejectActor } from './held-release.js';
import {
  rejectConflicts,
  rejectExperimentRamp,
  rejectOwnSettings,
  rejectUnapproved,
} from './readiness.js';
import { foundInRelease, keepFound, rejectFoundInRelease } from './release-confirmation.js';
import { type Transited, transit } from './transition.js';

export interface Schedule extends ConfirmRequest {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Later than this after its time the release fails. */
  readonly toleranceMs: number;
}

/**
 * The leader starts the release at its time, or makes it live where it has no steps. What would keep it from that now rejects
 * the schedule; another ramp does not, because it may have ended by then.
 */
export async function scheduleRelease(
  write: UnitOfWork,
  held: HeldRelease,
  checked: CheckedRelease,
  { atMs, toleranceMs, ...request }: Schedule,
): Promise<Transited | Problem | typeof checkAgain> {
  const { release, needsReview } = held;
  const rejected =
    rejectState(held, 'schedule') ??
    rejectActor(held, write) ??
    rejectPast(atMs, write.at) ??
    (await rejectUnapproved(write.db, release));
  if (rejected !== null) return rejected;
  const facts = await readChangeFacts(write.db, release);
  const unready =
    rejectOwnSettings(held, facts) ??
    rejectConflicts(release, facts) ??
    (await rejectExperimentRamp(write.db, release, facts));
  if (unready !== null) return unready;
  if (!(await stillHolds(write.db, release, checked))) return checkAgain;
  const asked = await foundInRelease(write.db, release, facts, checked.found, request);
  if (asked instanceof Problem) return asked;
  const unconfirmed = await rejectFoundInRelease(write.db, held, asked, request);
  if (unconfirmed !== null) return unconfirmed;
  const done = await transit(write, release, {
    ...{ transition: 'schedule', to: 'scheduled', action: 'release.schedule' },
    ...{ event: 'release.scheduled', needsReview, publishes: false },
    text: `For ${toIso(atMs)}.`,
    columns: { scheduledAt: atMs, toleranceMs, reason: '' },
  });
  if (!(done instanceof Problem)) await keepFound(write, held, asked, request);
  return done;
}

/** The approvals stay. Where none are asked for, it is approved as well. */
export async function takeOffSchedule(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  reason: string,
): Promise<Transited | Problem> {
  return transit(write, release, {
    ...{ transition: 'unschedule', to: 'approved', action: 'release.schedule' },
    ...{ event: 'release.scheduled', needsReview, publishes: false },
    text: reason === '' ? 'Taken off its schedule.' : reason,
    columns: { scheduledAt: null, toleranceMs: 0, reason },
  });
}

export async function cancelRelease(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  reason: string,
): Promise<Transited | Problem> {
  return transit(write, release, {
    ...{ transition: 'cancel', to: 'cancelled', action: 'release.cancel' },
    ...{ event: 'release.cancelled', needsReview, publishes: false, text: reason },
    columns: { scheduledAt: null, toleranceMs: 0, reason, endedAt: write.at },
  });
}

/** @param reason a sentence that says what to do */
export async function failRelease(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  reason: string,
): Promise<Transited | Problem> {
  return transit(write, release, {
    ...{ transition: 'fail', to: 'failed', action: 'release.fail' },
    ...{ event: 'release.failed', needsReview, publishes: false, text: reason },
    columns: { scheduledAt: null, toleranceMs: 0, reason, endedAt: write.at },
  });
}

function rejectPast(atMs: number, nowMs: number): Problem | null {
  if (atMs > nowMs) return null;
  const message = `must be in the future; the store's clock says ${toIso(nowMs)}`;
  return new Problem('invalid_body', 'The body of the request is not valid.', [
    { path: 'at', message },
  ]);
}
