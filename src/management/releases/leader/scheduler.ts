/** The user that has scheduled a release. The leader acts for them, so they must still be allowed to when the time comes. */
import { Problem } from '../../../contract/problems.js';
import { seesEnvironment } from '../../http/auth/environment-scope.js';
import type { Db } from '../../store/dialect.js';
import { rejectProtected } from '../../store/edit-environment.js';
import type { Environment } from '../../store/environments.js';
import { findLastSchedule } from '../../store/releases/release-timeline.js';
import { findUser, type User } from '../../store/users/users.js';
import type { HeldRelease } from '../held-release.js';

/**
 * Why the schedule does not count any more; null: it does. Where approvals are asked for, these decide, as for a user that
 * acts at once (`rejectActor`). Programs may schedule; a token that was revoked since does not matter, because the role is the
 * user's.
 */
export async function rejectScheduler(
  db: Db,
  { environment, release, needsReview }: HeldRelease,
): Promise<Problem | null> {
  if (needsReview) return null;
  const scheduled = await findLastSchedule(db, release);
  // '' is the server itself.
  if (scheduled === null || scheduled.userId === '') return null;
  const lost = lostRight(environment, await findUser(db, scheduled.userId));
  if (lost === null) return null;
  const may = environment.protected ? 'an owner' : 'a user that may edit the environment';
  const detail = `"${scheduled.userName}" has scheduled the release and ${lost}: ${may} can submit and schedule it again.`;
  return new Problem('forbidden', detail);
}

/** Why the user may not make releases go live in the environment now, as part of a sentence; null: they may. */
function lostRight(environment: Environment, user: User | null): string | null {
  if (user === null) return 'was deleted since';
  if (!['editor', 'owner'].includes(user.role) || !seesEnvironment(user, environment.id)) {
    return `may not edit "${environment.id}" any more`;
  }
  if (rejectProtected(environment, user) === null) return null;
  return `is no owner, and "${environment.id}" is protected`;
}
