/** The response of operations that save or publish a content, and the problems that all of them have. */
import { z } from 'zod';
import type { ProblemCode } from '../problems.js';
import { issueSchema, publishedSchema } from './common.js';

export const savedSchema = z.object({
  id: z.string(),
  revision: z.int(),
  live: z.int().nullable().describe('The live revision; null: nothing is delivered.'),
  hash: z.string().describe('Of the highest line.'),
  warnings: z
    .array(issueSchema)
    .readonly()
    .describe(
      'What is valid but probably a mistake, and where a draft does not match its JSON Schema (code `schema_mismatch`). Warnings reject nothing.',
    ),
  ...publishedSchema,
});
savedSchema.register(z.globalRegistry, { id: 'SavedContent' });

export type SavedContent = z.output<typeof savedSchema>;

/** Problems of a state that is about to become a revision, or to be delivered again. */
export const stateCodes: readonly ProblemCode[] = [
  'content_not_found',
  'invalid_content',
  'invalid_mapping',
  'too_costly',
  'overloaded',
];
