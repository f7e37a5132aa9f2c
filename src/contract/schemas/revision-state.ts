/** One revision of a content with its texts and its mapping. */
import { z } from 'zod';
import { syncedSchema } from './changes.js';
import { describedBy } from './described-by.js';
import { flagsSchema } from './flags.js';

export const revisionStateSchema = z.object({
  id: z.string(),
  revision: z.int(),
  author: z.string(),
  note: z.string(),
  createdAt: z.string(),
  synced: syncedSchema,
  hash: z.string().describe('Of the highest line.'),
  lines: z.array(
    z.object({
      appVersion: z.string(),
      hash: z.string(),
      textBytes: z.int(),
      jsonBytes: z.int(),
      text: z.string().describe('As it was sent.'),
    }),
  ),
  mapping: z
    .array(z.unknown())
    .describe('As it was sent, byte for byte; [] for none.')
    .meta(describedBy('TargetingRules')),
  flags: flagsSchema,
});

export type RevisionState = z.output<typeof revisionStateSchema>;
