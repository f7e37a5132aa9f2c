/** What becomes of a release: scheduled, ramped, stopped, live, reverted, cancelled. */
import { z } from 'zod';
import { toleranceMinutesMax } from '../../limits.js';
import { operation } from '../../operation.js';
import {
  environmentParams,
  instantSchema,
  noteSchema,
  publishedSchema,
} from '../../schemas/common.js';
import { confirmSchema, strictQuery } from '../../schemas/guard.js';
import { releaseParams, releaseSchema } from '../../schemas/release.js';

const tag = 'releases';

const ifVersion = z
  .int()
  .optional()
  .describe('Reject with `release_changed` unless the release has this version.');

const responses = { 200: releaseSchema.extend(publishedSchema) };

const commentSchema = noteSchema.default('');

/** What keeps a release from reaching players, whenever that is. */
const readyProblems = [
  ...['release_not_found', 'release_state', 'release_changed', 'release_conflict'],
  ...['release_invalid', 'approvals_missing'],
] as const;

/** What keeps it from going live beside running experiments, or beside rules that use a layer. */
const experimentProblems = [
  'experiment_running',
  'slices_overlap',
  'salt_in_use',
  'layer_in_use',
] as const;

export const scheduleRelease = operation('POST /environments/:env/releases/:release/schedule', {
  tag,
  description:
    'Starts (or, without steps, goes live) at an instant of the store’s clock, once. null takes the schedule back.',
  role: 'editor',
  params: releaseParams,
  query: strictQuery,
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
    confirm: confirmSchema,
  }),
  responses: { 200: releaseSchema },
  problems: [...readyProblems, 'confirmation_required', ...experimentProblems],
});

const actProblems = [...readyProblems, 'release_active'] as const;

/** Of transitions that deliver something new. */
const deliverProblems = [
  ...[...actProblems, 'confirmation_required' as const],
  ...experimentProblems,
] as const;

export const startRelease = operation('POST /environments/:env/releases/:release/start', {
  tag,
  description: 'Starts the ramp with its first step.',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  query: strictQuery,
  body: z.strictObject({ ifVersion, confirm: confirmSchema }),
  responses,
  problems: deliverProblems,
});

export const pauseRelease = operation('POST /environments/:env/releases/:release/pause', {
  tag,
  description: 'Freezes a ramp: users that are in stay in, and no others come in.',
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
    'Withdraws the candidate: no user is in any longer, and the live state was never touched. Accepts the body of Alertmanager’s webhook.',
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
    'Makes all changes live in one step: one sequence. An owner can do so without approvals in an emergency; the console and webhooks announce it.',
  operationId: 'makeReleaseLive',
  role: 'editor',
  publishes: true,
  params: releaseParams,
  query: strictQuery,
  body: z.strictObject({
    ifVersion,
    confirm: confirmSchema,
    emergency: z
      .strictObject({ reason: noteSchema.min(1) })
      .optional()
      .describe('Owners only: skips approvals, and stops ramps that reach the same.'),
  }),
  responses,
  problems: deliverProblems,
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
