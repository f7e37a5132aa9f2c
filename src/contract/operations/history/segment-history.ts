/** History of saved segments: revisions, what differs between two of them, rollback. */
import { z } from 'zod';
import { listRowsMax, revisionMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { pointerChangeSchema, syncedSchema } from '../../schemas/changes.js';
import { pageLimit, revisionSchema } from '../../schemas/common.js';
import { experimentGateCodes } from '../../schemas/gate.js';
import { confirmSchema } from '../../schemas/guard.js';
import { conditionSchema, savedSegmentSchema, segmentParams } from '../../schemas/segment.js';

const numberSchema = z.coerce.number().int().min(1).max(revisionMax);

const summaryMembers = {
  revision: z.int(),
  current: z.boolean().describe('Rules that name the segment use it now.'),
  author: z.string().describe('"" where it was saved before revisions were kept.'),
  note: z.string(),
  createdAt: z.string(),
  synced: syncedSchema,
};

const segmentRevisionSummarySchema = z
  .object(summaryMembers)
  .register(z.globalRegistry, { id: 'SegmentRevisionSummary' });

export type SegmentRevisionSummary = z.output<typeof segmentRevisionSummarySchema>;

const segmentRevisionSchema = z.object({
  name: z.string(),
  ...summaryMembers,
  when: conditionSchema,
});

export type SegmentRevision = z.output<typeof segmentRevisionSchema>;

const cutSchema = z.boolean().describe('There is more than is shown.');

const segmentDiffSchema = z.object({
  name: z.string(),
  from: segmentRevisionSummarySchema.nullable().describe('null: there is no revision before.'),
  to: segmentRevisionSummarySchema,
  pointers: z.array(pointerChangeSchema).readonly().describe('Where the condition differs.'),
  pointersCut: cutSchema,
  text: z.string().describe('Unified diff of the conditions as they were sent.'),
  textCut: cutSchema,
});

export type SegmentDiff = z.output<typeof segmentDiffSchema>;

export const listSegmentRevisions = operation('GET /environments/:env/segments/:name/revisions', {
  tag: 'segments',
  description:
    'Lists the conditions that a segment has had, newest first. The history of a deleted segment is shown too.',
  role: 'viewer',
  params: segmentParams,
  query: z.object({
    before: numberSchema
      .default(revisionMax)
      .describe('Number of the revision before which the page begins.'),
    limit: pageLimit('Revisions', listRowsMax),
  }),
  responses: {
    200: z.object({
      name: z.string(),
      live: z.int().nullable().describe('The revision that rules use; null: none.'),
      newest: z.int(),
      revisions: z.array(segmentRevisionSummarySchema),
    }),
  },
  problems: ['segment_not_found'],
});

export const getSegmentRevision = operation(
  'GET /environments/:env/segments/:name/revisions/:revision',
  {
    tag: 'segments',
    description: 'Shows one revision with its condition.',
    role: 'viewer',
    params: segmentParams.extend({ revision: numberSchema.describe('Number of the revision.') }),
    responses: { 200: segmentRevisionSchema },
    problems: ['segment_not_found', 'revision_not_found'],
  },
);

export const diffSegment = operation('GET /environments/:env/segments/:name/diff', {
  tag: 'segments',
  description: 'Compares the conditions of two revisions. Works on a deleted segment, too.',
  role: 'viewer',
  params: segmentParams,
  query: z.object({
    from: numberSchema.optional().describe('Left out: the revision before "to".'),
    to: numberSchema.optional().describe('Left out: the newest revision.'),
  }),
  responses: { 200: segmentDiffSchema },
  problems: ['segment_not_found', 'revision_not_found', 'too_costly'],
});

export const rollbackSegment = operation('POST /environments/:env/segments/:name/rollback', {
  tag: 'segments',
  description:
    'Saves the condition of an old revision again, as a new one: contents that use the segment are delivered with it at once. Undoes a deletion, too.',
  role: 'editor',
  publishes: true,
  params: segmentParams,
  body: z.strictObject({ revision: revisionSchema, confirm: confirmSchema }),
  responses: { 200: savedSegmentSchema },
  problems: ['segment_not_found', 'revision_not_found', ...experimentGateCodes],
});
