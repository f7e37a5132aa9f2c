/** Rejected requests of the last hour: why, with which key, for which content; of one environment, or of all. */
import { z } from 'zod';
import { rejectionMinutes, rejectionReasonsMax, rejectionStateMinutes } from '../../limits.js';
import { operation } from '../../operation.js';
import { environmentParams } from '../../schemas/common.js';

const countSchema = z.int().nonnegative();

export const healthStateSchema = z
  .enum(['healthy', 'attention', 'failing'])
  .describe(
    `Over the last ${rejectionStateMinutes} minutes. attention: of at least 20 requests, 5 % or more were rejected, or 1 % or more with a status of 5xx. failing: 50 % or more were, or 5 % or more with 5xx. healthy: neither, or too few requests to say.`,
  );

export type HealthState = z.output<typeof healthStateSchema>;

const rejectionKeySchema = z
  .object({
    id: z.string(),
    label: z.string(),
    prefix: z.string().describe('The first characters of the key.'),
    state: z.enum(['active', 'expired', 'revoked']),
  })
  .describe('The API key that the requests came with.');

const rejectionReasonSchema = z
  .object({
    code: z.string().describe('Code of the problem, such as `content_not_found`.'),
    status: z.int().describe('Status of the responses.'),
    environment: z
      .string()
      .nullable()
      .describe('Id of the environment of the key; null: the key is unknown, or missing.'),
    key: rejectionKeySchema
      .nullable()
      .describe('null: the requests had no key, or one that this server does not know.'),
    keyDigest: z
      .string()
      .nullable()
      .describe(
        'The first 12 hex digits of the SHA-256 of an unknown key, to compare with that of the key in your game. Only owners of all environments see it; null otherwise, and where requests had no key.',
      ),
    content: z
      .string()
      .nullable()
      .describe(
        'The content id or flag that was requested, as the client spelled it: cut to 128 characters, control characters escaped. null: the requests name none, or several.',
      ),
    contentExists: z
      .boolean()
      .describe('The environment has a content of this id, which may be a draft.'),
    count: countSchema.describe(
      'Requests, at least. Where more reasons occur than the server keeps, it may count too few, never too many.',
    ),
    lastAt: z.iso.datetime().describe('When the last of them was counted, to a few seconds.'),
  })
  .register(z.globalRegistry, { id: 'RejectionReason' });

export type RejectionReason = z.output<typeof rejectionReasonSchema>;

const rejectionsSchema = z
  .object({
    node: z.string().describe('Name of the server that counted.'),
    nodes: z
      .int()
      .min(1)
      .describe(
        'Live servers that share the store. Each counts its own requests: of more than one, ask each.',
      ),
    from: z.iso
      .datetime()
      .describe(
        `Since when they are counted: ${rejectionMinutes} minutes ago, or when this server started.`,
      ),
    minutes: countSchema.describe('Whole minutes from then until now.'),
    state: healthStateSchema,
    requests: countSchema.describe(
      'All requests of that time. Requests without a known key count only for the whole server.',
    ),
    rejected: countSchema.describe('Those that were rejected (4xx and 5xx).'),
    codes: z
      .array(z.object({ code: z.string(), status: z.int(), count: countSchema }))
      .describe('Exact counts by code, most frequent first.'),
    reasons: z
      .array(rejectionReasonSchema)
      .describe(`The most frequent ones, at most ${rejectionReasonsMax}.`),
    other: countSchema.describe('Rejected requests that `reasons` does not name.'),
  })
  .register(z.globalRegistry, { id: 'Rejections' });

export type Rejections = z.output<typeof rejectionsSchema>;

export const listRejections = operation('GET /environments/:env/rejections', {
  tag: 'operations',
  description:
    'Requests of an environment that this server rejected in the last hour: why, with which key, for which content. Those with a revoked or expired key of the environment count, too.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: rejectionsSchema },
});

export const listServerRejections = operation('GET /rejections', {
  tag: 'operations',
  operationId: 'listServerRejections',
  description:
    'Requests that this server rejected in the last hour, whatever their environment. Users of some environments see the reasons of those; the others count as `other`.',
  role: 'viewer',
  scoped: true,
  responses: { 200: rejectionsSchema },
});
