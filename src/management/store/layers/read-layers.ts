/** Reads layers and holdouts, which the rules of an environment share. */
import { type Layers, noLayers } from '../../../content/layers.js';
import type { Db } from '../dialect.js';

/** Layers by name. */
export async function readLayers(db: Db, environment: string): Promise<Layers> {
  const row = await db
    .selectFrom('environmentLayers')
    .select(['layers', 'holdout'])
    .where('environment', '=', environment)
    .executeTakeFirst();
  if (row === undefined) return noLayers;
  const { layers, holdout } = row;
  return {
    layers: JSON.parse(layers) as Layers['layers'],
    holdout: holdout === null ? null : (JSON.parse(holdout) as Layers['holdout']),
  };
}
