/** Layers and the holdout as the admin API shows them, with the rules that use them. */
import { digestOf } from '../../content/hash.js';
import type { Layers } from '../../content/layers.js';
import type { EnvironmentLayers } from '../../contract/schemas/experiments/layers.js';
import type { Db } from '../store/dialect.js';
import { listLayerUsers } from '../store/layers/layer-users.js';

const etagDigits = 16;

export async function layersJson(
  db: Db,
  environment: string,
  layers: Layers,
): Promise<EnvironmentLayers> {
  const users = await listLayerUsers(db, environment);
  const uses = users.flatMap(({ id: content, number: revision, live, uses: rules }) =>
    rules.map(({ rule, segment, layer, slice, holdout }) => {
      const place = { content, revision, live: live === revision, rule, segment };
      return { ...place, layer, slice, holdout };
    }),
  );
  return { ...layers, etag: etagOf(layers), uses };
}

/** Equal for equal definitions. */
export function etagOf({ layers, holdout }: Layers): string {
  const named = layers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return digestOf(JSON.stringify([named, holdout])).slice(0, etagDigits);
}
