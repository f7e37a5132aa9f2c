/** Changes the settings of an environment: at once for owners, or when a release with such a change goes live. */
import { contentKey } from '../../content/content-id.js';
import type { TrafficKept } from '../../content/traffic-kept.js';
import { Problem } from '../../contract/problems.js';
import type { EnvironmentEdit } from '../../contract/schemas/release.js';
import { formatApprovals } from '../format-names.js';
import { applyLayers } from '../layers/apply-layers.js';
import { editedLayers } from '../layers/plan-layers.js';
import { mustConfirm, setConfirmPolicy } from '../store/confirm-policies.js';
import { saveGuards } from '../store/contents/content-guards.js';
import { findLive } from '../store/contents/contents.js';
import type { Db } from '../store/dialect.js';
import { deleteEnvironment, type Environment, updateEnvironment } from '../store/environments.js';
import { readLayers } from '../store/layers/read-layers.js';
import { reviewersRequired, setReviewPolicy } from '../store/review-policies.js';
import { readTrafficKept, setTrafficKept } from '../store/traffic-policies.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** What becomes of an environment; what is left out stays. */
export interface SettingsEdit extends EnvironmentEdit {
  readonly name?: string | undefined;
  readonly traffic?: TrafficKept | undefined;
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
  const before = await readPolicies(write.db, id);
  const { review = before.review, confirm = before.confirm } = edit;
  if (review !== before.review || confirm !== before.confirm) {
    await setReviewPolicy(write, id, review);
    await setConfirmPolicy(write, id, confirm);
    await write.audit('environment.update', id, id, { before, after: { review, confirm } });
  }
  await keepTraffic(write, id, edit.traffic);
  await replaceGuards(write, id, edit.guards ?? {});
  await replaceLayers(write, id, edit);
  return edited;
}

/** What an environment asks for before anything reaches its players. */
export interface Policies {
  /** Approvals. */
  readonly review: number;
  /** Findings have to be confirmed. */
  readonly confirm: boolean;
}

export async function readPolicies(db: Db, environment: string): Promise<Policies> {
  return {
    review: await reviewersRequired(db, environment),
    confirm: await mustConfirm(db, environment),
  };
}

async function keepTraffic(
  write: UnitOfWork,
  environment: string,
  after: TrafficKept | undefined,
): Promise<void> {
  const before = await readTrafficKept(write.db, environment);
  if (after === undefined || after === before) return;
  await setTrafficKept(write, environment, after);
  const details = { before: { traffic: before }, after: { traffic: after } };
  await write.audit('environment.update', environment, environment, details);
}

/** A content that is gone meanwhile is left out. */
async function replaceGuards(
  write: UnitOfWork,
  environment: string,
  guards: NonNullable<EnvironmentEdit['guards']>,
): Promise<void> {
  const wanted = new Map(Object.entries(guards).map(([id, list]) => [contentKey(id), list]));
  const found = await findLive(write.db, environment, [...wanted.keys()]);
  const rows = [...found.keys()].map((idLower) => ({
    idLower,
    guards: JSON.stringify(wanted.get(idLower) ?? []),
  }));
  if (rows.length === 0) return;
  await saveGuards(write, environment, rows);
  const contents = [...found.values()].map(({ id }) => id);
  await write.audit('environment.update', environment, environment, {
    before: {},
    after: { guards: contents },
  });
}

/** What is left out stays. The caller has looked whether the contents admit it (`planLayers`). */
async function replaceLayers(
  write: UnitOfWork,
  environment: string,
  edit: EnvironmentEdit,
): Promise<void> {
  if (edit.layers === undefined && edit.holdout === undefined) return;
  await applyLayers(
    write,
    environment,
    editedLayers(await readLayers(write.db, environment), edit),
  );
}

/** Why less protection, fewer approvals or the end of an environment take a release; null: they do not. */
export function rejectWeaker(
  { id, protected: isProtected }: Environment,
  { review: required, confirm }: Policies,
  edit: EnvironmentEdit,
): Problem | null {
  if (required === 0) return null;
  const isWeaker =
    edit.delete === true ||
    (edit.review ?? required) < required ||
    (confirm && edit.confirm === false) ||
    (isProtected && edit.protected === false);
  if (!isWeaker) return null;
  const detail = `It takes ${formatApprovals(required)} to weaken the protection of "${id}": put a change of kind "environment" into a release.`;
  return new Problem('release_required', detail, [], { required });
}
