/** Environments: separate sets of contents, each with its own keys. Owners make and remove them. */
import { z } from 'zod';
import { trafficKeptDefault, trafficKeptKinds } from '../../content/traffic-kept.js';
import { reviewersMax } from '../limits.js';
import { operation } from '../operation.js';
import {
  environmentIdSchema,
  environmentParams,
  nameSchema,
  published,
} from '../schemas/common.js';
import { gateCodes } from '../schemas/gate.js';

const reviewSchema = z
  .int()
  .min(0)
  .max(reviewersMax)
  .describe('Approvals that a release needs before its changes reach players.');

const confirmFindingsSchema = z
  .boolean()
  .describe(
    'Whether findings have to be confirmed: values of another type, moved by more than ten times, or outside of guards.',
  );

const trafficSchema = z
  .enum(trafficKeptKinds)
  .describe(
    'What is kept of the user contexts that requests carry. `names`: names of attributes; `values`: also their frequent values, none of which fewer than ten users had; `contexts`: also a sample of up to 10,000 contexts of the past day, under pseudonyms and in the memory of the servers alone, for previews. Less of it deletes the rest.',
  );

const environmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    protected: z.boolean(),
    review: z
      .int()
      .describe(
        'Approvals that a release needs before its changes reach players; 0: editors publish at once.',
      ),
    confirm: z.boolean().describe('Publishing is rejected while there are unconfirmed findings.'),
    traffic: trafficSchema,
    emergency: z
      .object({
        release: z.int().describe('Its number.'),
        by: z.string().describe('Name of the owner.'),
        at: z.string(),
        reason: z.string(),
      })
      .nullable()
      .describe('The last release of the past day that an owner published without approvals.'),
    createdAt: z.string(),
  })
  .register(z.globalRegistry, { id: 'Environment' });

export type Environment = z.output<typeof environmentSchema>;

export const listEnvironments = operation('GET /environments', {
  tag: 'environments',
  description: 'The environments that the role of the user is for, by id.',
  role: 'support',
  scoped: true,
  responses: { 200: z.object({ environments: z.array(environmentSchema) }) },
});

export const createEnvironment = operation('POST /environments', {
  tag: 'environments',
  description:
    'Makes an empty environment. A protected one takes edits only from owners. The role must be for all environments.',
  role: 'owner',
  publishes: true,
  body: z.strictObject({
    id: environmentIdSchema,
    name: nameSchema.optional().describe('For people; the id when it is left out.'),
    protected: z.boolean().default(false).describe('Whether only owners may edit it.'),
    review: reviewSchema.default(0),
    confirm: confirmFindingsSchema.default(false),
    traffic: trafficSchema.default(trafficKeptDefault),
  }),
  responses: { 201: published(environmentSchema) },
  problems: ['environment_exists'],
});

export const getEnvironment = operation('GET /environments/:env', {
  tag: 'environments',
  description: 'One environment.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: environmentSchema },
});

export const updateEnvironment = operation('PATCH /environments/:env', {
  tag: 'environments',
  description:
    'Renames, protects or unprotects the environment, has more people review its releases, or changes what is kept of requests. What is left out stays. While it asks for approvals, less protection, fewer approvals and no confirmation take a release with a change of kind `environment`.',
  role: 'owner',
  publishes: true,
  params: environmentParams,
  body: z.strictObject({
    name: nameSchema.optional().describe('For people.'),
    protected: z.boolean().optional().describe('Whether only owners may edit it.'),
    review: reviewSchema.optional(),
    confirm: confirmFindingsSchema.optional(),
    traffic: trafficSchema.optional(),
  }),
  responses: { 200: published(environmentSchema) },
  problems: ['release_required'],
});

export const deleteEnvironment = operation('DELETE /environments/:env', {
  tag: 'environments',
  description:
    'Removes the environment with its keys, segments, contents and their history, and from the lists of users. A protected one must be unprotected first; while it asks for approvals, a release deletes it.',
  role: 'owner',
  publishes: true,
  params: environmentParams,
  responses: { 200: published(z.object({ id: z.string() })) },
  problems: ['environment_protected', ...gateCodes],
});
