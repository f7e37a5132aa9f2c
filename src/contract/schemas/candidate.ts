/** What an evaluation or a preview tries out: a saved revision, with or without unsaved edits. */
import { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import { revisionSchema, versionSchema } from './common.js';
import { describedBy } from './described-by.js';
import { linesSchema } from './lines.js';

/** As members of a larger body. */
export const candidateFields = {
  revision: z
    .union([revisionSchema, z.literal('newest')])
    .optional()
    .describe(
      'A saved revision, or "newest". Default: the live one; with unsaved edits, the newest, on which a PUT would build.',
    ),
  release: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of a release, as if it were live: its revision of the content, with its segments. In place of a revision and unsaved edits.',
    ),
  text: z.string().optional().describe('An unsaved text; comments and trailing commas are fine.'),
  appVersion: versionSchema
    .optional()
    .describe(`The version line of the unsaved text; default: ${lowestVersion}.`),
  lines: linesSchema.optional(),
  mapping: z
    .array(z.unknown())
    .optional()
    .describe('An unsaved mapping; an empty list stands for none.')
    .meta(describedBy('TargetingRules')),
};

const candidateSchema = z.object(candidateFields);
export type CandidateBody = z.output<typeof candidateSchema>;

/** A saved segment that a mapping uses, with the revision whose condition applied. */
export const usedSegmentSchema = z.object({ name: z.string(), revision: z.int() });
