/** The history of a content, also of a deleted one: its revisions, and how two of them differ. */
import { z } from 'zod';
import { listRowsMax, revisionMax } from '../../limits.js';
import { operation } from '../../operation.js';
import {
  lineChangeSchema,
  mappingChangeSchema,
  pointerChangeSchema,
  syncedSchema,
} from '../../schemas/changes.js';
import { contentParams, pageLimit } from '../../schemas/common.js';
import { revisionStateSchema } from '../../schemas/revision-state.js';

const tag = 'contents';

/** As text in a path or query. */
export const numberSchema = z.coerce.number().int().min(1).max(revisionMax);
/** 0 stands for the state before the first revision. */
const numberOrZeroSchema = z.coerce.number().int().min(0).max(revisionMax);

const liveSpanSchema = z
  .object({
    from: z.string(),
    until: z.string().nullable().describe('null: it is live now.'),
  })
  .register(z.globalRegistry, { id: 'LiveSpan' });

/** From when to when a revision was live. */
export type LiveSpan = z.output<typeof liveSpanSchema>;

const revisionSummarySchema = z
  .object({
    revision: z.int(),
    live: z.boolean(),
    hash: z.string(),
    dynamic: z.boolean(),
    author: z.string(),
    note: z.string(),
    createdAt: z.string(),
    synced: syncedSchema,
    liveSpans: z
      .array(liveSpanSchema)
      .readonly()
      .describe(
        'When it was live for all players, oldest first, as far as the record says. Of a revision that was live more often than is shown, the last ones. The steps of a ramp are those of its release.',
      ),
  })
  .register(z.globalRegistry, { id: 'RevisionSummary' });

export type RevisionSummary = z.output<typeof revisionSummarySchema>;

const lineDiffSchema = lineChangeSchema.extend({
  text: z.string().describe('Unified diff of the texts with their comments.'),
  textCut: z.boolean().describe('There is more than is shown.'),
});

/** How the version line of one app version differs. */
export type LineDiff = z.output<typeof lineDiffSchema>;

const ruleDiffSchema = z.object({
  segment: z.string(),
  change: z.enum(['added', 'changed', 'moved', 'removed']),
  from: z.int().nullable().describe('Its place in the mapping before, from 0.'),
  to: z.int().nullable(),
  pointers: z.array(pointerChangeSchema).readonly(),
  pointersCut: z.boolean().describe('There is more than is shown.'),
});

const sideSchema = z.object({
  revision: z.int(),
  live: z.boolean(),
  hash: z.string(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
});

/** How a rule of the mapping differs. */
export type RuleDiff = z.output<typeof ruleDiffSchema>;

/** One of the two revisions of a diff. */
export type DiffSide = z.output<typeof sideSchema>;

const diffSchema = z.object({
  id: z.string(),
  from: sideSchema.nullable().describe('null: there is no revision before.'),
  to: sideSchema,
  lines: z.array(lineDiffSchema).readonly().describe('Those that differ.'),
  mapping: z.object({
    change: mappingChangeSchema,
    rules: z.array(ruleDiffSchema).readonly().describe('Those that differ.'),
  }),
  flags: z.object({
    change: mappingChangeSchema.describe('"changed" without any below: their order differs.'),
    added: z.array(z.string()).readonly(),
    removed: z.array(z.string()).readonly(),
  }),
});

export type ContentDiff = z.output<typeof diffSchema>;

export const listRevisions = operation('GET /environments/:env/contents/:id/revisions', {
  tag,
  description: 'Lists what was saved, newest first. The history of a deleted content is shown too.',
  role: 'viewer',
  params: contentParams,
  query: z.object({
    before: numberSchema
      .default(revisionMax)
      .describe('Number of the revision before which the page begins.'),
    limit: pageLimit('Revisions', listRowsMax),
  }),
  responses: { 200: z.object({ id: z.string(), revisions: z.array(revisionSummarySchema) }) },
  problems: ['content_not_found'],
});

export const showRevision = operation('GET /environments/:env/contents/:id/revisions/:revision', {
  tag,
  description: 'Shows one revision with its texts, its mapping and its flags.',
  role: 'viewer',
  params: contentParams.extend({
    revision: numberSchema.describe('Number of the revision.'),
  }),
  responses: { 200: revisionStateSchema },
  problems: ['content_not_found', 'revision_not_found'],
});

export const diffContent = operation('GET /environments/:env/contents/:id/diff', {
  tag,
  description:
    'Compares two revisions: each line as JSON and as text, the rules of the mapping, and the flags. Description, tags and schema are not part of a revision. Works on a deleted content, too.',
  role: 'viewer',
  params: contentParams,
  query: z.object({
    from: numberOrZeroSchema
      .optional()
      .describe(
        'Left out: the live revision, or the one before "to" when the live one is not older; 0: nothing.',
      ),
    to: numberOrZeroSchema.min(1).optional().describe('Left out: the newest revision.'),
  }),
  responses: { 200: diffSchema },
  problems: ['content_not_found', 'revision_not_found', 'too_costly'],
});
