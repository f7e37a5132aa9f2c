/** Names the state that a dry run looked at, so that what it showed is what is done, or is rejected (D37). */
import { createHash } from 'node:crypto';
import { Problem } from '../../contract/problems.js';
import type { StoredContent } from '../store/contents/content-states.js';
import { rejectProtected } from '../store/edit-environment.js';
import type { Environment } from '../store/environments.js';
import type { Segment } from '../store/segments/segments.js';
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
    const { idLower, id, newest, live, deleted, description, tags, schema, guards } = content;
    const about = [description, tags, schema, guards];
    return this.add([idLower, id, newest, live?.number, deleted, ...about]);
  }

  addSegment({ name, condition, description }: Segment): this {
    return this.add([name, condition, description]);
  }

  /** Short enough to be read out, long enough that no two plans share one by chance. Nothing can be added after. */
  get text(): string {
    return this.#hash.digest('hex').slice(0, 32);
  }
}

/**
 * Why it is rejected: the environment is protected and no dry run was made, or what it showed has changed.
 * @param planGiven null: none was sent
 * @param planNow the id that a dry run would return now
 */
export function rejectStalePlan(
  environment: Environment,
  planGiven: string | null,
  planNow: string,
): Problem | null {
  if (planGiven === null) return rejectUnseen(environment);
  if (planGiven === planNow) return null;
  const detail = 'Something changed since the dry run that the plan is of: make another one.';
  return new Problem('plan_stale', detail);
}

/** The same as far as it is known before the file is read, including whether the actor may edit at all. */
export function rejectUnplanned(
  environment: Environment,
  actor: Actor,
  planGiven: string | null,
): Problem | null {
  const problem = rejectProtected(environment, actor);
  if (problem !== null) return problem;
  return planGiven === null ? rejectUnseen(environment) : null;
}

function rejectUnseen({ id, protected: isProtected }: Environment): Problem | null {
  if (!isProtected) return null;
  const detail = `"${id}" is protected: make a dry run, look at it, and send its "plan" along.`;
  return new Problem('plan_required', detail);
}
