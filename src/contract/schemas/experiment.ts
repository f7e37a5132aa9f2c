/** Experiments as the admin API gives and takes them: the record of a rule with variants, its plan, phases and decision. */
import { z } from 'zod';
import {
  experimentIdCharsMax,
  guardMetricsMax,
  plannedDaysMax,
  smallestEffectMax,
} from '../limits.js';
import {
  contentIdSchema,
  descriptionSchema,
  environmentParams,
  issueSchema,
  nameSchema,
} from './common.js';
import { metricNameSchema } from './metric.js';
import { releaseStateSchema } from './release.js';
import { storable } from './storable.js';

export const experimentStates = ['draft', 'running', 'stopped', 'decided'] as const;
export type ExperimentState = (typeof experimentStates)[number];
export const experimentStateSchema = z.enum(experimentStates);

const experimentId = /^[a-z0-9][a-z0-9._-]*$/;

/** Routes beside `/experiments/:id`. */
const reservedIds: readonly string[] = ['interference', 'sample-size'];

export const experimentIdSchema = z
  .string()
  .max(experimentIdCharsMax)
  .regex(experimentId, 'must begin with a-z or 0-9; then a-z, 0-9, ".", "_", "-"')
  .refine((id) => !reservedIds.includes(id), `must not be ${reservedIds.join(' or ')}`);

export const experimentParams = environmentParams.extend({
  id: experimentIdSchema.describe('Id of the experiment in its environment.'),
});

/** What people plan; none of it changes what is delivered. */
const planFields = {
  name: nameSchema.describe('For people.'),
  hypothesis: descriptionSchema.describe('What is expected to happen, and why.'),
  owner: storable(z.string().max(128)).describe('Who answers for it: a person or a team.'),
  control: nameSchema.describe('Name of the variant that the others are compared with.'),
  primaryMetric: metricNameSchema
    .nullable()
    .describe('Name of the metric that decides; null: not chosen yet.'),
  guardMetrics: z
    .array(metricNameSchema)
    .max(guardMetricsMax)
    .refine((names) => new Set(names).size === names.length, 'must not name a metric twice')
    .describe('Names of metrics that must not get worse.'),
  plannedDays: z.int().min(1).max(plannedDaysMax).describe('Days that it is to run.'),
  smallestEffect: z
    .number()
    .gt(0)
    .max(smallestEffectMax)
    .describe('Smallest relative effect worth finding: 0.05 is 5 %.'),
};

export const experimentInputSchema = z
  .strictObject({
    id: experimentIdSchema.describe('Id, unique in the environment; it cannot be changed.'),
    content: contentIdSchema,
    segment: nameSchema.describe('Name of the rule with the variants, its `segment`.'),
    ...planFields,
    name: planFields.name.optional().describe('For people; the id when it is left out.'),
    hypothesis: planFields.hypothesis.default(''),
    owner: planFields.owner.default(''),
    primaryMetric: planFields.primaryMetric.default(null),
    guardMetrics: planFields.guardMetrics.default([]),
    plannedDays: planFields.plannedDays.default(14),
    smallestEffect: planFields.smallestEffect.default(0.05),
  })
  .register(z.globalRegistry, {
    examples: [
      {
        id: 'shop-prices',
        content: 'shop',
        segment: 'price-test',
        control: 'control',
        hypothesis: 'A cheaper starter pack makes more players buy.',
        owner: 'Shop team',
        primaryMetric: 'revenue',
        guardMetrics: [],
        plannedDays: 14,
        smallestEffect: 0.05,
      },
    ],
  });

export type ExperimentInput = z.output<typeof experimentInputSchema>;

export const experimentEditSchema = z.strictObject(planFields).partial();
export type ExperimentEdit = z.output<typeof experimentEditSchema>;

const bucketRange = z.tuple([z.int(), z.int()]);

const variantSchema = z.object({
  name: z.string(),
  groups: bucketRange.describe('First and last bucket out of 1000.'),
});

/** What assigns players to a variant. */
const drawShape = {
  salt: z.string().nullable().describe('The rule’s own; null: it has none.'),
  layer: z.string().nullable(),
  slice: bucketRange.nullable().describe('Buckets of the layer’s salt; null: without a layer.'),
  variants: z.array(variantSchema).readonly(),
};

const phaseSchema = z.object({
  number: z.int().describe('From 1. Data of different phases are not mixed.'),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  reason: z.string().describe('What changed; of the first phase, that it started.'),
  ...drawShape,
});

export type ExperimentPhase = z.output<typeof phaseSchema>;

const decisionSchema = z.object({
  variant: z.string().nullable().describe('The winner; null: none, the rule only goes.'),
  note: z.string(),
  by: z.string().describe('Name of the user.'),
  release: z.int().nullable().describe('Number of the release that it made.'),
  releaseState: releaseStateSchema
    .nullable()
    .describe(
      'State of that release now: players receive the decision once it is `live`. Null: there is none.',
    ),
});

export type ExperimentDecision = z.output<typeof decisionSchema>;

const summaryShape = {
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  content: z.string().describe('Id of the content.'),
  segment: z.string().describe('Name of the rule.'),
  state: experimentStateSchema,
  control: z.string(),
  primaryMetric: z.string().nullable(),
  plannedDays: z.int(),
  phase: z.int().describe('Number of the present or last phase; 0 before the start.'),
  phaseStartedAt: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  stoppedAt: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decision: decisionSchema.nullable().describe('Null: it is not decided.'),
};

export const experimentSummarySchema = z
  .object(summaryShape)
  .register(z.globalRegistry, { id: 'ExperimentSummary' });

export type ExperimentSummary = z.output<typeof experimentSummarySchema>;

export const experimentSchema = z
  .object({
    ...summaryShape,
    hypothesis: z.string(),
    guardMetrics: z.array(z.string()).readonly(),
    smallestEffect: z.number(),
    ...drawShape,
    phases: z.array(phaseSchema).readonly(),
    log: z
      .array(
        z.object({
          at: z.string(),
          user: z.string().describe('Name of the user.'),
          what: z.string().describe('A sentence.'),
        }),
      )
      .readonly()
      .describe('What happened to it, oldest first.'),
  })
  .register(z.globalRegistry, { id: 'Experiment' });

export type Experiment = z.output<typeof experimentSchema>;

export const madeExperimentSchema = experimentSchema
  .extend({
    warnings: z
      .array(issueSchema)
      .readonly()
      .describe('Why it could not start as its rule is now. They reject nothing.'),
  })
  .register(z.globalRegistry, { id: 'MadeExperiment' });

export type MadeExperiment = z.output<typeof madeExperimentSchema>;
