/** What becomes of an experiment: started, stopped, decided. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { nameSchema, noteSchema, published } from '../../schemas/common.js';
import { experimentParams, experimentSchema } from '../../schemas/experiment.js';

const tag = 'experiments';

export const startExperiment = operation('POST /environments/:env/experiments/:id/start', {
  tag,
  operationId: 'startExperiment',
  description:
    'Starts a draft, or a stopped experiment again with a new phase. Its rule has to be live already, so players receive what they did before. From now on users are counted, and changes of what assigns them to variants have to be confirmed.',
  role: 'editor',
  publishes: true,
  params: experimentParams,
  body: z.strictObject({}),
  responses: { 200: published(experimentSchema) },
  problems: [
    ...['experiment_not_found', 'experiment_state', 'experiment_rule', 'experiment_running'],
    ...['slices_overlap', 'salt_in_use', 'release_active', 'limit_reached'],
  ] as const,
});

export const stopExperiment = operation('POST /environments/:env/experiments/:id/stop', {
  tag,
  operationId: 'stopExperiment',
  description: 'Stops a running experiment. Its rule stays live; no more users are counted.',
  role: 'editor',
  publishes: true,
  params: experimentParams,
  body: z.strictObject({ note: noteSchema.default('') }),
  responses: { 200: published(experimentSchema) },
  problems: ['experiment_not_found', 'experiment_state'],
});

export const decideExperiment = operation('POST /environments/:env/experiments/:id/decide', {
  tag,
  operationId: 'decideExperiment',
  description:
    'Decides an experiment, and stops it if it runs. Makes a draft release that gives all its players the winner and removes the variants; nothing that is live changes until that release goes live.',
  role: 'editor',
  publishes: true,
  params: experimentParams,
  body: z.strictObject({
    variant: nameSchema.nullable().describe('Name of the winner; null: the rule only goes.'),
    note: noteSchema.default(''),
    keepRule: z
      .boolean()
      .default(false)
      .describe('Keep the rule, with the winner’s values, even where the texts could have them.'),
  }),
  responses: {
    200: published(
      z.object({
        experiment: experimentSchema,
        release: z
          .int()
          .nullable()
          .describe('Number of the release that it made; null: the rule is not live any longer.'),
        promoted: z
          .enum(['text', 'rule'])
          .nullable()
          .describe(
            'Where the winner’s values are: in the texts of the lines, or in a rule without variants; null: there is no winner.',
          ),
      }),
    ),
  },
  problems: [
    ...['experiment_not_found', 'experiment_state', 'experiment_rule'],
    ...['revision_conflict', 'limit_reached', 'invalid_content', 'invalid_mapping', 'too_costly'],
  ] as const,
});
