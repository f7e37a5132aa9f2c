/** Guards of what players receive are part of its protection: where a review policy counts, weaker ones take approvals, too. */
import type { Guard } from '../../content/guards/guard.js';
import { Problem } from '../../contract/problems.js';
import { parseGuards } from '../store/contents/content-guards.js';
import type { Db } from '../store/dialect.js';
import { reviewersRequired } from '../store/review-policies.js';

export interface GuardsEdit {
  readonly id: string;
  /** Players receive the content now. */
  readonly isLive: boolean;
  /** JSON arrays of guards. */
  readonly before: string;
  readonly after: string;
}

/** Why these guards take a release; null: they do not. */
export async function rejectWeakerGuards(
  db: Db,
  environment: string,
  { id, isLive, before, after }: GuardsEdit,
): Promise<Problem | null> {
  if (!isLive || before === after || !areWeaker(parseGuards(before), parseGuards(after)))
    return null;
  const required = await reviewersRequired(db, environment);
  if (required === 0) return null;
  const approvals = required === 1 ? 'an approval' : `${required} approvals`;
  const detail = `It takes ${approvals} to weaken the guards of "${id}" in "${environment}": put a change of kind "environment" with its guards into a release.`;
  return new Problem('release_required', detail, [], { required });
}

const severities: readonly Guard['severity'][] = ['warn', 'block', 'approve'];

/** Whether any guard is gone, says something else, or is less severe. Pure. */
export function areWeaker(before: readonly Guard[], after: readonly Guard[]): boolean {
  return before.some((old) => !after.some((guard) => isAtLeast(guard, old)));
}

function isAtLeast(guard: Guard, old: Guard): boolean {
  return (
    JSON.stringify({ ...guard, severity: '' }) === JSON.stringify({ ...old, severity: '' }) &&
    severities.indexOf(guard.severity) >= severities.indexOf(old.severity)
  );
}
