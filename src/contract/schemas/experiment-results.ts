/** What an experiment did, and whether it was fair: computed from events and from what was delivered. */
import { z } from 'zod';
import { metricKinds } from './metric.js';

export const healthStatusSchema = z.enum(['ok', 'warning', 'broken', 'no_data']);
export type HealthStatus = z.output<typeof healthStatusSchema>;

const checkNames = [
  'srm_assigned',
  'srm_exposed',
  'srm_without_crossovers',
  'crossovers',
  'contradictions',
  'changed',
  'local_storage',
  'trusted',
] as const;

const checkSchema = z.object({
  name: z.enum(checkNames),
  status: healthStatusSchema,
  sentence: z.string().describe('What was found, for people.'),
  pValue: z.number().nullable(),
});

export type HealthCheck = z.output<typeof checkSchema>;

const usersSchema = z.object({
  name: z.string(),
  expectedShare: z.number().describe('By the rule’s groups, of the players of all variants.'),
  assigned: z
    .int()
    .nullable()
    .describe('Users that the variant was delivered to, within 3 %; null: not counted.'),
  assignedInSample: z.int().nullable().describe('Of those, users of the exact sample.'),
  exposed: z.int().describe('Users that reported an exposure.'),
  crossovers: z.int().describe('Of those, users that were seen in another variant, too.'),
  contradictions: z.int().describe('Exposures that name a variant which the user cannot have.'),
});

const dailySchema = z.object({
  day: z.string().describe('UTC, YYYY-MM-DD.'),
  variant: z.string(),
  assigned: z.int().nullable(),
  exposed: z.int(),
});

const intervalSchema = z
  .tuple([z.number().nullable(), z.number().nullable()])
  .describe('Lower and upper end; null: unbounded, or not known yet.');

export const comparisonSchema = z.object({
  variant: z.string(),
  control: z.string(),
  method: z.enum(['sequential', 'fixed']).describe('sequential: valid however often people look.'),
  adjusted: z.boolean().describe('CUPED: adjusted by the seven days before each first exposure.'),
  effect: z.number().nullable().describe('Relative to the control: 0.05 is 5 % more.'),
  interval: intervalSchema,
  absolute: z.object({ effect: z.number().nullable(), interval: intervalSchema }),
  pValue: z.number().nullable(),
  significant: z.boolean().describe('After the correction for several variants and metrics.'),
  verdict: z.enum(['no_decision', 'better', 'worse']),
});

export type Comparison = z.output<typeof comparisonSchema>;

const metricResultSchema = z.object({
  name: z.string(),
  kind: z.enum(metricKinds),
  role: z.enum(['primary', 'guard', 'other']),
  trusted: z.boolean(),
  direction: z.enum(['up', 'down']),
  clientReported: z.boolean().describe('Any client can send its events.'),
  variants: z
    .array(
      z.object({
        name: z.string(),
        users: z.int(),
        mean: z.number().nullable(),
        total: z.number(),
      }),
    )
    .readonly(),
  comparisons: z.array(comparisonSchema).readonly(),
  windowComplete: z
    .int()
    .describe('Users whose window is complete; of metrics without a window, all.'),
});

export type MetricResult = z.output<typeof metricResultSchema>;

export const resultsSchema = z
  .object({
    experiment: z.string(),
    phase: z.int(),
    computedAt: z.string(),
    dataUntil: z.string().nullable().describe('Time of the newest event; null: there is none.'),
    days: z.number().describe('Of this phase so far.'),
    plannedDays: z.int(),
    cached: z.boolean(),
    sources: z.object({
      nodes: z.array(z.string()).readonly().describe('Servers whose counts of users are merged.'),
      notes: z.array(z.string()).readonly().describe('What the figures do not hold, for people.'),
    }),
    health: z.object({ status: healthStatusSchema, checks: z.array(checkSchema).readonly() }),
    variants: z.array(usersSchema).readonly(),
    daily: z.array(dailySchema).readonly(),
    metrics: z.array(metricResultSchema).readonly(),
    cumulative: z
      .array(
        z.object({
          day: z.string(),
          variant: z.string(),
          effect: z.number().nullable(),
          interval: intervalSchema,
        }),
      )
      .readonly()
      .describe('The primary metric up to the end of each day.'),
    segments: z
      .array(z.object({ value: z.string(), comparisons: z.array(comparisonSchema).readonly() }))
      .readonly()
      .optional()
      .describe('With `segment`: the primary metric by value. Exploratory: chosen afterwards.'),
  })
  .register(z.globalRegistry, { id: 'ExperimentResults' });

export type Results = z.output<typeof resultsSchema>;
