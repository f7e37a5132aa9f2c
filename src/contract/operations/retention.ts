/** Retention: removes what is not kept, now instead of within the hour. */
import { z } from 'zod';
import { deletedDaysKeptMax, revisionsKeptMax } from '../limits.js';
import { operation } from '../operation.js';

const countSchema = z.int().min(0);

const retentionSchema = z.object({
  dryRun: z.boolean(),
  revisionsKept: countSchema
    .nullable()
    .describe('Newest of each content and of each segment; null: all.'),
  deletedDaysKept: countSchema
    .nullable()
    .describe('Days that deleted contents can be brought back; null: for ever.'),
  removed: z.object({
    contents: countSchema.describe('Deleted ones, whose time was over.'),
    revisions: countSchema,
    texts: countSchema.describe('Stored texts that no revision used any more.'),
    textBytes: countSchema,
  }),
  finished: z.boolean().describe('False: there is more; ask again.'),
});

export type Retention = z.output<typeof retentionSchema>;

export const applyRetention = operation('POST /retention', {
  tag: 'operations',
  description:
    'Removes what retention does not keep, which also happens by itself every hour. It ends after some seconds, done or not (`finished`). A dry run counts; texts that only the counted revisions use are not among its texts. The rules are those the server was started with, unless the body names others for this run. The live revision, the newest, and the one that bringing a deleted content back would publish are always kept.',
  role: 'owner',
  body: z
    .strictObject({
      dryRun: z.boolean().default(false).describe('Count, and remove nothing.'),
      revisionsKept: z
        .int()
        .min(1)
        .max(revisionsKeptMax)
        .nullable()
        .optional()
        .describe('Newest of each content; null: all. Left out: as the server was started.'),
      deletedDaysKept: z
        .int()
        .min(0)
        .max(deletedDaysKeptMax)
        .nullable()
        .optional()
        .describe('Days; null: for ever. Left out: as the server was started.'),
    })
    .default({ dryRun: false }),
  responses: { 200: retentionSchema },
  problems: ['housekeeping_running'],
});
