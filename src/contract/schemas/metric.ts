/** Metrics of an environment: what experiments are judged by, defined once for all of them. */
import { z } from 'zod';
import { metricEventsPerDayMax, metricNameCharsMax, metricWindowDaysMax } from '../limits.js';
import { descriptionSchema, environmentParams } from './common.js';

const metricName = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

/** Names of metrics, and of the events that they count. */
export const metricNameSchema = z
  .string()
  .max(metricNameCharsMax)
  .regex(metricName, 'must begin with a letter or digit; then letters, digits, ".", "_", ":", "-"');

export const metricParams = environmentParams.extend({
  name: metricNameSchema.describe('Name of the metric.'),
});

export const metricKinds = ['count', 'sum', 'conversion', 'ratio', 'retention'] as const;
export type MetricKind = (typeof metricKinds)[number];

const retentionDays = [1, 7, 30] as const;

const capSchema = z.strictObject({
  perUserDay: z
    .int()
    .min(1)
    .max(metricEventsPerDayMax)
    .nullable()
    .default(null)
    .describe('Events of one user and day that count; null: all of them.'),
  winsorise: z
    .number()
    .gt(0.5)
    .lt(1)
    .nullable()
    .optional()
    .describe(
      'Quantile of the users’ totals other than 0, above which a total counts as that quantile; null: totals count as they are. Left out: 0.999 for `sum` and `count`.',
    ),
});

const metricFields = {
  description: descriptionSchema.default(''),
  kind: z
    .enum(metricKinds)
    .describe(
      'count: events per user. sum: their values added up. conversion: the share of users with such an event. ratio: the sum of `event` over the sum of `denominator`. retention: the share of users with such an event in the 24 hours that begin `day` days after their first exposure.',
    ),
  event: metricNameSchema.describe(
    'Name of the metric events that count; of retention, those that a player who comes back sends, such as the start of a session.',
  ),
  denominator: metricNameSchema
    .nullable()
    .default(null)
    .describe('Of a ratio: name of the events below the line.'),
  windowDays: z
    .int()
    .min(1)
    .max(metricWindowDaysMax)
    .nullable()
    .default(null)
    .describe('Of a conversion: days after the first exposure; null: the whole phase.'),
  day: z
    .literal(retentionDays)
    .nullable()
    .default(null)
    .describe('Of retention: the day after the first exposure.'),
  direction: z.enum(['up', 'down']).default('up').describe('Which change is the better one.'),
  trusted: z
    .boolean()
    .default(false)
    .describe('Counts only events that came with an events key, which no game is shipped with.'),
  cap: capSchema.default({ perUserDay: null }),
};

type Fields = z.output<z.ZodObject<typeof metricFields>>;

/** Members that belong to one kind, and the kind. */
const membersOfKinds = [
  ['denominator', 'ratio'],
  ['windowDays', 'conversion'],
  ['day', 'retention'],
] as const;

/** Needed by their kind; a conversion without a window counts the whole phase. */
const neededMembers: readonly string[] = ['denominator', 'day'];

export const metricInputSchema = z
  .strictObject(metricFields)
  .superRefine((metric: Fields, context) => {
    for (const [member, kind] of membersOfKinds) {
      const isGiven = metric[member] !== null;
      if (isGiven && metric.kind !== kind) {
        const message = `belongs to metrics of kind "${kind}"`;
        context.addIssue({ code: 'custom', path: [member], message });
      }
      if (!isGiven && metric.kind === kind && neededMembers.includes(member)) {
        const message = `is needed by metrics of kind "${kind}"`;
        context.addIssue({ code: 'custom', path: [member], message });
      }
    }
  })
  .register(z.globalRegistry, {
    examples: [
      {
        description: 'What players pay.',
        kind: 'sum',
        event: 'purchase',
        denominator: null,
        windowDays: null,
        day: null,
        direction: 'up',
        trusted: true,
        cap: { perUserDay: null, winsorise: 0.999 },
      },
    ],
  });

export type MetricInput = z.output<typeof metricInputSchema>;

export const metricSchema = z
  .object({
    name: z.string(),
    ...metricFields,
    description: z.string(),
    denominator: z.string().nullable(),
    windowDays: z.int().nullable(),
    day: z.literal(retentionDays).nullable(),
    direction: z.enum(['up', 'down']),
    trusted: z.boolean(),
    cap: z.object({
      perUserDay: z.int().nullable(),
      winsorise: z.number().nullable().describe('null: totals count as they are.'),
    }),
    updatedAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'Metric' });

export type Metric = z.output<typeof metricSchema>;
