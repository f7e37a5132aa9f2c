/** Replaces the layers and the holdout of an environment, once it is decided that they may be replaced. */
import { changeOfLayers, type Layers } from '../../content/layers.js';
import { readLayers } from '../store/layers/read-layers.js';
import { saveLayers } from '../store/layers/save-layers.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/**
 * Nothing is written where nothing differs.
 * @throws UpgradeInProgress
 */
export async function applyLayers(
  write: UnitOfWork,
  environment: string,
  after: Layers,
): Promise<void> {
  const before = await readLayers(write.db, environment);
  const change = changeOfLayers(before, after);
  if (change.layers.size === 0 && !change.holdout) return;
  await saveLayers(write, environment, after, change);
  await write.audit('environment.update', environment, environment, { before, after });
}
