/** Names the state that a dry run looked at, so that what it showed is what is done, or is rejected (D37). */
import { createHash } from 'node:crypto';
import { Problem } from '../../contract/problems.js';
import type { StoredContent } from '../store/contents/content-states.js';
import { rejectProtected } from '../store/edit-environment.js';
import type { Environment } from '../store/environments.js';
import type { Segment } from '../store/segments.js';
import type { Actor } from '../store/unit-of-work.js';

/** Equal for equal parts in equal order. A change of any of them gives another id. */
export class PlanId {
  readonly #hash = createHash('sha256');

  add(part: readonly unknown[]): this {
    this.#hash.update(JSON.stringify(part)).update('\n');
    return this;
  }

  /** Everything about a content that a plan depends on: its revisions are immutable, so their numbers stand for them. */
  addContent(content: StoredContent): this {
    const { idLower, id, newest, live, deleted, description, tags, schema } = content;
    return this.add([idLower, id, newest, live?.number, deleted, description, tags, schema]);
  }

  addSegment({ name, condition, description }: Segment): this {
    return this.add([name, condition, description]);
  }

  /** Short enough to be read out, long enough that nobody meets another plan's by chance. Nothing can be added after. */
  get text(): string {
    return this.#hash.digest('hex').slice(0, 32);
  }
}

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
