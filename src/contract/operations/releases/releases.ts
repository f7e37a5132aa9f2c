/** Releases: changes of many content items and segments that become live as one. Made, changed, shown. */
import { z } from 'zod';
import { releaseChangesMax, releaseRowsMax, releaseWarningsMax } from '../../limits.js';
import { operation } from '../../operation.js';
import {
  descriptionSchema,
  environmentParams,
  issueSchema,
  noteSchema,
  pageLimit,
} from '../../schemas/common.js';
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
} from '../../schemas/release.js';

const tag = 'releases';

const ifVersion = z
  .int()
  .optional()
  .describe('Reject with `release_changed` unless the release has this version.');

export const listReleases = operation('GET /environments/:env/releases', {
  tag,
  description: 'Lists releases, newest first.',
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    state: releaseStateSchema.optional().describe('Only those in this state.'),
    open: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        'Only those that have neither gone live nor ended; those that ramp are among them.',
      ),
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
  operationId: 'changeRelease',
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

export const commentRelease = operation('POST /environments/:env/releases/:release/comments', {
  tag,
  operationId: 'commentRelease',
  description: 'Adds a comment to the timeline.',
  role: 'viewer',
  params: releaseParams,
  body: z.strictObject({ comment: noteSchema }),
  responses: { 200: releaseSchema },
  problems: ['release_not_found', 'limit_reached'],
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
  operationId: 'getReleaseTimeline',
  description: 'What happened to a release, oldest first.',
  role: 'viewer',
  params: releaseParams,
  responses: { 200: z.object({ events: z.array(timelineEventSchema) }) },
  problems: ['release_not_found'],
});

const releaseWarningsSchema = z.object({
  items: z
    .array(
      z.object({
        kind: z.enum(['content', 'segment']),
        id: z.string().describe('Of the content, or name of the segment.'),
        warnings: z.array(issueSchema).readonly(),
      }),
    )
    .describe('Changes with warnings, by kind and id.'),
  cut: z
    .boolean()
    .describe(`Only the first ${releaseWarningsMax} changes with warnings are listed.`),
});

/** What a person should know before a release goes on. */
export type ReleaseWarnings = z.output<typeof releaseWarningsSchema>;

export const getReleaseWarnings = operation('GET /environments/:env/releases/:release/warnings', {
  tag,
  operationId: 'getReleaseWarnings',
  description:
    'Warnings of what a release changes, as saving each revision by itself gives them: attributes that no request carries, players who move between variants, interfering tests. What its values do is in `findings` of the release.',
  role: 'viewer',
  params: releaseParams,
  responses: { 200: releaseWarningsSchema },
  problems: ['release_not_found', 'too_costly'],
});
