/** Layers and the holdout of an environment, which its experiments share. */
import { operation } from '../../operation.js';
import { environmentParams, published } from '../../schemas/common.js';
import { environmentLayersSchema, layersInputSchema } from '../../schemas/experiments/layers.js';
import { gateCodes } from '../../schemas/gate.js';

const tag = 'experiments';

export const getLayers = operation('GET /environments/:env/layers', {
  tag,
  operationId: 'getLayers',
  description:
    'Shows the layers and the holdout of an environment, and the rules that use them. Rules of one layer share its players: each takes a slice of the buckets that the salt of the layer draws.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: environmentLayersSchema },
});

export const putLayers = operation('PUT /environments/:env/layers', {
  tag,
  operationId: 'putLayers',
  description:
    'Replaces the layers and the holdout. Another salt or another range moves players into rules and out of them, so neither changes while an experiment that uses it runs. Where an environment asks for approvals, a release with a change of kind `environment` does this.',
  role: 'editor',
  publishes: true,
  params: environmentParams,
  body: layersInputSchema,
  responses: { 200: published(environmentLayersSchema) },
  problems: ['layers_conflict', 'layer_in_use', 'experiment_running', ...gateCodes],
});
