/** Blame of one value: which revisions set it, by which user, and why. */
import { z } from 'zod';
import { isPointer } from '../../../content/mutation/json-pointer.js';
import { blameChangesMax, pointerCharsMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { syncedSchema } from '../../schemas/changes.js';
import { contentParams, pageLimit, versionSchema } from '../../schemas/common.js';
import { releaseStateSchema } from '../../schemas/release.js';
import { storable } from '../../schemas/storable.js';
import { numberSchema } from './content-history.js';

const valueSchema = z.string().nullable();

const valueChangeSchema = z
  .object({
    revision: z.int().describe('The revision that set the value.'),
    before: valueSchema.describe('JSON text, cut where it is long; null: there was none.'),
    after: valueSchema.describe('JSON text, cut where it is long; null: it was removed.'),
    author: z.string(),
    note: z.string(),
    at: z.string().describe('When the revision was saved.'),
    synced: syncedSchema,
    liveAt: z
      .string()
      .nullable()
      .describe('When the revision was first live, as far as the record says; null: never.'),
    releases: z
      .array(z.object({ release: z.int(), title: z.string(), state: releaseStateSchema }))
      .describe('The newest few releases that have brought the revision.'),
  })
  .register(z.globalRegistry, { id: 'ValueChange' });

/** A revision that set a value. */
export type ValueChange = z.output<typeof valueChangeSchema>;

export const blameValue = operation('GET /environments/:env/contents/:id/blame', {
  tag: 'contents',
  description:
    'Shows which revisions set a value, newest first. It reads the history from the newest revision backwards, and a limited part of it for one response. Works on a deleted content, too.',
  role: 'viewer',
  params: contentParams,
  query: z.object({
    appVersion: versionSchema
      .optional()
      .describe('The app version line; left out: the lowest one of the newest revision.'),
    path: storable(z.string().max(pointerCharsMax))
      .refine(isPointer, 'must be a JSON pointer (RFC 6901)')
      .default('')
      .describe('JSON pointer of the value; empty: the whole document.'),
    before: numberSchema
      .optional()
      .describe('Number of the revision before which it begins; left out: at the newest.'),
    limit: pageLimit('Changes', blameChangesMax, 1),
  }),
  responses: {
    200: z.object({
      id: z.string(),
      appVersion: z.string(),
      path: z.string(),
      value: valueSchema.describe(
        'The value in the newest revision that was looked at: JSON text, cut where it is long; null: there is none.',
      ),
      changes: z.array(valueChangeSchema),
      next: z
        .int()
        .nullable()
        .describe(
          '`before` of the next page; null: the history was looked at up to its first revision.',
        ),
      isOldest: z
        .boolean()
        .describe(
          'The last change is the first revision that is kept: where older ones were removed, the value may be older.',
        ),
    }),
  },
  problems: ['content_not_found', 'too_costly'],
});
