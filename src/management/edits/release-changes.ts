/** Puts the changes of an edit into a release, in the edit's own transaction. */
import { strict as assert } from 'node:assert';
import { Problem } from '../../contract/problems.js';
import type { ChangeInput } from '../../contract/schemas/release.js';
import { rejectChangeCount } from '../releases/changes.js';
import { rejectState } from '../releases/check-release.js';
import { changeRelease, createRelease, rejectOpenReleases } from '../releases/edit-release.js';
import { readRelease } from '../releases/held-release.js';
import { requireReleaseWriters } from '../store/release-writers.js';
import { listReleaseChanges } from '../store/releases/release-changes.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import type { EditRequest } from './edit-request.js';
import type { PlannedItem } from './planned-item.js';

/** Why the release cannot take them; null: it can, or none is wanted. Nothing is written. The environment is held. */
export async function rejectRelease(
  { db }: UnitOfWork,
  { environment, release }: EditRequest,
  changed: readonly PlannedItem[],
): Promise<Problem | null> {
  if (release === null || changed.length === 0) return null;
  if (!('release' in release)) {
    return rejectChangeCount(changed.length) ?? rejectOpenReleases(db, environment);
  }
  const held = await readRelease(db, { environment, release: release.release });
  if (held instanceof Problem) return held;
  const names = new Set(changed.map(({ stored }) => `content ${stored?.idLower}`));
  for (const { kind, name } of await listReleaseChanges(db, held.release))
    names.add(`${kind} ${name}`);
  return rejectState(held, 'edit') ?? rejectChangeCount(names.size);
}

/**
 * After `rejectRelease`.
 * @returns number of the release
 * @throws UpgradeInProgress
 */
export async function releaseChanges(
  write: UnitOfWork,
  environment: string,
  release: NonNullable<EditRequest['release']>,
  changes: readonly ChangeInput[],
): Promise<number> {
  await requireReleaseWriters(write);
  const made = await put(write, environment, release, changes);
  assert(!(made instanceof Problem), 'it was looked at before anything was saved');
  return made.release;
}

async function put(
  write: UnitOfWork,
  environment: string,
  release: NonNullable<EditRequest['release']>,
  changes: readonly ChangeInput[],
) {
  if (!('release' in release)) {
    return createRelease(write, environment, { ...release, description: '', changes });
  }
  const held = await readRelease(write.db, { environment, release: release.release });
  if (held instanceof Problem) return held;
  return changeRelease(write, held, { put: changes, drop: [], rebase: [] });
}
