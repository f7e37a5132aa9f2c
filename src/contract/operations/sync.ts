/** Sync: copying what is live in one environment to another. */
import { z } from 'zod';
import { syncIdsMax } from '../limits.js';
import { operation } from '../operation.js';
import {
  aboutChangeSchema,
  editedHereSchema,
  lineChangeSchema,
  mappingChangeSchema,
  planSchema,
} from '../schemas/changes.js';
import {
  contentIdSchema,
  environmentParams,
  issueSchema,
  publishedSchema,
} from '../schemas/common.js';
import { valueGateCodes } from '../schemas/gate.js';
import { confirmationSchema, confirmSchema, strictQuery } from '../schemas/guard.js';
import { releaseTitleSchema } from '../schemas/release.js';
import { storable } from '../schemas/storable.js';

const addedOrChanged = z.enum(['added', 'changed']);

const syncedContentSchema = z.object({
  id: z.string(),
  fromRevision: z.int(),
  toRevision: z.int().nullable().describe('The live revision of the target; null: none is live.'),
  about: aboutChangeSchema,
  lines: z.array(lineChangeSchema).readonly().describe('Of a dry run.'),
  mapping: mappingChangeSchema,
  flags: mappingChangeSchema,
  segments: z.array(z.object({ name: z.string(), change: addedOrChanged })).readonly(),
  conflict: z
    .boolean()
    .describe(
      'The live revision of the target differs, and no sync from that environment made it.',
    ),
  edited: editedHereSchema.nullable().describe('Who made it, and when.'),
});

const syncedSegmentSchema = z.object({
  name: z.string(),
  change: addedOrChanged,
  before: z
    .string()
    .nullable()
    .describe('The condition in the target, JSON text, cut where it is long; null: it has none.'),
  after: z.string(),
  conflict: z
    .boolean()
    .describe('It differs in the target, and a sync from that environment did not save it last.'),
  edited: editedHereSchema
    .nullable()
    .describe('Null without a conflict, and when the audit does not reach back to the edit.'),
});

const syncReportSchema = z
  .object({
    added: z.array(syncedContentSchema).readonly(),
    changed: z.array(syncedContentSchema).readonly(),
    unchanged: z.array(z.string()).readonly(),
    onlyHere: z.array(z.string()).readonly().describe('A sync does not change them.'),
    segments: z.array(syncedSegmentSchema).readonly(),
    layers: z
      .array(z.string())
      .readonly()
      .describe('Names of layers that contents use and the target lacks: they are added.'),
    warnings: z
      .array(issueSchema)
      .readonly()
      .describe(
        'What is valid but probably a mistake: more flags than OFREP evaluates at once; values that move far from what is live in the target (`path` begins with the id of the content); and what a release does not take.',
      ),
    release: z
      .int()
      .nullable()
      .describe('Number of the release that it made; null: none, or a dry run.'),
    confirmation: confirmationSchema
      .nullable()
      .optional()
      .describe('Of a dry run: findings to confirm; null: there are none.'),
    plan: planSchema,
    dryRun: z.boolean(),
    ...publishedSchema,
  })
  .register(z.globalRegistry, { id: 'SyncReport' });

/** A content that the target receives, new or changed. */
export type SyncedContent = z.output<typeof syncedContentSchema>;
export type SyncedSegment = z.output<typeof syncedSegmentSchema>;
export type SyncReport = z.output<typeof syncReportSchema>;

export const syncEnvironment = operation('POST /environments/:env/sync', {
  tag: 'sync',
  description:
    'Copies the live revisions of another environment (all, or those named), with their descriptions, tags, schemas and guards and the saved segments they use, on top of the history here. All of it or nothing, published together. A dry run returns what would change in each content, the conflicts (edits made here that would be covered), and a `plan`. With that plan, the sync is rejected unless it would still do exactly this. A protected environment accepts syncs only from owners, and only with a plan. With `release`, nothing that is live changes: what would go live is saved as drafts, and a release is made of exactly these. Editors may do so in protected environments, and where releases are required or a ramp locks what it reaches.',
  role: 'editor',
  publishes: true,
  params: environmentParams,
  query: strictQuery,
  body: z.strictObject({
    from: storable(z.string()).describe('Id of the environment to copy from.'),
    ids: z
      .array(contentIdSchema)
      .max(syncIdsMax)
      .optional()
      .describe('Contents to copy; default: all that are live in the source.'),
    dryRun: z.boolean().default(false).describe('Report what would change; change nothing.'),
    plan: planSchema.optional(),
    confirm: confirmSchema,
    release: z
      .strictObject({ title: releaseTitleSchema })
      .optional()
      .describe(
        'Save drafts and make a release of them instead of publishing. Descriptions, tags, schemas and guards of content items that exist, and descriptions of segments, stay as they are. Where nothing would change, no release is made.',
      ),
  }),
  responses: { 200: syncReportSchema },
  problems: [
    'content_not_found',
    'invalid_content',
    'invalid_mapping',
    'invalid_schema',
    'too_costly',
    'plan_required',
    'plan_stale',
    'limit_reached',
    ...valueGateCodes,
  ],
});
