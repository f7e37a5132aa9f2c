/** What an experiment did, and how many players one needs. */
import { z } from 'zod';
import { attributeNameCharsMax, experimentVariantsMax, smallestEffectMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { environmentParams } from '../../schemas/common.js';
import { experimentParams } from '../../schemas/experiment.js';
import { resultsSchema } from '../../schemas/experiment-results.js';
import { metricNameSchema } from '../../schemas/metric.js';
import { storable } from '../../schemas/storable.js';

const tag = 'experiments';

export const getResults = operation('GET /environments/:env/experiments/:id/results', {
  tag,
  operationId: 'getExperimentResults',
  description:
    'Computes the results of one phase: who was in, whether the split was fair, and how the metrics compare.',
  role: 'viewer',
  head: false,
  params: experimentParams,
  query: z.object({
    phase: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of the phase; left out: the present or last one.'),
    segment: storable(z.string().min(1).max(attributeNameCharsMax))
      .optional()
      .describe('Attribute of events by whose values the primary metric is split as well.'),
    method: z
      .enum(['sequential', 'fixed'])
      .default('sequential')
      .describe(
        'sequential: valid however often people look. fixed: narrower, and valid for one look that was planned beforehand.',
      ),
  }),
  responses: { 200: resultsSchema },
  problems: ['experiment_not_found', 'experiment_state', 'analysis_busy', 'analysis_failed'],
});

export const computeSampleSize = operation('POST /environments/:env/experiments/sample-size', {
  tag,
  operationId: 'computeSampleSize',
  description:
    'How many users an experiment needs to find an effect. From `rate` for conversions, from `mean` and `variance` for all else, or from what a metric has been lately.',
  role: 'viewer',
  params: environmentParams,
  body: z
    .strictObject({
      metric: metricNameSchema
        .optional()
        .describe('Takes mean and variance from its events of the last days.'),
      mean: z.number().optional().describe('Of one user’s total.'),
      variance: z.number().gt(0).optional().describe('Of the totals of users.'),
      rate: z.number().gt(0).lt(1).optional().describe('Share of users that convert.'),
      smallestEffect: z.number().gt(0).max(smallestEffectMax).describe('Relative: 0.05 is 5 %.'),
      variants: z.int().min(2).max(experimentVariantsMax).default(2),
      share: z
        .number()
        .gt(0)
        .max(1)
        .default(1)
        .describe('Share of the players that take part, of all variants together.'),
      playersPerDay: z
        .number()
        .gt(0)
        .optional()
        .describe('New players of a day, taking part or not.'),
      method: z
        .enum(['sequential', 'fixed'])
        .default('sequential')
        .describe('sequential: people look every day, as the page of results lets them.'),
      power: z.number().gt(0.5).lt(1).default(0.8),
      alpha: z.number().gt(0).lt(0.5).default(0.05),
    })
    .register(z.globalRegistry, {
      examples: [{ rate: 0.04, smallestEffect: 0.1, playersPerDay: 20_000 }],
    }),
  responses: {
    200: z.object({
      usersPerVariant: z.int(),
      users: z.int().describe('Of all variants together.'),
      days: z.int().nullable().describe('Until so many have come; null: without `playersPerDay`.'),
      mean: z.number().describe('What it was computed from.'),
      variance: z.number(),
    }),
  },
  problems: ['metric_not_found', 'events_off', 'analysis_busy', 'analysis_failed'],
});
