/** The problem details (RFC 9457) of every response that is not a success. */
import { z } from 'zod';
import { problemCodes } from '../problems.js';
import { issueSchema } from './common.js';
import { confirmationProblemSchema } from './guard.js';
import { releaseStateSchema } from './release.js';

export const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int().describe('The status of the response.'),
    code: z.enum(problemCodes).describe('What programs act on; each operation lists its own.'),
    detail: z.string().describe('One helpful sentence for people.'),
    errors: z.array(issueSchema).optional().describe('What is wrong with the input, and where.'),
    between: z
      .array(
        z.object({
          revision: z.int(),
          author: z.string(),
          createdAt: z.string(),
          note: z.string(),
          live: z.boolean(),
        }),
      )
      .optional()
      .describe('With revision_conflict: what was saved since, newest first.'),
    release: z.int().optional().describe('With problems of releases: its number.'),
    state: releaseStateSchema.optional().describe('With release_state: its state now.'),
    version: z
      .int()
      .optional()
      .describe('With release_state and release_changed: its version now.'),
    required: z
      .int()
      .optional()
      .describe('With release_required: approvals that the environment asks for.'),
    missing: z.int().optional().describe('With approvals_missing: how many.'),
    experiments: z
      .array(z.string())
      .optional()
      .describe('With experiment_running, slices_overlap and salt_in_use: ids of those that run.'),
    ...confirmationProblemSchema.shape,
  })
  .meta({
    id: 'Problem',
    description: 'Why a request was rejected (RFC 9457).',
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        code: 'invalid_content',
        detail: 'The text is not JSON.',
        errors: [{ path: 'text', message: 'expected a value', line: 3, column: 12 }],
      },
    ],
  });
