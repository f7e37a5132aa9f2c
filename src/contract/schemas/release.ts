/** Releases as the admin API gives and takes them: changes, steps, brake, review, ramp. */
import { z } from 'zod';
import {
  guardedContentsMax,
  holdMinutesMax,
  promqlCharsMax,
  receiptMinutesMax,
  releaseStepsMax,
  releaseTitleCharsMax,
  reviewersMax,
} from '../limits.js';
import { contentIdSchema, environmentParams, nameSchema, revisionSchema } from './common.js';
import { holdoutOrNoneSchema, layerListSchema } from './experiments/layers.js';
import { findingSchema, guardsSchema } from './guard.js';
import { storable } from './storable.js';

export const releaseStates = [
  'draft',
  'review',
  'approved',
  'scheduled',
  'ramping',
  'paused',
  'live',
  'reverted',
  'stopped',
  'failed',
  'cancelled',
] as const;

export type ReleaseState = (typeof releaseStates)[number];

export const releaseStateSchema = z.enum(releaseStates);

export const releaseTitleSchema = storable(z.string().min(1).max(releaseTitleCharsMax)).describe(
  'For people.',
);

export const releaseParams = environmentParams.extend({
  release: z.coerce.number().int().min(1).describe('Number of the release in its environment.'),
});

/** A step of a ramp: that share of the users is in, for that long. */
const stepSchema = z.strictObject({
  percent: z
    .number()
    .min(0.1)
    .max(100)
    .refine((percent) => Number.isInteger(Math.round(percent * 1e6) / 1e5), {
      message: 'must be a multiple of 0.1',
    })
    .describe('Of the users that send `u`, in steps of 0.1.'),
  holdMinutes: z
    .int()
    .min(0)
    .max(holdMinutesMax)
    .describe('How long the step lasts before the next one, or before the release goes live.'),
});

export const stepsSchema = z
  .array(stepSchema)
  .max(releaseStepsMax)
  .refine(
    (steps) =>
      steps.every(({ percent }, at) => at === 0 || percent > (steps[at - 1]?.percent ?? 0)),
    'percentages must grow from step to step',
  )
  .describe('The ramp, step after step; an empty list goes live at once.');

export type ReleaseStep = z.output<typeof stepSchema>;

export const brakeSchema = z
  .strictObject({
    action: z
      .enum(['stop', 'pause'])
      .default('stop')
      .describe('What a brake that trips does to the release.'),
    receipts: z
      .strictObject({
        minutes: z
          .int()
          .min(1)
          .max(receiptMinutesMax)
          .default(10)
          .describe('A player who has not confirmed a healthy start by then counts as missing.'),
      })
      .nullable()
      .default(null)
      .describe(
        'Compares healthy starts of players that are in with those of the matched control.',
      ),
    query: z
      .strictObject({
        query: storable(z.string().min(1).max(promqlCharsMax)).describe(
          'PromQL, evaluated by the Prometheus server that the operator has named.',
        ),
        above: z.number().optional().describe('Trips while the result is above it.'),
        below: z.number().optional().describe('Trips while the result is below it.'),
        minutes: z.int().min(0).max(holdMinutesMax).describe('For how long, without interruption.'),
        noData: z
          .enum(['ignore', 'bad'])
          .default('ignore')
          .describe('What no result, and no response, counts as.'),
      })
      .refine(({ above, below }) => (above === undefined) !== (below === undefined), {
        message: 'needs either "above" or "below"',
      })
      .nullable()
      .default(null),
  })
  .describe('What stops the ramp by itself.');

export type ReleaseBrake = z.output<typeof brakeSchema>;

/** A brake as it is saved: every member is there. */
const savedBrakeSchema = z.object({
  action: z.enum(['stop', 'pause']),
  receipts: z.object({ minutes: z.int() }).nullable(),
  query: z
    .object({
      query: z.string(),
      above: z.number().optional(),
      below: z.number().optional(),
      minutes: z.int(),
      noData: z.enum(['ignore', 'bad']),
    })
    .nullable(),
});

/** What a release may change of its environment. */
const environmentEditSchema = z.strictObject({
  review: z.int().min(0).max(reviewersMax).optional(),
  protected: z.boolean().optional(),
  confirm: z.boolean().optional(),
  guards: z
    .record(contentIdSchema, guardsSchema)
    .refine((guards) => Object.keys(guards).length <= guardedContentsMax, {
      message: `has more than ${guardedContentsMax} contents`,
    })
    .optional()
    .describe('By id of a content item: its guards from then on.'),
  layers: layerListSchema.optional(),
  holdout: holdoutOrNoneSchema.optional(),
  delete: z.literal(true).optional().describe('Deletes the environment.'),
});

export type EnvironmentEdit = z.output<typeof environmentEditSchema>;

/** A change as it is put into a release. */
export const changeInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('content'),
    id: contentIdSchema,
    revision: revisionSchema
      .nullable()
      .optional()
      .describe('A saved revision; null deletes the content item; left out: the newest revision.'),
  }),
  z.strictObject({
    kind: z.literal('segment'),
    name: nameSchema,
    revision: revisionSchema.optional().describe('A saved revision; left out: the newest.'),
  }),
  z.strictObject({ kind: z.literal('environment'), edit: environmentEditSchema }),
]);

export type ChangeInput = z.output<typeof changeInputSchema>;

/** Which change is meant. */
export const changeNameSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('content'), id: contentIdSchema }),
  z.strictObject({ kind: z.literal('segment'), name: nameSchema }),
  z.strictObject({ kind: z.literal('environment') }),
]);

export type ChangeName = z.output<typeof changeNameSchema>;

const changeOrigin = {
  base: z
    .int()
    .nullable()
    .describe('What was live when the change was added or rebased; null: nothing was.'),
  live: z.int().nullable().describe('What is live now.'),
  conflict: z
    .boolean()
    .describe('`live` has moved away from `base`: rebase the change or drop it.'),
  addedBy: z.string().describe('Name of the user.'),
  addedAt: z.string(),
};

const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('content'),
    id: z.string(),
    revision: z.int().nullable().describe('null: the content item is deleted.'),
    author: z.string().describe('The user that saved the revision; empty for a deletion.'),
    note: z.string(),
    ...changeOrigin,
  }),
  z.object({
    kind: z.literal('segment'),
    name: z.string(),
    revision: z.int(),
    author: z.string(),
    note: z.string(),
    ...changeOrigin,
  }),
  z.object({
    kind: z.literal('environment'),
    edit: environmentEditSchema,
    conflict: z.literal(false),
    addedBy: z.string(),
    addedAt: z.string(),
  }),
]);

export type ReleaseChange = z.output<typeof changeSchema>;

const approvalSchema = z.object({
  user: z.string(),
  at: z.string(),
  comment: z.string(),
  counts: z.boolean().describe('It is for this digest, and its user may approve.'),
  reason: z.string().describe('Why it does not count; empty where it does.'),
});

const sliceCountsSchema = z.object({
  users: z.int().describe('Users that received a receipt in this step and are counted.'),
  healthy: z.int(),
  failed: z.int().describe('They reported a crash.'),
  missing: z.int().describe('Their time has passed without a healthy start; failed ones included.'),
  waiting: z.int().describe('Their time has not passed yet.'),
  networks: z.int().describe('Client networks that they come from.'),
});

const rampSchema = z.object({
  run: z.int(),
  step: z.int().describe('Place in `steps`, from 0.'),
  percent: z.number(),
  since: z.string().describe('When the step began.'),
  next: z
    .object({ action: z.enum(['step', 'live']), at: z.string() })
    .nullable()
    .describe('What follows by itself, and when; null while paused.'),
  counts: z
    .object({ candidate: sliceCountsSchema, control: sliceCountsSchema })
    .nullable()
    .describe('Of the present step; null without receipts.'),
  evidence: z
    .object({
      value: z.number().describe('How much the missing users speak for a fault; 1: not at all.'),
      limit: z.number().describe('At this value the brake trips.'),
    })
    .nullable(),
});

const summaryShape = {
  release: z.int().describe('Its number in the environment.'),
  environment: z.string(),
  title: z.string(),
  state: releaseStateSchema,
  version: z.int().describe('Goes up with every change of the release; send it as `ifVersion`.'),
  changes: z.int(),
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  scheduledAt: z.string().nullable(),
  percent: z.number().nullable().describe('Of a ramp under way.'),
  reason: z
    .string()
    .describe('Why it was paused, stopped or failed; a sentence that says what to do.'),
};

export const releaseSummarySchema = z
  .object(summaryShape)
  .register(z.globalRegistry, { id: 'ReleaseSummary' });

export type ReleaseSummary = z.output<typeof releaseSummarySchema>;

export const releaseSchema = z
  .object({
    ...summaryShape,
    description: z.string(),
    changes: z.array(changeSchema).readonly(),
    reach: z
      .object({
        contents: z.array(z.string()).readonly(),
        segments: z.array(z.string()).readonly(),
      })
      .describe('What players receive differently, or may: changed items and all that use them.'),
    steps: z
      .array(
        z.object({
          percent: z.number(),
          holdMinutes: z.int(),
          users: z
            .int()
            .nullable()
            .optional()
            .describe(
              'With receipts: users that must be in before these can show that 2 of 100 more are missing, where 5 of 100 are anyway; null: everybody is in, and there is nothing to compare with.',
            ),
        }),
      )
      .readonly(),
    brake: savedBrakeSchema.nullable(),
    schedule: z.object({ at: z.string(), toleranceMinutes: z.int() }).nullable(),
    review: z.object({
      required: z
        .int()
        .describe('Approvals that the environment asks for, or 1 where only a guard does.'),
      digest: z
        .string()
        .describe(
          'Of changes, reach, steps, brake and confirmed findings: what an approval names.',
        ),
      submittedBy: z.string().nullable(),
      submittedAt: z.string().nullable(),
      approvals: z.array(approvalSchema).readonly(),
    }),
    findings: z
      .array(findingSchema)
      .readonly()
      .describe(
        'What its contents do to values and probably should not, as they were last checked: when it was submitted, scheduled or started, or went live.',
      ),
    findingsCut: z.boolean().describe('There are more than are listed.'),
    confirmed: z
      .string()
      .nullable()
      .describe('Digest of the findings that were confirmed; null: none were.'),
    ramp: rampSchema.nullable(),
    overlaps: z
      .array(z.int())
      .readonly()
      .describe('Releases that ramp now and reach the same: this one cannot start beside them.'),
    emergency: z
      .string()
      .nullable()
      .describe('The reason of an owner who went live without approvals.'),
    sequence: z.int().nullable().describe('Of its last transition that players could notice.'),
    liveAt: z.string().nullable(),
    endedAt: z.string().nullable(),
  })
  .register(z.globalRegistry, { id: 'Release' });

export type Release = z.output<typeof releaseSchema>;
