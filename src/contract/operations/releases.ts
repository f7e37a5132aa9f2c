/** Releases: changes of many content items and segments that are reviewed, scheduled, ramped and reverted as one. */
import { z } from 'zod';
import { releaseChangesMax, releaseRowsMax, toleranceMinutesMax } from '../limits.js';
import { operation } from '../operation.js';
import {
  descriptionSchema,
  environmentParams,
  instantSchema,
  noteSchema,
  pageLimit,
  publishedSchema,
} from '../schemas/common.js';
import {
  brakeSchema,
  changeInputSchema,
  changeNameSchema,
  releaseParams,
  releaseSchema,
  releaseStateSchema,
  releaseSummarySchema,
  releaseTitleSchema,
  stepsSchema,
} from '../schemas/release.js';

const tag = 'releases';

const ifVersion = z
  .int()
  .optional()
  .describe('Reject with `release_changed` unless the release has this version.');

const responses = { 200: releaseSchema.extend(publishedSchema) };

const commentSchema = noteSchema.default('');

export const listReleases = operation('GET /environments/:env/releases', {
  tag,
  description: 'Lists releases, newest first.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    state: releaseStateSchema.optional().describe('Only those in this state.'),
    before: z.coerce.number().int().optional().describe('Number before which the page begins.'),
    limit: pageLimit('Releases', releaseRowsMax),
  }),
  responses: {
    200: z.object({
      releases: z.array(releaseSummarySchema),
      next: z.int().nullable().describe('`before` of the next page; null: the last one.'),
    }),
  },
});

export const listReviews = operation('GET /reviews', {
  tag,
  description: 'Lists releases that wait for an approval that the user of the request can give.',
  role: 'viewer',
  scoped: true,
  responses: { 200: z.object({ releases: z.array(releaseSummarySchema) }) },
});

export const createRelease = operation('POST /environments/:env/releases', {
  tag,
  description:
    'Makes a release. Nothing is delivered. In a protected environment editors may make and submit releases.',
  role: 'editor',
  params: environmentParams,
  body: z
    .strictObject({
      title: releaseTitleSchema,
      description: descriptionSchema.default(''),
      changes: z.array(changeInputSchema).max(releaseChangesMax).default([]),
      steps: stepsSchema.default([]),
      brake: brakeSchema.nullable().default(null),
    })
    .register(z.globalRegistry, {
      examples: [
        {
          title: 'Winter event',
          changes: [{ kind: 'content', id: 'events' }],
          steps: [
            { percent: 1, holdMinutes: 10 },
            { percent: 100, holdMinutes: 60 },
          ],
          brake: { receipts: { minutes: 10 } },
        },
      ],
    }),
  responses: { 201: releaseSchema },
  problems: ['content_not_found', 'segment_not_found', 'revision_not_found', 'limit_reached'],
});

export const getRelease = operation('GET /environments/:env/releases/:release', {
  tag,
  description: 'Shows a release: changes, reach, review, and a ramp with its counts.',
  role: 'viewer',
  params: releaseParams,
  responses: { 200: releaseSchema },
  problems: ['release_not_found'],
});

export const updateRelease = operation('PATCH /environments/:env/releases/:release', {
  tag,
  description:
    'Changes title, description, steps or brake. What is left out stays. Other steps or another brake withdraw approvals.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({
    title: releaseTitleSchema.optional(),
    description: descriptionSchema.optional(),
    steps: stepsSchema.optional(),
    brake: brakeSchema
      .nullable()
      .optional()
      .describe('What stops the ramp by itself; null: nothing does.'),
    ifVersion,
  }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'release_state', 'release_changed'],
});

export const changeRelease = operation('POST /environments/:env/releases/:release/changes', {
  tag,
  description:
    'Puts changes into a release, drops some, and rebases some: their base becomes what is live now. Withdraws approvals.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({
    put: z.array(changeInputSchema).max(releaseChangesMax).default([]),
    drop: z.array(changeNameSchema).max(releaseChangesMax).default([]),
    rebase: z.array(changeNameSchema).max(releaseChangesMax).default([]),
    ifVersion,
  }),
  responses: { 200: releaseSchema },
  problems: [
    ...['release_not_found', 'release_state', 'release_changed', 'limit_reached'],
    ...['content_not_found', 'segment_not_found', 'revision_not_found'],
  ] as const,
});

export const submitRelease = operation('POST /environments/:env/releases/:release/submit', {
  tag,
  description:
    'Submits a release for review. Checks all of it together. Without a review policy it is approved.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({ comment: commentSchema, ifVersion }),
  responses: { 200: releaseSchema },
  problems: [
    'release_not_found',
    'release_state',
    'release_changed',
    'release_conflict',
    'release_invalid',
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

export const commentRelease = operation('POST /environments/:env/releases/:release/comments', {
  tag,
  description: 'Adds a comment to the timeline.',
  role: 'viewer',
  params: releaseParams,
  body: z.strictObject({ comment: noteSchema }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'limit_reached'],
});

export const scheduleRelease = operation('POST /environments/:env/releases/:release/schedule', {
  tag,
  description:
    'Starts (or, without steps, goes live) at an instant of the store’s clock, once. null takes the schedule back.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({
    at: instantSchema
      .nullable()
      .describe('RFC 3339, in the future; null: the schedule is taken back.'),
    toleranceMinutes: z
      .int()
      .min(1)
      .max(toleranceMinutesMax)
      .default(60)
      .describe('Later than this the release fails instead of surprising anybody.'),
    ifVersion,
  }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'release_state', 'release_changed', 'approvals_missing'],
});

const actProblems = [
  ...['release_not_found', 'release_state', 'release_changed', 'release_conflict'],
  ...['release_invalid', 'release_active', 'approvals_missing'],
] as const;

export const startRelease = operation('POST /environments/:env/releases/:release/start', {
  tag,
  description: 'Starts the ramp with its first step.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: z.strictObject({ ifVersion }),
  responses,
  problems: actProblems,
});

export const pauseRelease = operation('POST /environments/:env/releases/:release/pause', {
  tag,
  description: 'Freezes a ramp: whoever is in stays in, and nobody else comes in.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: z.strictObject({ reason: commentSchema }),
  responses,
  problems: ['release_not_found', 'release_state'],
});

export const resumeRelease = operation('POST /environments/:env/releases/:release/resume', {
  tag,
  description: 'Goes on with a paused ramp: what was left of its step follows.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: z.strictObject({ ifVersion }),
  responses,
  problems: actProblems,
});

/** Alertmanager's webhook has members of its own beside these. */
const stopBodySchema = z.looseObject({
  reason: commentSchema,
  status: z.string().optional().describe('Of Alertmanager’s webhook: "resolved" stops nothing.'),
  alerts: z
    .array(z.looseObject({ annotations: z.record(z.string(), z.string()).optional() }))
    .optional()
    .describe('Of Alertmanager’s webhook: the summaries become the reason.'),
});

export const stopRelease = operation('POST /environments/:env/releases/:release/stop', {
  tag,
  description:
    'Withdraws the candidate: nobody is in, and what is live was never touched. Accepts the body of Alertmanager’s webhook.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: stopBodySchema,
  responses,
  problems: ['release_not_found', 'release_state'],
});

export const stopReleases = operation('POST /environments/:env/releases/stop', {
  tag,
  description:
    'Stops every ramp of the environment, for alerts that know no number. Accepts the body of Alertmanager’s webhook.',
  role: 'editor',
  publishes: true,
  params: environmentParams,
  body: stopBodySchema,
  responses: {
    200: z.object({
      stopped: z.array(z.int()).describe('Numbers of releases.'),
      ...publishedSchema,
    }),
  },
});

export const goLive = operation('POST /environments/:env/releases/:release/live', {
  tag,
  description:
    'Makes all changes live in one step: one sequence. An owner can do so without approvals in an emergency, which everybody is told of.',
  operationId: 'makeReleaseLive',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: z.strictObject({
    ifVersion,
    emergency: z
      .strictObject({ reason: noteSchema.min(1) })
      .optional()
      .describe('Owners only: skips approvals, and stops ramps that reach the same.'),
  }),
  responses,
  problems: actProblems,
});

export const revertRelease = operation('POST /environments/:env/releases/:release/revert', {
  tag,
  description:
    'Gives each changed item back what it had before, in one step. Rejected with the list of what changed since, unless forced.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  body: z.strictObject({
    reason: commentSchema,
    force: z.boolean().default(false).describe('Revert also what was changed since.'),
    emergency: z
      .strictObject({ reason: noteSchema.min(1) })
      .optional()
      .describe('Owners only: needed to force a revert where approvals are asked for.'),
  }),
  responses,
  problems: actProblems,
});

export const cancelRelease = operation('POST /environments/:env/releases/:release/cancel', {
  tag,
  description: 'Gives a release up before it starts.',
  role: 'editor',
  params: releaseParams,
  body: z.strictObject({ reason: commentSchema }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'release_state'],
});

const timelineEventSchema = z.object({
  at: z.string(),
  event: z.string().describe('What happened, as the audit names it: `release.start`.'),
  by: z.string().describe('Name of the user; `system` for what happened by itself.'),
  state: releaseStateSchema.describe('The state afterwards.'),
  sequence: z.int().nullable(),
  percent: z.number().nullable(),
  text: z.string().describe('A sentence: the reason, or the comment.'),
});

export type TimelineEvent = z.output<typeof timelineEventSchema>;

export const getTimeline = operation('GET /environments/:env/releases/:release/timeline', {
  tag,
  description: 'What happened to a release, oldest first.',
  role: 'viewer',
  params: releaseParams,
  responses: { 200: z.object({ events: z.array(timelineEventSchema) }) },
  problems: ['release_not_found'],
});
