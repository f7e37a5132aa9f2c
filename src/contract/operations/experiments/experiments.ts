/** Experiments: records of rules with variants. Made, changed, shown, removed. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { environmentParams } from '../../schemas/common.js';
import {
  experimentEditSchema,
  experimentInputSchema,
  experimentParams,
  experimentSchema,
  experimentStateSchema,
  experimentSummarySchema,
  madeExperimentSchema,
} from '../../schemas/experiment.js';

const tag = 'experiments';

export const listExperiments = operation('GET /environments/:env/experiments', {
  tag,
  description: 'Lists experiments, newest first.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    state: experimentStateSchema.optional().describe('Only those in this state.'),
  }),
  responses: { 200: z.object({ experiments: z.array(experimentSummarySchema).readonly() }) },
});

export const createExperiment = operation('POST /environments/:env/experiments', {
  tag,
  description:
    'Makes a record of a rule with variants, in state `draft`. Nothing is delivered or counted. The rule need not be live, or saved, yet: a warning says what the start would be rejected for.',
  role: 'editor',
  params: environmentParams,
  body: experimentInputSchema,
  responses: { 201: madeExperimentSchema },
  problems: [
    ...['content_not_found', 'metric_not_found', 'experiment_exists'],
    ...['experiment_rule', 'limit_reached'],
  ] as const,
});

export const getExperiment = operation('GET /environments/:env/experiments/:id', {
  tag,
  description: 'Shows an experiment: its plan, its phases, what happened, and the decision.',
  role: 'viewer',
  params: experimentParams,
  responses: { 200: experimentSchema },
  problems: ['experiment_not_found'],
});

export const updateExperiment = operation('PATCH /environments/:env/experiments/:id', {
  tag,
  description:
    'Changes the plan; what is left out stays. Changes of a running experiment are kept in its log. A decided one stays as it is.',
  role: 'editor',
  params: experimentParams,
  body: experimentEditSchema,
  responses: { 200: experimentSchema },
  problems: [
    ...['experiment_not_found', 'metric_not_found', 'experiment_state'],
    ...['experiment_rule', 'limit_reached'],
  ] as const,
});

export const deleteExperiment = operation('DELETE /environments/:env/experiments/:id', {
  tag,
  description: 'Removes an experiment that was never started. One that was stays for the record.',
  role: 'editor',
  params: experimentParams,
  responses: { 200: z.object({ id: z.string() }) },
  problems: ['experiment_not_found', 'experiment_running'],
});
