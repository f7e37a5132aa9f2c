/** Changes the settings of an environment: at once for owners, or when a release with such a change goes live. */
import { Problem } from '../../contract/problems.js';
import type { EnvironmentEdit } from '../../contract/schemas/release.js';
import { formatApprovals } from '../format-names.js';
import { deleteEnvironment, type Environment, updateEnvironment } from '../store/environments.js';
import { reviewersRequired, setReviewPolicy } from '../store/review-policies.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** What becomes of an environment; what is left out stays. */
export interface SettingsEdit extends EnvironmentEdit {
  readonly name?: string | undefined;
}

/**
 * The caller has decided that the edit may be made.
 * @returns the environment as it is now; null: it is deleted
 * @throws UpgradeInProgress
 */
export async function applyEnvironmentEdit(
  write: UnitOfWork,
  environment: Environment,
  edit: SettingsEdit,
): Promise<Environment | null> {
  const { id } = environment;
  if (edit.delete === true) {
    await deleteEnvironment(write, environment);
    return null;
  }
  const edited = await updateEnvironment(write, environment, edit);
  const before = await reviewersRequired(write.db, id);
  const { review = before } = edit;
  if (review === before) return edited;
  await setReviewPolicy(write, id, review);
  await write.audit('environment.update', id, id, {
    before: { review: before },
    after: { review },
  });
  return edited;
}

/** Why less protection, fewer approvals or the end of an environment take a release; null: they do not. */
export function rejectWeaker(
  { id, protected: isProtected }: Environment,
  required: number,
  edit: EnvironmentEdit,
): Problem | null {
  if (required === 0) return null;
  const isWeaker =
    edit.delete === true ||
    (edit.review ?? required) < required ||
    (isProtected && edit.protected === false);
  if (!isWeaker) return null;
  const detail = `It takes ${formatApprovals(required)} to weaken the protection of "${id}": put a change of kind "environment" into a release.`;
  return new Problem('release_required', detail, [], { required });
}
