/** The review of a release: submitted, approved, sent back. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { noteSchema } from '../../schemas/common.js';
import { confirmSchema, strictQuery } from '../../schemas/guard.js';
import { releaseParams, releaseSchema, releaseSummarySchema } from '../../schemas/release.js';

const tag = 'releases';

const ifVersion = z
  .int()
  .optional()
  .describe('Reject with `release_changed` unless the release has this version.');

const commentSchema = noteSchema.default('');

export const listReviews = operation('GET /reviews', {
  tag,
  description: 'Lists releases that wait for an approval that the user of the request can give.',
  role: 'viewer',
  scoped: true,
  responses: { 200: z.object({ releases: z.array(releaseSummarySchema) }) },
});

export const submitRelease = operation('POST /environments/:env/releases/:release/submit', {
  tag,
  description:
    'Submits a release for review. Checks all of it together. Without a review policy it is approved, unless a guard asks for the approval of a second person. What is confirmed here is part of what reviewers approve.',
  role: 'editor',
  params: releaseParams,
  query: strictQuery,
  body: z.strictObject({ comment: commentSchema, ifVersion, confirm: confirmSchema }),
  responses: { 200: releaseSchema },
  problems: [
    'release_not_found',
    'release_state',
    'release_changed',
    'release_conflict',
    'release_invalid',
    'confirmation_required',
    'slices_overlap',
    'salt_in_use',
  ],
});

export const approveRelease = operation('POST /environments/:env/releases/:release/approve', {
  tag,
  description:
    'Approves exactly what the digest names. Authors cannot approve, nor can programs. The last approval that is needed approves the release.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({
    digest: z.string().describe('`review.digest` of the release that was looked at.'),
    comment: commentSchema,
  }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'release_state', 'release_changed', 'approval_forbidden'],
});

export const rejectRelease = operation('POST /environments/:env/releases/:release/reject', {
  tag,
  description: 'Sends a release back to its author: it is a draft again, without approvals.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({ comment: commentSchema }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'release_state'],
});
