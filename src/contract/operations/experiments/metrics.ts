/** Metrics of an environment. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { environmentParams, published } from '../../schemas/common.js';
import { metricInputSchema, metricParams, metricSchema } from '../../schemas/metric.js';

const tag = 'experiments';

export const listMetrics = operation('GET /environments/:env/metrics', {
  tag,
  description: 'Lists the metrics that experiments are judged by, by name.',
  role: 'viewer',
  params: environmentParams,
  responses: {
    200: z.object({
      limit: z.int().describe('Of metrics in one environment.'),
      metrics: z.array(metricSchema).readonly(),
    }),
  },
});

export const putMetric = operation('PUT /environments/:env/metrics/:name', {
  tag,
  description:
    'Defines a metric, or replaces its definition. Clients send events once an environment has a metric. Results of running experiments follow the new definition, and their logs say so.',
  role: 'editor',
  publishes: true,
  params: metricParams,
  body: metricInputSchema,
  responses: { 200: published(metricSchema), 201: published(metricSchema) },
  problems: ['limit_reached'],
});

export const deleteMetric = operation('DELETE /environments/:env/metrics/:name', {
  tag,
  description: 'Removes a metric that no draft or running experiment names. Its events stay.',
  role: 'editor',
  publishes: true,
  params: metricParams,
  responses: { 200: published(z.object({ name: z.string() })) },
  problems: ['metric_not_found', 'metric_in_use'],
});
