/** Saved segments: conditions with a name, which the rules of mappings share. */
import { z } from 'zod';
import { segmentRowsMax, testContextsMax } from '../limits.js';
import { operation } from '../operation.js';
import {
  descriptionSchema,
  environmentParams,
  instantSchema,
  issueSchema,
  nameSchema,
  noteSchema,
  pageLimit,
  published,
} from '../schemas/common.js';
import { experimentGateCodes, gateCodes } from '../schemas/gate.js';
import { confirmationSchema, confirmSchema } from '../schemas/guard.js';
import {
  conditionSchema,
  savedSegmentSchema,
  saveEffect,
  segmentMembers,
  segmentParams,
} from '../schemas/segment.js';
import { operandSchema } from '../schemas/targeting/operand.js';
import { userContextSchema } from '../schemas/user-context.js';

export const segmentSchema = segmentMembers
  .extend({
    uses: z.array(
      z.object({
        content: z.string(),
        revision: z.int(),
        live: z.boolean(),
        newest: z.boolean(),
        rules: z.array(z.int()).describe('Places in the mapping of that revision, from 0.'),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Segment' });

export type Segment = z.output<typeof segmentSchema>;
export type SegmentUse = Segment['uses'][number];

const contextPlaces = z
  .array(z.int())
  .readonly()
  .describe('The first of them, as places in `contexts`, from 0.');

const segmentPlanSchema = z.object({
  name: z.string(),
  dryRun: z.literal(true),
  created: z.boolean().describe('It would be new.'),
  changed: z.boolean().describe('Its condition would be another one.'),
  updatedAt: z.string().nullable().describe('Send it as ifUpdatedAt to save just this change.'),
  ...saveEffect,
  effect: z
    .object({
      contexts: z.int(),
      matchedBefore: z.int(),
      matchAfter: z.int(),
      entering: z.int(),
      leaving: z.int(),
      enteringExamples: contextPlaces,
      leavingExamples: contextPlaces,
    })
    .nullable()
    .describe('On the contexts given; null without any.'),
  confirmation: confirmationSchema
    .nullable()
    .describe('Running experiments whose players it chooses; null: there are none.'),
});

export type SegmentPlan = z.output<typeof segmentPlanSchema>;

const testedSchema = z.object({
  contexts: z.int(),
  matching: z.int(),
  results: z
    .array(
      z.object({
        matches: z.boolean(),
        reason: z.string().describe('Some sentences for people.'),
        decidedBy: z.array(operandSchema).readonly(),
      }),
    )
    .readonly()
    .describe('One for each context, in their order.'),
  warnings: z.array(issueSchema).readonly(),
});

export type TestedSegment = z.output<typeof testedSchema>;
/** Whether one context matches, and why. */
export type TestedContext = TestedSegment['results'][number];

export const listSegments = operation('GET /environments/:env/segments', {
  tag: 'segments',
  description: 'Lists the live segments by name, each with the rules of mappings that use it.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    after: z.string().default('').describe('Name after which the page begins.'),
    limit: pageLimit('Segments', segmentRowsMax),
    drafts: z
      .enum(['true', 'false'])
      .default('false')
      .describe('true: also segments that are only drafts, which no rule can use yet.'),
  }),
  responses: {
    200: z.object({
      next: z.string().nullable().describe('`after` of the next page; null: the last one.'),
      segments: z.array(segmentSchema),
    }),
  },
});

export const getSegment = operation('GET /environments/:env/segments/:name', {
  tag: 'segments',
  description:
    'Shows a saved segment as it is live, and the rules of mappings that use it; of one that is not live yet, the newest draft.',
  role: 'viewer',
  params: segmentParams,
  responses: { 200: segmentSchema },
  problems: ['segment_not_found'],
});

export const putSegment = operation('PUT /environments/:env/segments/:name', {
  tag: 'segments',
  description:
    'Saves a segment: contents that use it are delivered with the new condition at once, and are named in `reaches`. With `publish: false` it saves a draft, which a release makes live. With dryRun nothing is changed and the response says what would be.',
  role: 'editor',
  publishes: true,
  params: segmentParams,
  body: z
    .strictObject({
      when: conditionSchema,
      description: descriptionSchema.optional().describe('Left out, it stays as it is.'),
      note: noteSchema.default(''),
      publish: z
        .boolean()
        .default(true)
        .describe(
          'Whether rules use it at once; false saves a draft, in a protected environment for editors, too.',
        ),
      ifUpdatedAt: instantSchema
        .nullable()
        .optional()
        .describe(
          'Reject with `segment_conflict` unless the segment was last saved then; null: unless it is new.',
        ),
      confirm: confirmSchema,
      dryRun: z.boolean().default(false).describe('Change nothing, and say what saving would do.'),
      contexts: z
        .array(userContextSchema)
        .max(testContextsMax)
        .optional()
        .describe('With dryRun: user contexts to count whom the change lets in and leaves out.'),
    })
    .register(z.globalRegistry, {
      examples: [{ when: { country: { $in: ['US', 'CA'] }, level: { $gte: 10 } } }],
    }),
  responses: { 200: z.union([savedSegmentSchema, segmentPlanSchema]), 201: savedSegmentSchema },
  problems: ['invalid_segment', 'segment_conflict', 'too_costly', ...experimentGateCodes],
});

export const testSegment = operation('POST /environments/:env/segments/test', {
  tag: 'segments',
  description:
    'Tests a condition on user contexts: whether each matches, and the operand that decided. Give a condition (`when`) or the name of a saved segment.',
  role: 'viewer',
  params: environmentParams,
  body: z.strictObject({
    when: conditionSchema.optional(),
    name: nameSchema.optional().describe('A saved segment, instead of `when`.'),
    contexts: z
      .array(userContextSchema)
      .min(1)
      .max(testContextsMax)
      .describe('Users to try it on.'),
  }),
  responses: { 200: testedSchema },
  problems: ['invalid_segment', 'segment_not_found', 'too_costly'],
});

export const deleteSegment = operation('DELETE /environments/:env/segments/:name', {
  tag: 'segments',
  description: 'Deletes a saved segment that no newest or live revision uses.',
  role: 'editor',
  publishes: true,
  params: segmentParams,
  responses: { 200: published(z.object({ name: z.string() })) },
  problems: ['segment_not_found', 'segment_in_use', ...gateCodes],
});
