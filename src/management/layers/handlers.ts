/** Layers and the holdout of an environment: shown, replaced. */
import { getLayers, putLayers } from '../../contract/operations/experiments/layers.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import { readLayers } from '../store/layers/read-layers.js';
import { applyLayers } from './apply-layers.js';
import { etagOf, layersJson } from './layers-json.js';
import { completeLayers, planLayers, rejectLayers } from './plan-layers.js';

const asRelease = 'put a change of kind "environment" with "layers" or "holdout" into a release';

export const layerHandlers: readonly Handler[] = [
  handleRead(getLayers, async ({ environment: { id } }, db) =>
    layersJson(db, id, await readLayers(db, id)),
  ),

  handleChange(putLayers, async ({ environment: { id }, body }, write) => {
    const { db } = write;
    const before = await readLayers(db, id);
    if (body.ifEtag !== undefined && body.ifEtag !== etagOf(before)) {
      const detail = `The layers of "${id}" were changed meanwhile: look at them again.`;
      return new Problem('layers_conflict', detail);
    }
    const planned = await planLayers(db, id, completeLayers(before, body));
    if (planned instanceof Problem) return planned;
    const gated = await rejectLayers(db, id, planned, asRelease);
    if (gated !== null) return gated;
    await applyLayers(write, id, planned.after);
    return layersJson(db, id, await readLayers(db, id));
  }),
];
