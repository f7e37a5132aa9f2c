/** Holds a sync or an import to the dry run that somebody looked at. */

import { Problem } from '../../contract/problems.js';
import { rejectProtected } from '../store/edit-environment.js';
import type { Environment } from '../store/environments.js';
import type { Actor } from '../store/unit-of-work.js';

/**
 * Why it must not go on: the environment is protected and nobody looked, or what they looked at is no longer so.
 * @param planGiven null: none was sent
 * @param planNow the id that a dry run would answer now
 */
export function rejectStalePlan(
  environment: Environment,
  planGiven: string | null,
  planNow: string,
): Problem | null {
  if (planGiven === null) return refuseUnseen(environment);
  if (planGiven === planNow) return null;
  const detail = 'Something changed since the dry run that the plan is of: make another one.';
  return new Problem('plan_stale', detail);
}

/** The same as far as it can be told before anything was looked at, with who may edit at all. */
export function rejectUnplanned(
  environment: Environment,
  actor: Actor,
  planGiven: string | null,
): Problem | null {
  const refused = rejectProtected(environment, actor);
  if (refused !== null) return refused;
  return planGiven === null ? refuseUnseen(environment) : null;
}

function refuseUnseen({ id, protected: isProtected }: Environment): Problem | null {
  if (!isProtected) return null;
  const detail = `"${id}" is protected: make a dry run, look at it, and send its "plan" along.`;
  return new Problem('plan_required', detail);
}
