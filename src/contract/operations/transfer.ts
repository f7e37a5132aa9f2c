/** Transfer: an environment as NDJSON, exported and imported. */
import { z } from 'zod';
import { changesShownMax } from '../limits.js';
import { ndjsonType } from '../media-types.js';
import { operation } from '../operation.js';
import {
  aboutChangeSchema,
  lineChangeSchema,
  mappingChangeSchema,
  planSchema,
} from '../schemas/changes.js';
import {
  environmentParams,
  issueSchema,
  publishedSchema,
  versionSchema,
} from '../schemas/common.js';
import { valueGateCodes } from '../schemas/gate.js';
import { confirmationSchema, confirmSchema, strictQuery } from '../schemas/guard.js';
import { transferLineSchema } from '../schemas/transfer-line.js';
import { baselineFormat } from '../transfer-format.js';

export const exportEnvironment = operation('GET /environments/:env/export', {
  tag: 'transfer',
  description:
    'Streams the environment as NDJSON, a snapshot of one moment: a line for the environment, one for each saved segment (by name) and content (by id), then for each metric and the plan of each experiment, and an end line with their counts, without which the stream is incomplete. Texts, mappings, schemas and conditions are strings that hold them byte for byte. The same state yields the same bytes. History, keys, users and what experiments have found are not exported.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    drafts: z
      .enum(['true', 'false'])
      .default('true')
      .describe('Whether to include unpublished edits of live contents, one line each.'),
  }),
  responseType: ndjsonType,
  responses: { 200: transferLineSchema },
  problems: ['limit_reached'],
});

const baselineSchema = z
  .object({
    format: z.literal(baselineFormat),
    store: z.string().describe('Identity of the store, as in refresh.'),
    sequence: z.int().describe('The sequence that all of it is from.'),
    environment: z.string(),
    appVersion: z.string().nullable(),
    contents: z
      .record(
        z.string(),
        z.object({
          data: z.string().describe('The content item without targeting rules, JSON text.'),
          hash: z.string(),
          tag: z.string().describe('What refresh gives players to whom no rule applies.'),
          crc: z.string().describe('CRC-32 of `data`, 8 hex digits.'),
          seg: z.array(z.unknown()).readonly().describe('Always empty.'),
        }),
      )
      .describe('By content id; items that have no version line for the app version are left out.'),
  })
  .register(z.globalRegistry, { id: 'Baseline' });

export const exportBaseline = operation('GET /environments/:env/baseline', {
  tag: 'transfer',
  operationId: 'exportBaseline',
  description:
    'Streams what a client kit ships with the build of a game, for starts without a network: everything that is published, of one sequence, without targeting rules.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    appVersion: versionSchema
      .optional()
      .describe('App version of the build, X.Y.Z; the highest version lines if absent.'),
  }),
  responses: { 200: baselineSchema },
  problems: ['limit_reached'],
});

const importChange = z.enum(['added', 'changed', 'removed']);

const importedSchema = z.object({
  id: z.string(),
  change: importChange,
  revision: z.int().nullable().describe('The newest revision then; null: it is removed.'),
  live: z.int().nullable(),
  about: aboutChangeSchema,
  lines: z.array(lineChangeSchema).readonly().describe('Of a dry run.'),
  mapping: mappingChangeSchema,
  flags: mappingChangeSchema,
});

const importReportSchema = z
  .object({
    mode: z.enum(['merge', 'replace']),
    dryRun: z.boolean(),
    plan: planSchema,
    counts: z.object({
      added: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      removed: z.int(),
    }),
    contents: z
      .array(importedSchema)
      .readonly()
      .describe(`Contents that change, the first ${changesShownMax}.`),
    contentsCut: z.boolean().describe('More change than are listed.'),
    segments: z.array(z.object({ name: z.string(), change: importChange })).readonly(),
    layers: z.array(z.string()).readonly().describe('Names of layers that are added.'),
    metrics: z
      .array(z.object({ name: z.string(), change: z.enum(['added', 'changed']) }))
      .readonly(),
    experiments: z
      .array(z.string())
      .readonly()
      .describe('Ids of experiments that are drafts then.'),
    warnings: z
      .array(issueSchema)
      .readonly()
      .describe('What is valid but probably a mistake; `line` is the line of the file.'),
    confirmation: confirmationSchema
      .nullable()
      .optional()
      .describe('Of a dry run: findings to confirm; null: there are none.'),
    ...publishedSchema,
  })
  .register(z.globalRegistry, { id: 'ImportReport' });

export type ImportReport = z.output<typeof importReportSchema>;

export const importEnvironment = operation('POST /environments/:env/import', {
  tag: 'transfer',
  description:
    'Takes NDJSON as the export writes it (`application/x-ndjson`; mode and dryRun are in the query, because the body is the file). Every line is validated as saving it would be. Issues name the number of their line, and with any issue nothing changes. All of it is published together. What is the same as in the file gets no new revision. `merge` keeps what the file does not have; `replace` removes it, history kept, and takes only a file with its end line. A dry run returns what would change, and a `plan`. With that plan, the import is rejected unless it would still do exactly this. A protected environment accepts imports only from owners, and only with a plan.',
  role: 'editor',
  publishes: true,
  params: environmentParams,
  query: strictQuery.extend({
    confirm: confirmSchema,
    mode: z
      .enum(['merge', 'replace'])
      .default('merge')
      .describe('Whether to keep or to remove what the file does not have.'),
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Report what would change; change nothing.'),
    plan: planSchema.optional(),
  }),
  lines: transferLineSchema,
  responses: { 200: importReportSchema },
  problems: ['invalid_import', 'plan_required', 'plan_stale', ...valueGateCodes],
});
