/** Contents of an environment: listed, shown, published, rolled back, deleted, restored. `content-save.ts` has the edit. */
import { z } from 'zod';
import { listRowsMax } from '../limits.js';
import { operation } from '../operation.js';
import { syncedSchema } from '../schemas/changes.js';
import {
  contentParams,
  environmentParams,
  noteSchema,
  pageLimit,
  publishedSchema,
  revisionSchema,
  versionSchema,
} from '../schemas/common.js';
import { gateCodes, valueGateCodes } from '../schemas/gate.js';
import { confirmSchema, guardsSchema, strictQuery } from '../schemas/guard.js';
import { revisionStateSchema } from '../schemas/revision-state.js';
import { savedSchema, stateCodes } from '../schemas/saved.js';

const tag = 'contents';

const summarySchema = z
  .object({
    id: z.string(),
    description: z.string(),
    tags: z.array(z.string()).readonly(),
    newest: z.int(),
    live: z.int().nullable().describe('Below `newest` or null: the newest revision is a draft.'),
    author: z.string().describe('The user that saved the newest revision.'),
    synced: syncedSchema,
    hash: z.string().describe('Of the highest line of the live revision, or of the newest.'),
    dynamic: z.boolean(),
    lines: z.int(),
    jsonBytes: z.int(),
    updatedAt: z.string(),
    liveSince: z
      .string()
      .nullable()
      .describe('Since when the live revision is live; null: none is, or it is not known.'),
    deletedAt: z.string().nullable(),
    deletedBy: z
      .string()
      .nullable()
      .describe('null: it is not deleted, or the audit does not reach back to it.'),
  })
  .register(z.globalRegistry, { id: 'ContentSummary' });

export type ContentSummary = z.output<typeof summarySchema>;

const contentSchema = revisionStateSchema.extend({
  description: z.string(),
  tags: z.array(z.string()),
  newest: z.int(),
  live: z.int().nullable(),
  updatedAt: z.string(),
  deletedAt: z.null(),
  schema: z
    .union([z.record(z.string(), z.unknown()), z.boolean(), z.null()])
    .describe('JSON Schema as it was sent.'),
  guards: guardsSchema.describe('What its values must be.'),
});

/** A content with its newest revision. */
export type Content = z.output<typeof contentSchema>;

export const listContents = operation('GET /environments/:env/contents', {
  tag,
  description: 'Lists contents by id, with what is live of each (or else is newest).',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    deleted: z
      .enum(['true', 'false'])
      .default('false')
      .describe('true: the deleted ones instead, with what was live of them.'),
    after: z.string().default('').describe('Id after which the page begins.'),
    limit: pageLimit('Contents', listRowsMax),
  }),
  responses: {
    200: z.object({
      contents: z.array(summarySchema),
      next: z.string().nullable().describe('Give it as "after" for the next page.'),
    }),
  },
});

export const showContent = operation('GET /environments/:env/contents/:id', {
  tag,
  description: 'Shows the newest revision, live or not.',
  role: 'viewer',
  params: contentParams,
  responses: { 200: contentSchema },
  problems: ['content_not_found'],
});

export const deleteLine = operation('DELETE /environments/:env/contents/:id/lines/:appVersion', {
  tag,
  description: 'Removes the line of an app version. Players that it served get the next lower one.',
  role: 'editor',
  publishes: true,
  params: contentParams.extend({ appVersion: versionSchema }),
  query: strictQuery.extend({
    confirm: confirmSchema,
    publish: z
      .enum(['true', 'false'])
      .default('true')
      .describe('Whether players see it at once; false saves a draft.'),
    ifRevision: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Reject unless this is the newest revision.'),
  }),
  responses: { 200: savedSchema },
  problems: ['line_not_found', 'last_line', 'revision_conflict', ...stateCodes, ...valueGateCodes],
});

export const publishRevision = operation('POST /environments/:env/contents/:id/publish', {
  tag,
  description: 'Makes a saved revision the live one; without a number, the newest.',
  role: 'editor',
  publishes: true,
  params: contentParams,
  query: strictQuery,
  body: z.strictObject({ revision: revisionSchema.optional(), confirm: confirmSchema }),
  responses: { 200: savedSchema },
  problems: ['revision_not_found', 'revision_older', ...stateCodes, ...valueGateCodes],
});

export const rollBack = operation('POST /environments/:env/contents/:id/rollback', {
  tag,
  description:
    'Publishes an old revision again, as a new one, whose note begins with the number of the old one. Undoes a deletion, too. A revision that was live needs no confirmation.',
  role: 'editor',
  publishes: true,
  params: contentParams,
  query: strictQuery,
  body: z.strictObject({
    revision: revisionSchema,
    note: noteSchema.default(''),
    confirm: confirmSchema,
  }),
  responses: { 200: savedSchema },
  problems: ['revision_not_found', ...stateCodes, ...valueGateCodes],
});

export const deleteContent = operation('DELETE /environments/:env/contents/:id', {
  tag,
  description:
    'Takes the content out of delivery. Its history stays, and `restore` brings it back.',
  role: 'editor',
  publishes: true,
  params: contentParams,
  responses: { 200: z.object({ id: z.string(), ...publishedSchema }) },
  problems: ['content_not_found', 'experiment_running', ...gateCodes],
});

export const restoreContent = operation('POST /environments/:env/contents/:id/restore', {
  tag,
  description:
    'Undoes a deletion: what was live is live again, under its own number; drafts are drafts.',
  role: 'editor',
  publishes: true,
  params: contentParams,
  responses: { 200: savedSchema },
  problems: ['not_deleted', 'revision_not_found', ...stateCodes, ...gateCodes],
});
