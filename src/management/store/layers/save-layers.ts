/** Replaces the layers and the holdout of an environment. */
import type { Layers, LayersChange } from '../../../content/layers.js';
import { requireExperimentWriters } from '../require-writers.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { recordLayers } from './layer-history.js';
import { refreshUsesOfLayers } from './layer-users.js';
import { readLayers } from './read-layers.js';

/**
 * Replaces all of them, and gives the contents that use what changed their new hashes, under the same number.
 * @param change between what is there and `layers`
 * @throws UpgradeInProgress
 */
export async function saveLayers(
  write: UnitOfWork,
  environment: string,
  { layers, holdout }: Layers,
  change: LayersChange,
): Promise<void> {
  await requireExperimentWriters(write);
  const before = await readLayers(write.db, environment);
  const row = {
    layers: JSON.stringify(layers.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
    holdout: holdout === null ? null : JSON.stringify(holdout),
  };
  await write.db
    .insertInto('environmentLayers')
    .values({ environment, ...row })
    .onConflict((conflict) => conflict.column('environment').doUpdateSet(row))
    .execute();
  await recordLayers(write, environment, before, await readLayers(write.db, environment));
  write.markChanged('environment', environment, '');
  await refreshUsesOfLayers(write, environment, change);
}
